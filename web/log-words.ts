import { isRole, shortRole } from "../src/model/role.ts";

/** Describes who gave an approval of the log. */
export function nameApprover(approval: string): string {
  const surface = /^(deskmap \S+), process \d+, request \S+$/.exec(approval)?.[1];
  if (surface !== undefined) return `a person, in ${surface}`;
  if (approval.startsWith("deskmap allow")) return `a person, with ${approval}`;
  return approval.startsWith("the terminal") ? `a person, in ${approval}` : approval;
}

interface LoggedBy {
  readonly what: string;
  readonly client: string;
  readonly effect?: string | undefined;
  readonly approval?: string | undefined;
}

/** Who acted. The log lists an answer under the client that asked. */
export function nameActor({ what, client, effect, approval }: LoggedBy): string {
  if (what !== "answer") return client;
  if (approval !== undefined) return nameApprover(approval);
  return effect === "denied" ? "a person" : "nobody";
}

const verbs: Readonly<Record<string, string>> = {
  ask: "asks to",
  answer: "answers",
  refused: "wanted to",
  stop: "stops everything",
  resume: "resumes everything",
  allow: "allows for a time:",
  policy: "changes the policy:",
  look: "looks:",
};

/** The verb for a kind of log entry; empty for an action, which its tool describes. */
export function nameCommand(what: string): string {
  return verbs[what] ?? (what === "action" ? "" : `${what}:`);
}

const roleWords: Readonly<Record<string, string>> = {
  toggle: "toggle button",
  checkbox: "check box",
  radio: "radio button",
  select: "combo box",
  spin: "spin button",
  menuitem: "menu item",
  treeitem: "tree item",
  input: "field",
  color: "colour button",
};

interface Target {
  readonly role: string;
  readonly name: string;
  readonly mark?: number | undefined;
}

/** Describes a control; text of the application is quoted. */
export function nameControl({ role, name, mark }: Target): string {
  const word = roleWords[role] ?? role;
  const quoted = name === "" ? "" : ` ${JSON.stringify(name)}`;
  return `${word}${quoted}${mark === undefined ? "" : ` (${mark})`}`;
}

interface Done extends Target {
  readonly tool: string;
  readonly words: string;
  readonly app: string;
  readonly window: string;
}

/** Describes an action in one line, in the same way for log entries and live reports. */
export function nameAction({ tool, words, role, name, mark, app, window }: Done): string {
  // Only the words have more than the tool and the control, such as keys or the length of a text.
  const short = isRole(role) ? shortRole(role) : role;
  const plain = [`${tool}, by its action `, `${tool} ${short} `];
  const isPlain = role !== "" && (words === "" || plain.some((start) => words.startsWith(start)));
  if (!isPlain && words !== "") return words;
  const where = [app, window === "" ? "" : JSON.stringify(window)].filter((one) => one !== "").join(", ");
  return `${tool}${role === "" ? "" : ` the ${nameControl({ role, name, mark })}`}${where === "" ? "" : ` in ${where}`}`;
}

/** Formats a time, with its date unless that is today. */
export function showMoment(at: number | string): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, "0");
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  if (date.toDateString() === new Date().toDateString()) return time;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}
