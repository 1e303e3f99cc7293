import type { RecordedAction } from "../../src/model/demo.ts";

/** An action of an agent in a form of GTK, as a host reports it. */
export function makeAction(own: Partial<RecordedAction> = {}): RecordedAction {
  return {
    n: 1,
    atMs: 1_790_000_000_000,
    tookMs: 80,
    by: "agent",
    client: "claude",
    tool: "click",
    aim: "control",
    input: {},
    ref: {
      role: "button",
      name: "Save",
      app: "form",
      window: "Form",
      bbox: [10, 20, 110, 50],
      container_path: ["Form", "Buttons"],
      automation_id: "save",
      source: "a11y",
    },
    evidence: [
      { by: "id", matches: 1 },
      { by: "role+name", matches: 1 },
      { by: "ref", matches: 1 },
    ],
    point: { x: 60, y: 35 },
    app: "form",
    window: "Form",
    effect: { verdict: "confirmed", way: "action click" },
    ...own,
  };
}

export function makeField(name: string, text: string, own: Partial<RecordedAction> = {}): RecordedAction {
  return makeAction({
    tool: "set-value",
    input: { text },
    ref: { role: "input", name, app: "form", window: "Form", bbox: [10, 60, 210, 90] },
    effect: {
      verdict: "confirmed",
      way: "editable text",
      changed: [{ role: "input", name, what: "value", after: text }],
    },
    ...own,
  });
}
