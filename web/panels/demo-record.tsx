import { useState } from "preact/hooks";
import type { Failure } from "../../src/model/failure.ts";
import { AppText } from "../app-text.tsx";
import { attention } from "../attention.ts";
import { countOf } from "../count-of.ts";
import { recording } from "../demo-state.ts";
import { announce, rpc } from "../state.ts";
import { useStore } from "../store.ts";
import { Confirmed } from "./confirmed.tsx";
import { Trouble } from "./trouble.tsx";

/** Begins and ends a recording, and shows its steps as they come. */
export function DemoRecord({ onSaved }: { onSaved(name: string): void }) {
  const { state, trouble } = useStore(recording);
  return (
    <section class="demo" aria-labelledby="demo-record">
      <h2 id="demo-record">Record</h2>
      {trouble === undefined ? null : <p role="alert">{`The recording ended: ${trouble}`}</p>}
      {state === "off" ? <BeginForm /> : <Going onSaved={onSaved} />}
    </section>
  );
}

/** The button is offered where a person is known to sit: where approvals are given. */
function BeginForm() {
  const { place, hasPin } = useStore(attention);
  const [name, setName] = useState("");
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  if (place === "elsewhere") {
    return (
      <p>
        Nobody is known to sit here: this inspector was not opened by a person at a terminal. To record, run this in a
        terminal: <code>deskmap record start NAME</code>
      </p>
    );
  }
  const begin = async (): Promise<void> => {
    setBusy(true);
    const begun = await rpc.call("demos.record", { name: name.trim(), isReplacing: false });
    setBusy(false);
    setFailure(begun.ok ? undefined : begun.failure);
    announce(begun.ok ? `Recording ${name.trim()}: work as usual` : begun.failure.message);
  };
  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== "" && !isBusy) void begin();
        }}
      >
        <label class="field">
          <span>Name of the new demo</span>
          <input
            value={name}
            maxLength={80}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
            autocomplete="off"
          />
        </label>
        <button type="submit" disabled={name.trim() === "" || isBusy}>
          Record what I do
        </button>
      </form>
      <p class="hint">
        Your pointer and keyboard are observed, and every monitor says so meanwhile. Two Escapes end it.
        {hasPin ? " The PIN is asked for in the terminal where deskmap inspect runs." : ""}
      </p>
      {failure === undefined ? null : <Trouble failure={failure} />}
    </>
  );
}

function Going({ onSaved }: { onSaved(name: string): void }) {
  const { state, name, kind, isHere, steps } = useStore(recording);
  const [failure, setFailure] = useState<Failure>();
  const end = async (isDiscarded: boolean): Promise<void> => {
    const ended = await rpc.call("demos.stop", { isDiscarded });
    setFailure(ended.ok ? undefined : ended.failure);
    announce(ended.ok ? (isDiscarded ? "Nothing is saved" : `${name} is saved`) : ended.failure.message);
    if (ended.ok && ended.value.saved !== undefined) onSaved(ended.value.saved);
  };
  const pause = async (): Promise<void> => {
    const done = await rpc.call("demos.pause", { isPaused: state === "recording" });
    setFailure(done.ok ? undefined : done.failure);
  };
  const who = kind === "person" ? "a person does" : "agents do";
  const how = { recording: "Recording", paused: "Paused", broken: "Ended, not saved", off: "" }[state];
  return (
    <>
      <p role="status">
        <strong>{how}</strong> “<AppText text={name} />
        {`”: what ${who}, ${countOf(steps.length, "step")}`}
      </p>
      {isHere ? (
        <div class="row">
          <button type="button" onClick={() => void end(false)}>
            Stop and save
          </button>
          {state === "broken" ? null : (
            <button type="button" onClick={() => void pause()}>
              {state === "paused" ? "Go on" : "Pause"}
            </button>
          )}
          <Confirmed
            label="Discard the recording"
            question={`Discard ${countOf(steps.length, "step")} of ${name}?`}
            verb="Discard"
            onConfirm={() => void end(true)}
          />
        </div>
      ) : (
        <p>
          It is recorded in a terminal: press Ctrl-C there, or run <code>deskmap record stop</code>
        </p>
      )}
      <ol class="demo-live" aria-label="Recorded steps">
        {steps.map(({ words, doubts }, index) => (
          <li key={`${index} ${words}`}>
            <AppText text={words} />
            {doubts.map((doubt) => (
              <span key={doubt} class="demo-line demo-doubt">
                Doubt: {doubt}
              </span>
            ))}
          </li>
        ))}
      </ol>
      {failure === undefined ? null : <Trouble failure={failure} />}
    </>
  );
}
