import type { TargetedSubmitEvent } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { attention } from "./attention.ts";
import { showMoment } from "./log-words.ts";
import { useReading } from "./reading.ts";
import { announce, rpc } from "./state.ts";
import { useStore } from "./store.ts";

export const stopKeys = "Alt+P";

async function stopEverything(): Promise<void> {
  const done = await rpc.call("activity.stop", {});
  if (!done.ok) return announce(`NOT stopped: ${done.failure.message}`);
  const { interrupted, isReleased } = done.value;
  const who = interrupted.length === 0 ? "No action was running." : `Ended: ${interrupted.join(", ")}.`;
  announce(`Everything is stopped. ${who}${isReleased ? "" : " THE DESKTOP IS NOT FULLY RELEASED."}`);
}

/** The stop button. It needs no approval, and is visible in the header of every page that was let in. */
export function Panic() {
  const { stop } = useStore(attention);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.key.toLowerCase() !== "p") return;
      event.preventDefault();
      if (!event.repeat) void stopEverything();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <button
      type="button"
      class="panic"
      aria-keyshortcuts={stopKeys}
      title={`Stop everything that Deskmap does, at once (${stopKeys})`}
      disabled={stop !== undefined}
      onClick={() => void stopEverything()}
    >
      {stop === undefined ? "Stop everything" : "Stopped"}
    </button>
  );
}

/** Says that everything is stopped, and lets a person resume. */
export function Stopped() {
  const { stop, place, hasPin } = useStore(attention);
  const [failure, setFailure] = useState("");
  if (stop === undefined) return null;
  const resume = async (pin: string | undefined): Promise<void> => {
    const done = await rpc.call("activity.resume", { pin });
    setFailure(done.ok ? "" : done.failure.message);
  };
  return (
    <section class="stopped" aria-label="Everything is stopped">
      <p role="status">
        <strong>Everything is stopped</strong>, by {stop.by} at {showMoment(stop.atMs)}. Nothing is read or done.
      </p>
      {hasPin ? (
        <PinForm button="Resume" onPin={resume} />
      ) : place === "here" ? (
        <Resume key={stop.atMs} onResume={() => void resume(undefined)} />
      ) : (
        <p>
          To resume, run this in a terminal: <code>deskmap resume</code>
        </p>
      )}
      {failure === "" ? null : <p role="alert">{failure}</p>}
    </section>
  );
}

/** Resumes in two steps, each with time to be read. The second button is not where the first one was. */
function Resume({ onResume }: { onResume(): void }) {
  const [isAsking, setAsking] = useState(false);
  return isAsking ? (
    <ResumeAsked onResume={onResume} onKeep={() => setAsking(false)} />
  ) : (
    <ReadButton label="Resume…" onPress={() => setAsking(true)} />
  );
}

function ResumeAsked({ onResume, onKeep }: { onResume(): void; onKeep(): void }) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <div class="answers" role="alertdialog" aria-label="Let everything go on?">
      <button type="button" ref={keep} onClick={onKeep}>
        Keep it stopped
      </button>
      <ReadButton label="Let everything go on" onPress={onResume} />
    </div>
  );
}

function ReadButton({ label, onPress }: { readonly label: string; onPress(): void }) {
  const isRead = useReading();
  return (
    <button type="button" disabled={!isRead} onClick={onPress}>
      {label}
    </button>
  );
}

interface PinFormProps {
  readonly button: string;
  onPin(pin: string): Promise<void>;
}

/** Asks for the PIN; neither shows nor keeps it. */
export function PinForm({ button, onPin }: PinFormProps) {
  const id = useId();
  const [pin, setPin] = useState("");
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setPin("");
    void onPin(pin);
  };
  return (
    <form class="pin" onSubmit={submit}>
      <label for={id}>PIN of Deskmap</label>
      <input
        id={id}
        type="password"
        autocomplete="off"
        value={pin}
        onInput={({ currentTarget }) => setPin(currentTarget.value)}
      />
      <button type="submit">{button}</button>
    </form>
  );
}
