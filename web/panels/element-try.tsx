import { useState } from "preact/hooks";
import type { ElementNow, Tried } from "../../src/inspector/element.ts";
import { listTrials, type Trial } from "../../src/inspector/trials.ts";
import type { Failure, Result } from "../../src/model/failure.ts";
import { announcement, rpc } from "../state.ts";
import { Trouble } from "./trouble.tsx";

interface TryProps {
  readonly mark: number;
  readonly now: ElementNow;
  onTried(): void;
}

type Outcome = { readonly trial: Trial } & Result<Tried>;

/** Buttons for what can be done with it. Everything goes through the guard, which may ask a person. */
export function ElementTry({ mark, now, onTried }: TryProps) {
  const [text, setText] = useState("");
  const [pending, setPending] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const trials = listTrials(now).filter(({ tool }) => tool !== "element");
  const groups = [...Map.groupBy(trials, ({ pattern }) => pattern)];
  const attempt = async (trial: Trial): Promise<void> => {
    if (pending !== undefined) return;
    setPending(trial.key);
    const result = await rpc.call("element.try", { mark, tool: trial.tool, ...readInput(trial, text) });
    setPending(undefined);
    setOutcome({ trial, ...result });
    announcement.set(result.ok ? `${trial.label}: ${result.value.effect}` : `${trial.label}: ${result.failure.code}`);
    onTried();
  };
  if (trials.length === 0) return null;
  return (
    <section aria-labelledby="element-try">
      <h3 id="element-try">Try</h3>
      {groups.map(([pattern, own]) => (
        <fieldset class="pattern" key={pattern}>
          <legend>{pattern}</legend>
          {own.some(({ takes }) => takes !== undefined) ? (
            <label class="field">
              <span>{own.some(({ takes }) => takes === "number") ? "Number to set" : "Text to set"}</span>
              <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} autocomplete="off" />
            </label>
          ) : null}
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
        {pending === undefined ? null : <p>Under way. If it is sensitive, a person is asked first.</p>}
        {pending === undefined && outcome !== undefined ? <OutcomeView outcome={outcome} /> : null}
      </div>
    </section>
  );
}

function readInput({ tool, word, takes }: Trial, text: string) {
  const given = takes === undefined ? {} : { text };
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
