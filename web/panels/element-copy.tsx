import { useState } from "preact/hooks";
import { type Copied, writeCommand, writeMarkLine, writeMcpCall, writeWordsLine } from "../../src/inspector/copies.ts";
import type { ElementDetail } from "../../src/inspector/element.ts";
import { listTrials } from "../../src/inspector/trials.ts";
import { announce } from "../state.ts";

const nothingKnown = { patterns: [], platformActions: [], states: [] };

/** The same action as a command, an MCP call and a line of TypeScript. */
export function ElementCopy({ detail }: { readonly detail: ElementDetail }) {
  const trials = listTrials(detail.now ?? nothingKnown);
  const [chosen, setChosen] = useState("");
  const [text, setText] = useState("text");
  const trial = trials.find(({ key }) => key === chosen) ?? trials[0];
  if (trial === undefined) return null;
  const copied: Copied = { detail, trial, text };
  const rows = [
    ["Command", writeCommand(copied)],
    ["MCP call", writeMcpCall(copied)],
    ["TypeScript", writeWordsLine(copied)],
    ["TypeScript, by mark", writeMarkLine(copied)],
  ] as const;
  return (
    <section aria-labelledby="element-copy">
      <h3 id="element-copy">Copy</h3>
      <div class="row">
        <label class="field">
          <span>What it does</span>
          <select value={trial.key} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {trials.map(({ key, label, pattern }) => (
              <option key={key} value={key}>
                {pattern === "own action" ? `action ${label}` : label}
              </option>
            ))}
          </select>
        </label>
        {trial.takes === undefined ? null : (
          <label class="field">
            <span>Text to copy with it</span>
            <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} autocomplete="off" />
          </label>
        )}
      </div>
      {rows.map(([label, code]) => (code === undefined ? null : <CopyRow key={label} label={label} code={code} />))}
    </section>
  );
}

function CopyRow({ label, code }: { readonly label: string; readonly code: string }) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(code);
      announce(`${label} copied`);
    } catch {
      // The browser may deny access to the clipboard; the text can be selected instead.
      announce(`${label} could not be copied: select it`);
    }
  };
  return (
    <div class="copy">
      <span class="copy-label">{label}</span>
      <code>{code}</code>
      <button type="button" onClick={() => void copy()} aria-label={`Copy ${label}`}>
        Copy
      </button>
    </div>
  );
}
