import { useState } from "preact/hooks";
import type { ElementNow, Tried } from "../../src/inspector/element.ts";
import { listSteps, listTrials, type Trial } from "../../src/inspector/trials.ts";
import type { Failure, Result } from "../../src/model/failure.ts";
import { announce, rpc } from "../state.ts";
import { Trouble } from "./trouble.tsx";

interface TryProps {
  readonly mark: number;
  readonly now: ElementNow;
  onTried(): void;
}

type Outcome = { readonly trial: Trial } & Result<Tried>;

/** Buttons for the actions of a control. Every action goes through the guard, which may ask a person. */
export function ElementTry({ mark, now, onTried }: TryProps) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [pending, setPending] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const steps = listSteps(now);
  // A control that holds a number takes no other text.
  const isNumber = steps.length > 0;
  const isOffered = ({ tool, takes }: Trial): boolean => tool !== "element" && !(isNumber && takes === "text");
  const trials = [...listTrials(now).filter(isOffered), ...steps];
  const groups = [...Map.groupBy(trials, ({ pattern }) => pattern)];
  const attempt = async (trial: Trial): Promise<void> => {
    if (pending !== undefined) return;
    setPending(trial.key);
    const result = await rpc.call("element.try", {
      mark,
      tool: trial.tool,
      ...readInput(trial, texts[trial.pattern] ?? ""),
    });
    setPending(undefined);
    setOutcome({ trial, ...result });
    announce(result.ok ? `${trial.label}: ${result.value.effect}` : `${trial.label}: ${result.failure.code}`);
    onTried();
  };
  if (trials.length === 0) return null;
  return (
    <section aria-labelledby="element-try">
      <h3 id="element-try">Try</h3>
      {groups.map(([pattern, own]) => (
        <fieldset class="pattern" key={pattern}>
          <legend>{pattern}</legend>
          {own.map(({ key, takes }) =>
            takes === undefined ? null : (
              <TextField
                key={key}
                takes={takes}
                text={texts[pattern] ?? ""}
                onText={(text) => setTexts((before) => ({ ...before, [pattern]: text }))}
              />
            ),
          )}
          {own.map((trial) => (
            <button
              type="button"
              key={trial.key}
              aria-disabled={pending !== undefined}
              onClick={() => void attempt(trial)}
            >
              {trial.label}
            </button>
          ))}
        </fieldset>
      ))}
      <div role="status">
        {pending === undefined ? null : <p>Running. If it is sensitive, a person is asked first.</p>}
        {pending === undefined && outcome !== undefined ? <OutcomeView outcome={outcome} /> : null}
      </div>
    </section>
  );
}

interface TextFieldProps {
  readonly takes: "text" | "number";
  readonly text: string;
  onText(text: string): void;
}

function TextField({ takes, text, onText }: TextFieldProps) {
  return (
    <label class="field">
      <span>{takes === "number" ? "Number to set" : "Text to set"}</span>
      <input
        value={text}
        inputMode={takes === "number" ? "decimal" : "text"}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        autocomplete="off"
      />
    </label>
  );
}

function readInput({ tool, word, takes, sets }: Trial, text: string) {
  const given = takes === undefined ? (sets === undefined ? {} : { text: sets }) : { text };
  if (word === undefined) return given;
  return tool === "scroll"
    ? { ...given, direction: word === "up" ? ("up" as const) : ("down" as const) }
    : { name: word };
}

function OutcomeView({ outcome }: { readonly outcome: Outcome }) {
  if (!outcome.ok) return <Refusal failure={outcome.failure} />;
  const { effect, way, evidence, lines } = outcome.value;
  return (
    <div class={`outcome ${effect}`}>
      <p>
        <strong class="effect">{effect}</strong> {outcome.trial.label}
        {way === "" ? "" : ` by ${way}`}
      </p>
      {evidence.length === 0 ? null : (
        <ul>
          {evidence.map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      )}
      <details>
        <summary>The whole answer</summary>
        <pre>{lines}</pre>
      </details>
    </div>
  );
}

function Refusal({ failure }: { readonly failure: Failure }) {
  return <Trouble failure={failure} />;
}
