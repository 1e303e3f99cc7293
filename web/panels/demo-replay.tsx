import { useEffect, useRef, useState } from "preact/hooks";
import type { Replayed, ReplayedStep, ShownDemo, ShownParameter } from "../../src/inspector/demos.ts";
import type { Result } from "../../src/model/failure.ts";
import { AppText } from "../app-text.tsx";
import { demosVersion } from "../demo-state.ts";
import { announce, rpc } from "../state.ts";
import { Trouble } from "./trouble.tsx";

interface ReplayProps {
  readonly demo: ShownDemo;
  /** The chosen step. */
  readonly from: number;
}

/** Does the steps again, from the chosen one. Every step goes through the guard, which may ask a person. */
export function DemoReplay({ demo, from }: ReplayProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [isHealing, setHealing] = useState(false);
  const [allowsDoubtful, setAllowsDoubtful] = useState(false);
  const [running, setRunning] = useState<AbortController>();
  const [steps, setSteps] = useState<readonly ReplayedStep[]>([]);
  const [result, setResult] = useState<Result<Replayed>>();
  const stop = useRef<HTMLButtonElement>(null);
  const starter = useRef<HTMLButtonElement>(null);
  useEffect(
    () =>
      rpc.on("demos.progress", ({ demo: name, ...step }) => {
        if (name !== demo.name) return;
        setSteps((before) => [...before, step]);
        announce(`Step ${step.n}: ${step.verdict ?? step.state}`);
      }),
    [demo.name],
  );
  // A page that is closed cannot show what is done.
  useEffect(() => () => running?.abort(), [running]);
  const run = async (isDry: boolean): Promise<void> => {
    if (running !== undefined) return;
    const own = new AbortController();
    setRunning(own);
    setSteps([]);
    setResult(undefined);
    requestAnimationFrame(() => stop.current?.focus());
    const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
    const how = { from, values: given, isDry, isHealing, allowsDoubtful };
    const done = await rpc.call("demos.replay", { name: demo.name, ...how }, own.signal);
    setRunning(undefined);
    setResult(done);
    requestAnimationFrame(() => starter.current?.focus());
    if (!done.ok) return announce(done.failure.message);
    const { stop: ended, proposals } = done.value;
    announce(ended === undefined ? "The demo is done" : `Stopped at step ${ended.n}: ${ended.failure.message}`);
    if (proposals > 0) demosVersion.set(demosVersion.value + 1);
  };
  return (
    <section class="demo" aria-labelledby="demo-replay">
      <h3 id="demo-replay">Replay</h3>
      <div class="row">
        {demo.parameters.map((one) => (
          <ValueField
            key={one.name}
            parameter={one}
            value={values[one.name] ?? ""}
            onValue={(value) => setValues((before) => ({ ...before, [one.name]: value }))}
          />
        ))}
      </div>
      <div class="row">
        <button type="button" ref={starter} disabled={running !== undefined} onClick={() => void run(false)}>
          {`Replay from step ${from}`}
        </button>
        <button type="button" disabled={running !== undefined} onClick={() => void run(true)}>
          Only look whether it would work
        </button>
        <label>
          <input
            type="checkbox"
            checked={isHealing}
            onChange={({ currentTarget }) => setHealing(currentTarget.checked)}
          />{" "}
          Propose new refs
        </label>
        {demo.steps.some(({ doubts }) => doubts.length > 0) ? (
          <label>
            <input
              type="checkbox"
              checked={allowsDoubtful}
              onChange={({ currentTarget }) => setAllowsDoubtful(currentTarget.checked)}
            />{" "}
            Also steps with a doubt
          </label>
        ) : null}
        {running === undefined ? null : (
          <button type="button" class="danger" ref={stop} onClick={() => running.abort()}>
            Cancel replay
          </button>
        )}
      </div>
      <div role="status">
        {running === undefined ? null : <p>Running. If a step is sensitive, a person is asked first.</p>}
        <ol class="demo-progress" start={steps[0]?.n ?? 1}>
          {steps.map(({ n, words, state, verdict, notes, tookMs }) => (
            <li key={n}>
              <strong class={state}>{verdict ?? state}</strong> <AppText text={words} /> {`${tookMs} ms`}
              {notes.map((note) => (
                <span key={note} class="demo-line quiet">
                  <AppText text={note} />
                </span>
              ))}
            </li>
          ))}
        </ol>
        {result?.ok === true && result.value.stop === undefined ? (
          <p class="demo-done">{`Done in ${result.value.tookMs} ms.`}</p>
        ) : null}
      </div>
      {result?.ok === true && result.value.stop !== undefined ? <Trouble failure={result.value.stop.failure} /> : null}
      {result?.ok === false ? <Trouble failure={result.failure} /> : null}
    </section>
  );
}

interface ValueProps {
  readonly parameter: ShownParameter;
  readonly value: string;
  onValue(value: string): void;
}

function ValueField({ parameter: { name, type, value: recorded }, value, onValue }: ValueProps) {
  const label = type === "secret" ? `Name of the secret for ${name}` : `Value of ${name}`;
  return (
    <label class="field">
      <span>{label}</span>
      <input
        value={value}
        placeholder={recorded}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        autocomplete="off"
      />
    </label>
  );
}
