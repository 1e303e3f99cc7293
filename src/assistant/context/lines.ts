import { cleanLine } from "../../model/plain-text.ts";
import { nameOf, type SeenElement } from "../desk.ts";

/** What an element is called, how it is, and what is in it, as both texts tell it. */
interface Told {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly facts: readonly string[];
  readonly description: string;
}

const longestName = 160;
const longestValue = 400;

/** By the short role of the tools; roles that are not here are called by it. */
const types: Readonly<Record<string, string>> = {
  btn: "button",
  lnk: "link",
  chk: "checkbox",
  txt: "text",
  img: "image",
  sep: "separator",
  doc: "document",
  term: "terminal",
  web: "page",
  group: "container",
  scroll: "container",
  other: "container",
  app: "application",
  status: "statusbar",
  tabs: "tablist",
};

const stateWords: Readonly<Record<string, string>> = { busy: "loading", secret: "password" };
/** Said first, as in the order of the words of a page's author. */
const stateOrder = ["expanded", "collapsed"];

function tell(one: SeenElement): Told {
  const { aria, x = [], e, s, f, v, k, source, d } = one;
  const [role] = aria?.role?.split(/\s+/) ?? [];
  const name = quote(nameOf(one), longestName);
  const seen = source === "ocr" || source === "heuristic" ? ["seen in a picture: could be"] : [];
  const opening = x.filter((state) => stateOrder.includes(state));
  const others = x.filter((state) => !stateOrder.includes(state));
  const controls =
    aria?.controls === undefined ? [] : [`controls: ${aria.controls.map((id) => quote(id, longestName)).join(" ")}`];
  const facts = [
    ...opening,
    ...controls,
    ...others.map((state) => stateWords[state] ?? state),
    ...(x.includes("secret") ? ["value: ****"] : tellValue(v, name)),
    ...(s === true ? ["selected"] : []),
    ...(e === false ? ["disabled"] : []),
    ...(f === true ? ["focused"] : []),
    ...(k === undefined ? [] : [`key: ${quote(k, longestName)}`]),
    ...seen,
  ];
  const type = role !== undefined && /^[a-z-]+$/.test(role) ? role : (types[one.r] ?? one.r);
  const id = role === undefined && name === "" ? quote(aria?.id ?? "", longestName) : "";
  return { type, name, id, facts, description: quote(d ?? "", longestValue) };
}

function tellValue(value: string | undefined, name: string): readonly string[] {
  if (value === undefined || quote(value, longestValue) === name) return [];
  return [
    ["checked", "unchecked", "mixed"].includes(value) ? value : `value: ${JSON.stringify(quote(value, longestValue))}`,
  ];
}

/** One line without what could pass for another part of the context. */
function quote(text: string, longest: number): string {
  const line = cleanLine(text);
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

/** As people see it: texts as they are, everything else in brackets. */
export function screenLine(one: SeenElement): readonly string[] {
  const { type, name, id, facts, description } = tell(one);
  const more = description === "" ? [] : [`(${description})`];
  if (type === "text" && facts.length === 0) return name === "" ? [] : [name, ...more];
  const kind = `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`;
  if (name !== "") return [`[${kind}: ${name}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}]`, ...more];
  const inner = [id, ...facts].filter((part) => part !== "").join(", ");
  return [`[${kind}${inner === "" ? "" : `: ${inner}`}]`, ...more];
}

/** As a page's source would have it. */
export function treeLine(one: SeenElement): string {
  const { type, name, id, facts } = tell(one);
  const inner = [...(name === "" ? [] : [JSON.stringify(name)]), ...facts].join(", ");
  return `${type}${id === "" ? "" : `#${id}`}${inner === "" ? "" : ` [${inner}]`}`;
}

/** Whether people act on it: then a model needs its mark. */
const plainTypes: ReadonlySet<string> = new Set(["text", "heading", "image", "separator", "progress"]);

export function isPlain(one: SeenElement): boolean {
  return plainTypes.has(types[one.r] ?? one.r);
}
