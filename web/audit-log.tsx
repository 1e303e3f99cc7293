import type { TargetedSubmitEvent } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import type { AuditQuery, LogRow, Verified } from "../src/inspector/activity.ts";
import { AppText } from "./app-text.tsx";
import { describeEffect } from "./effect-words.ts";
import { nameActor, nameApprover, nameCommand, nameControl, showMoment } from "./log-words.ts";
import { rpc } from "./state.ts";

/** Shows the audit log a page at a time, and verifies it. */
export function AuditLog() {
  return (
    <details class="log-part">
      <summary>
        <h2>Log</h2>
      </summary>
      <Verification />
      <Entries />
    </details>
  );
}

type Filter = Pick<AuditQuery, "client" | "app" | "tool">;

function Entries() {
  const [filter, setFilter] = useState<Filter>({});
  const [rows, setRows] = useState<readonly LogRow[] | undefined>(undefined);
  const [hasOlder, setOlder] = useState(false);
  const [lines, setLines] = useState(0);
  const [failure, setFailure] = useState("");
  const load = async (query: Filter, known: readonly LogRow[]): Promise<void> => {
    const page = await rpc.call("activity.audit", { ...query, before: known.at(-1)?.n });
    setFailure(page.ok ? "" : page.failure.message);
    if (!page.ok) return;
    setRows([...known, ...page.value.rows]);
    setOlder(page.value.hasOlder);
    setLines(page.value.lines);
  };
  const find = (query: Filter): void => {
    setFilter(query);
    void load(query, []);
  };
  return (
    <>
      <FilterForm onFind={find} />
      {failure === "" ? null : <p role="alert">{failure}</p>}
      {rows === undefined ? null : (
        <>
          <p role="status" class="quiet">
            {rows.length === 0
              ? "No entry matches."
              : `${rows.length} shown, ${hasOlder ? "the newest" : "all matches"}; the log has ${lines} lines, two for each action.`}
          </p>
          <ol class="log" aria-label="Lines of the log, newest first">
            {rows.map((row) => (
              <li key={row.n}>
                <Entry row={row} />
              </li>
            ))}
          </ol>
          {!hasOlder ? null : (
            <button type="button" onClick={() => void load(filter, rows)}>
              Show older
            </button>
          )}
        </>
      )}
    </>
  );
}

function FilterForm({ onFind }: { onFind(filter: Filter): void }) {
  const [client, setClient] = useState("");
  const [app, setApp] = useState("");
  const [tool, setTool] = useState("");
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onFind({ client: client || undefined, app: app || undefined, tool: tool || undefined });
  };
  return (
    <form class="bar" onSubmit={submit} aria-label="Find in the log">
      <Field label="Client" value={client} onChange={setClient} />
      <Field label="Application" value={app} onChange={setApp} />
      <Field label="Tool" value={tool} onChange={setTool} />
      <button type="submit">Show</button>
    </form>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}

function Field({ label, value, onChange }: FieldProps) {
  const id = useId();
  return (
    <span class="field">
      <label for={id}>{label}</label>
      <input id={id} size={12} value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    </span>
  );
}

function Entry({ row }: { readonly row: LogRow }) {
  const { n, at, what, tool, app, window, mark, role, name = "", way, effect, approval, typedLength, words } = row;
  const parts = [
    nameCommand(what),
    tool ?? "",
    role === undefined ? "" : `the ${nameControl({ role, name, mark })}`,
    app === undefined ? "" : `in ${app}`,
    window === undefined ? "" : JSON.stringify(window),
    typedLength === undefined ? "" : `${typedLength} characters`,
    words ?? "",
    way === undefined ? "" : `by ${way}`,
    approval === undefined || what === "answer" ? "" : `allowed by ${nameApprover(approval)}`,
  ].filter((part) => part !== "");
  return (
    <>
      <span class="quiet">{n}</span> <time dateTime={at}>{showMoment(at)}</time>{" "}
      <strong>
        <AppText text={nameActor(row)} />
      </strong>{" "}
      <AppText text={parts.join(" ")} />
      {effect === undefined ? "" : ` → ${describeEffect({ what, effect }).word}`}
    </>
  );
}

type Check =
  | { readonly state: "none" }
  | { readonly state: "running"; readonly done: number; readonly total: number }
  | { readonly state: "failed"; readonly message: string }
  | { readonly state: "over"; readonly verified: Verified };

function Verification() {
  const [check, setCheck] = useState<Check>({ state: "none" });
  useEffect(
    () =>
      rpc.on("activity.verifying", (progress) =>
        setCheck((before) => (before.state === "running" ? { state: "running", ...progress } : before)),
      ),
    [],
  );
  const verify = async (): Promise<void> => {
    setCheck({ state: "running", done: 0, total: 0 });
    const done = await rpc.call("activity.verify", {});
    setCheck(done.ok ? { state: "over", verified: done.value } : { state: "failed", message: done.failure.message });
  };
  return (
    <div class="verification">
      <button type="button" disabled={check.state === "running"} onClick={() => void verify()}>
        Verify the log
      </button>
      {check.state === "running" ? (
        <progress aria-label="Progress of the verification" max={Math.max(check.total, 1)} value={check.done} />
      ) : null}
      <div role="status">
        {check.state === "failed" ? <p>{check.message}</p> : null}
        {check.state === "over" ? <Findings verified={check.verified} /> : null}
      </div>
    </div>
  );
}

function Findings({ verified }: { readonly verified: Verified }) {
  const { isWhole, lines, findings, findingCount, notes } = verified;
  const more = findingCount - findings.length;
  return (
    <>
      <p class={`verdict ${isWhole ? "good" : "bad"}`}>
        <span aria-hidden="true">{isWhole ? "✓" : "✗"}</span>{" "}
        {isWhole
          ? `${lines} lines: every one is as it was written, and none is missing.`
          : `${lines} lines: the log is NOT as it was written.`}
      </p>
      <ul aria-label="Findings">
        {findings.map(({ file, line, text }) => (
          <li key={`${file}:${line}:${text}`}>
            {line === 0 ? file : `${file}:${line}`}: {text}
          </li>
        ))}
        {more > 0 ? <li>… and {more} more</li> : null}
        {notes.map((note) => (
          <li key={note}>Note: {note}</li>
        ))}
      </ul>
    </>
  );
}
