import { isRole, shortRole } from "../src/model/role.ts";

/** Who allowed something, as the log names it, in words. */
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

/** Who it was: the log has an answer under the name of who asked. */
export function nameActor({ what, client, effect, approval }: LoggedBy): string {
  if (what !== "answer") return client;
  if (approval !== undefined) return nameApprover(approval);
  return effect === "denied" ? "a person" : "nobody";
}

const deeds: Readonly<Record<string, string>> = {
  ask: "asks to",
  answer: "answers",
  refused: "wanted to",
  stop: "stops everything",
  resume: "lets everything go on",
  allow: "allows for a time:",
  policy: "changes what holds:",
  look: "looks:",
};

/** What was done, by the log's word for it; nothing for an action, whose tool says it. */
export function nameCommand(what: string): string {
  return deeds[what] ?? (what === "action" ? "" : `${what}:`);
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

/** A control in words; what an application wrote stands in quotes. */
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

/** What is done to what, in one line: the same for what the log tells and for what was told as it happened. */
export function nameAction({ tool, words, role, name, mark, app, window }: Done): string {
  // What is more than the name of the tool and the control, such as keys or the length of a text, only the words say.
  const short = isRole(role) ? shortRole(role) : role;
  const plain = [`${tool}, by its action `, `${tool} ${short} `];
  const isPlain = role !== "" && (words === "" || plain.some((start) => words.startsWith(start)));
  if (!isPlain && words !== "") return words;
  const where = [app, window === "" ? "" : JSON.stringify(window)].filter((one) => one !== "").join(", ");
  return `${tool}${role === "" ? "" : ` the ${nameControl({ role, name, mark })}`}${where === "" ? "" : ` in ${where}`}`;
}

/** A moment, the same way everywhere: with its day where that is not today. */
export function showMoment(at: number | string): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, "0");
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  if (date.toDateString() === new Date().toDateString()) return time;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}
