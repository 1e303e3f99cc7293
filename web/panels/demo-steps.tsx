import type { TargetedKeyboardEvent, TargetedMouseEvent } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { DemoChange, ShownDemo, ShownStep } from "../../src/inspector/demos.ts";
import { AppText } from "../app-text.tsx";
import { chosenStep, picking } from "../demo-state.ts";
import { announce, requestedPanel } from "../state.ts";
import { Confirmed } from "./confirmed.tsx";
import { StepPicture } from "./demo-picture.tsx";

interface StepsProps {
  readonly demo: ShownDemo;
  readonly chosen: number;
  onChange(change: DemoChange, done: string): Promise<boolean>;
}

/** The steps in the order of time. Arrow keys move along them; what can be done with the chosen one is below. */
export function DemoSteps({ demo, chosen, onChange }: StepsProps) {
  const box = useRef<HTMLDivElement>(null);
  const step = demo.steps[chosen - 1];
  useLayoutEffect(() => box.current?.querySelector(`#step-${chosen}`)?.scrollIntoView({ block: "nearest" }), [chosen]);
  const move = async (to: number): Promise<void> => {
    if (to < 1 || to > demo.steps.length) return;
    if (await onChange({ kind: "move", step: chosen, to }, `Step ${chosen} is step ${to} now`)) chosenStep.set(to);
  };
  const remove = async (): Promise<void> => {
    await onChange({ kind: "delete", step: chosen }, `Step ${chosen} is deleted`);
    box.current?.focus();
  };
  const press = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    if (event.ctrlKey || event.metaKey) return;
    const by = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key];
    const goals: Readonly<Record<string, number>> = { Home: 1, End: demo.steps.length };
    const goal = by === undefined ? goals[event.key] : chosen + by;
    if (event.key === "Delete") void remove();
    else if (goal === undefined) return;
    else if (event.altKey) void move(goal);
    else chosenStep.set(Math.max(1, Math.min(demo.steps.length, goal)));
    event.preventDefault();
  };
  const choose = ({ target }: TargetedMouseEvent<HTMLDivElement>): void => {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-step]") : null;
    if (row !== null) chosenStep.set(Number(row.dataset.step));
    box.current?.focus();
  };
  return (
    <section class="demo" aria-labelledby="demo-steps">
      <h3 id="demo-steps">Steps</h3>
      <div
        class="demo-steps"
        role="listbox"
        aria-label="Steps"
        tabIndex={0}
        ref={box}
        aria-activedescendant={`step-${chosen}`}
        onKeyDown={press}
        onClick={choose}
      >
        {demo.steps.map((one) => (
          <StepRow key={one.n} step={one} isChosen={one.n === chosen} />
        ))}
      </div>
      {step === undefined ? null : (
        <>
          <fieldset class="pattern">
            <legend>{`Step ${chosen}`}</legend>
            <button type="button" disabled={chosen === 1} onClick={() => void move(chosen - 1)}>
              Move up
            </button>
            <button type="button" disabled={chosen === demo.steps.length} onClick={() => void move(chosen + 1)}>
              Move down
            </button>
            {step.isAimed ? (
              <button type="button" onClick={() => point(demo, step)}>
                Point at another control
              </button>
            ) : null}
            <Confirmed
              key={`${demo.version} ${chosen}`}
              label="Delete step"
              question={`Delete step ${chosen}, ${step.words}?`}
              verb="Delete"
              onConfirm={() => void remove()}
            />
          </fieldset>
          {step.hasPicture ? <StepPicture key={`${demo.version} ${chosen}`} demo={demo} step={step} /> : null}
          <NoteForm key={`${chosen} ${step.note}`} step={step} onChange={onChange} />
        </>
      )}
    </section>
  );
}

function point({ name, version }: ShownDemo, { n, words }: ShownStep): void {
  picking.set({ name, version, step: n, words });
  announce(`Choose the control for step ${n} in the picture or in the tree`);
  requestedPanel.set({ id: "screen" });
}

function StepRow({ step, isChosen }: { readonly step: ShownStep; readonly isChosen: boolean }) {
  const { n, afterMs, words, window, effect, doubts, note } = step;
  return (
    <div id={`step-${n}`} class="demo-step" role="option" aria-selected={isChosen} tabIndex={-1} data-step={n}>
      <span class="demo-time">{afterMs === undefined ? "" : showAfter(afterMs)}</span>
      <span>
        <span class="mark">{n}</span> <AppText text={words} />
        {window === "" ? null : (
          <span class="quiet">
            {" "}
            in “<AppText text={window} />”
          </span>
        )}
        {effect.map((line) => (
          <span class="demo-line quiet" key={line}>
            <AppText text={line} />
          </span>
        ))}
        {doubts.map((doubt) => (
          <span class="demo-line demo-doubt" key={doubt}>
            Doubt: {doubt}
          </span>
        ))}
        {note === "" ? null : (
          <span class="demo-line">
            Note: <AppText text={note} />
          </span>
        )}
      </span>
    </div>
  );
}

/** Since the first step, such as 1:02.5. */
function showAfter(afterMs: number): string {
  const seconds = (afterMs % 60_000) / 1000;
  return `${Math.floor(afterMs / 60_000)}:${seconds.toFixed(1).padStart(4, "0")}`;
}

function NoteForm({ step, onChange }: { readonly step: ShownStep; readonly onChange: StepsProps["onChange"] }) {
  const [note, setNote] = useState(step.note);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        void onChange({ kind: "note", step: step.n, note }, `Step ${step.n} is noted`);
      }}
    >
      <label class="field">
        <span>{`Note to step ${step.n}`}</span>
        <input
          value={note}
          maxLength={500}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
          autocomplete="off"
        />
      </label>
      <button type="submit" disabled={note === step.note}>
        Keep note
      </button>
    </form>
  );
}
