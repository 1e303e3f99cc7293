import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AskedQuestion } from "../src/inspector/activity.ts";
import { AppText } from "./app-text.tsx";
import { AskedControl } from "./asked-control.tsx";
import { attention } from "./attention.ts";
import { useReading } from "./reading.ts";
import { rpc } from "./state.ts";
import { useStore } from "./store.ts";

export const [allowKeys, refuseKeys] = ["Alt+A", "Alt+R"] as const;

/** The open questions, one at a time, above every panel. */
export function Approvals() {
  const { questions, place } = useStore(attention);
  const own = questions.filter(({ isHere }) => isHere);
  const others = questions.filter(({ isHere }) => !isHere);
  const [first] = own;
  return (
    <>
      {first === undefined || place !== "here" ? null : (
        <Question key={first.nonce} question={first} count={own.length} />
      )}
      {others.length === 0 ? null : (
        <section class="asked elsewhere" aria-label="Asked elsewhere">
          {others.map((one) => (
            <div key={one.nonce} role="status">
              <p>
                Deskmap waits for a person's approval (code {one.code}): <AppText text={one.words} />. It is answered
                where it was asked, in the terminal where <code>deskmap approve</code> runs.
              </p>
            </div>
          ))}
        </section>
      )}
    </>
  );
}

type Verdict = "yes" | "no";

function Question({ question, count }: { readonly question: AskedQuestion; readonly count: number }) {
  const { nonce, digest, code, untilMs } = question;
  const heading = useRef<HTMLHeadingElement>(null);
  const isRead = useReading();
  const [given, setGiven] = useState<Verdict | undefined>(undefined);
  const [failure, setFailure] = useState("");
  const seconds = useSecondsUntil(untilMs);
  const [content, isSeen] = useSeenToEnd<HTMLTextAreaElement>();
  const isReady = isRead && given === undefined;
  const mayAllow = isReady && isSeen;

  const answer = async (verdict: Verdict): Promise<void> => {
    setGiven(verdict);
    const done = await rpc.call("activity.answer", { nonce, digest, verdict });
    if (done.ok) return;
    setFailure(done.failure.message);
    // The answer may not have arrived, so it can be given again.
    setGiven(undefined);
  };

  useEffect(() => {
    const before = document.activeElement;
    // The heading, not a button: a key that is already on its way must not give an answer.
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);

  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !event.isTrusted) return;
      const verdict = ({ a: "yes", r: "no" } as const)[event.key.toLowerCase()];
      if (verdict === undefined) return;
      event.preventDefault();
      if ((verdict === "yes" ? mayAllow : isReady) && !event.repeat) void answer(verdict);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [isReady, mayAllow]);

  return (
    <section class="asked" role="alertdialog" aria-labelledby={`asked-${code}`} aria-describedby={`what-${code}`}>
      <h2 id={`asked-${code}`} tabIndex={-1} ref={heading}>
        Deskmap asks for your approval{count > 1 ? ` (1 of ${count})` : ""}
      </h2>
      <dl id={`what-${code}`}>
        <Row name="Action" text={question.words} />
        <Row name="Application" text={question.app === "" ? "none" : question.app} />
        <Row name="Window" text={question.window === "" ? "none" : question.window} />
        <Row name="Asked by" text={`${question.client} (${question.caller}) through ${question.tool}`} />
        <Row name="Because" text={question.why} />
        <Row name="Code" text={code} />
      </dl>
      {question.content.length === 0 ? null : (
        <textarea
          class="content"
          aria-label="In full"
          readOnly
          rows={8}
          ref={content}
          value={question.content.join("\n")}
        />
      )}
      {isSeen ? null : <p role="status">Scroll to the end of the text; then it can be allowed.</p>}
      <AskedControl question={question} />
      <p role="timer">{seconds} s left; no answer means no.</p>
      <div class="answers">
        <button type="button" aria-keyshortcuts={refuseKeys} disabled={!isReady} onClick={() => void answer("no")}>
          Refuse <kbd>{refuseKeys}</kbd>
        </button>
        <button type="button" aria-keyshortcuts={allowKeys} disabled={!mayAllow} onClick={() => void answer("yes")}>
          Allow once <kbd>{allowKeys}</kbd>
        </button>
      </div>
      {failure === "" ? null : <p role="alert">{failure}</p>}
    </section>
  );
}

function Row({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <AppText text={text} />
      </dd>
    </div>
  );
}

/** Whether the end of a scrollable box was in view; true where there is no box. */
function useSeenToEnd<Box extends HTMLElement>(): readonly [RefObject<Box | null>, boolean] {
  const box = useRef<Box>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (current === null) return setSeen(true);
    const look = (): void => {
      if (current.scrollTop + current.clientHeight >= current.scrollHeight - 2) setSeen(true);
    };
    look();
    current.addEventListener("scroll", look);
    return () => current.removeEventListener("scroll", look);
  }, []);
  return [box, isSeen];
}

function useSecondsUntil(untilMs: number): number {
  const count = (): number => Math.max(0, Math.round((untilMs - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(count);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(count()), 1000);
    return () => clearInterval(timer);
  }, [untilMs]);
  return seconds;
}
