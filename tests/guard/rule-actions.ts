import type { Request } from "../../src/guard/gate.ts";
import type { Command } from "../../src/model/command.ts";
import { type App, labels, type RuleDesk, secretField, secretName, textField } from "./rule-desk.ts";

/** The actions of a trial: what each is called, and what it gives to the guard. */
export const kinds = [
  ...["invoke", "click"].flatMap((way) => labels.map((label) => `${way} ${label}` as const)),
  ...(["type", "type own file", "key", "copy secret", "set-value", "drag", "front"] as const),
  ...(["quit", "terminate", "open application", "open program", "clipboard", "fill-secret"] as const),
] as const;
export type Kind = (typeof kinds)[number];

/** A text is delivered in two. */
export function partsOf(kind: Kind): number {
  return kind.startsWith("type") ? 2 : 1;
}

export const toFocus: ReadonlySet<string> = new Set<Kind>(["type", "type own file", "key", "copy secret"]);
const labelDangers: Readonly<Record<string, string | undefined>> = { Delete: "delete", Send: "send" };
const otherDangers: Readonly<Partial<Record<Kind, string>>> = {
  terminate: "end-program",
  "open program": "run-program",
  "fill-secret": "fill-secret",
};

export function dangerOf(kind: Kind): string | undefined {
  const label = labels.find((one) => kind.endsWith(one));
  return label === undefined ? otherDangers[kind] : labelDangers[label];
}

export function toolOf(kind: Kind): string {
  if (kind.startsWith("invoke") || kind.startsWith("click")) return "click";
  if (kind.startsWith("open")) return "open";
  if (toFocus.has(kind)) return "type";
  if (kind === "front") return "window";
  return kind === "terminate" ? "quit" : kind;
}

export function toRequest(desk: RuleDesk, kind: Kind, app: App): Request {
  const names: Partial<Record<Kind, string>> = {
    "copy secret": secretField,
    "fill-secret": secretField,
    "set-value": textField,
    drag: textField,
  };
  const name = labels.find((one) => kind.endsWith(one)) ?? names[kind];
  const hasNoWindow = kind === "clipboard" || kind.startsWith("open");
  return {
    tool: toolOf(kind),
    window: hasNoWindow ? undefined : desk.windowOf(app),
    element: name === undefined ? undefined : desk.find(app, name),
  };
}

export function toCommand(desk: RuleDesk, kind: Kind, app: App, onto: App): Command {
  const label = labels.find((one) => kind.endsWith(one));
  const window = desk.windowOf(app);
  if (label !== undefined) {
    const element = desk.find(app, label);
    const point = element.clickPoint ?? { x: 0, y: 0 };
    return kind.startsWith("invoke")
      ? { kind: "invoke", element, action: "press" }
      : { kind: "click", point, button: "left", count: 1 };
  }
  const opener = { what: app, args: [], words: app, command: [`/usr/bin/${app}`], names: [app] };
  const pointIn = (one: App) => desk.find(one, textField).clickPoint ?? { x: 0, y: 0 };
  switch (kind) {
    case "type":
      return { kind: "type", text: "hello", delayMs: 0 };
    case "type own file":
      return { kind: "type", text: "/home/me/.config/deskmap/policy.json", delayMs: 0 };
    case "copy secret":
      return { kind: "keys", combo: { modifiers: ["ctrl"], key: "c" } };
    case "set-value":
      return { kind: "set-text", element: desk.find(app, textField), text: "hello" };
    case "drag":
      return { kind: "drag", from: pointIn(app), to: pointIn(onto), button: "left" };
    case "front":
      return { kind: "window", window, operation: { name: "front" } };
    case "quit":
      return { kind: "quit", windows: [window], pid: window.pid };
    case "terminate":
      return { kind: "terminate", window };
    case "open application":
      return { kind: "open", opener: { ...opener, kind: "application" } };
    case "open program":
      return { kind: "open", opener: { ...opener, kind: "program" } };
    case "clipboard":
      return { kind: "write-clipboard", text: "hello", selection: "clipboard" };
    case "fill-secret":
      return { kind: "fill-secret", element: desk.find(app, secretField), secret: secretName, by: "text" };
    default:
      return { kind: "keys", combo: { modifiers: [], key: "a" } };
  }
}
