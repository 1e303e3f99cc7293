import type { Bounds } from "../../model/bounds.ts";
import type { Description } from "./description.ts";

/** One question of a file: which candidate is the control that the ref describes? */
export interface Case {
  readonly ref: Description;
  readonly candidates: readonly Description[];
  /** The name of each candidate in the answer: its `key`, else its index. */
  readonly keys: readonly (string | number)[];
  /** The right answer if the file gives it: a key, or null if no candidate is right. */
  readonly answer: string | number | null | undefined;
}

type Given = Readonly<Record<string, unknown>>;

/** Accepted synonyms of each field. */
const textFields = {
  app: ["app", "application"],
  window: ["window", "windowTitle", "window_title"],
  role: ["role"],
  tag: ["tag", "tagName", "tag_name"],
  name: ["name", "label", "accessibleName", "accessible_name"],
  text: ["text", "visibleText", "visible_text", "innerText"],
  id: ["id", "platformId", "automationId", "automation_id", "accessibilityId", "accessibility_id", "domId"],
  class: ["class", "className", "classes"],
  href: ["href", "url"],
  xpath: ["xpath", "absoluteXPath", "xPath"],
} satisfies Partial<Record<keyof Description, readonly string[]>>;
const listFields: Readonly<Record<"path" | "neighbours", readonly string[]>> = {
  path: ["path", "containers", "container_path", "containerPath"],
  neighbours: ["neighbours", "neighbors", "neighbour_texts", "neighbor_text", "neighborTexts", "owner"],
};
/** Fields that do not identify a control, or only while its application runs. */
const leftOut = "key value states enabled focused confidence runtimeId handle life source space hasTwin windows".split(
  " ",
);
const known = new Set([
  ...Object.values(textFields).flat(),
  ...Object.values(listFields).flat(),
  ...["bounds", "rect", "bbox", "position", "location", "x", "y", "width", "height"],
  ...leftOut,
  ...["attributes", "sisters", "index", "count", "twins"],
]);

/** Parses one line. Returns a string if the line is invalid. */
export function readCase(line: string): Case | string {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch (error) {
    return `it is not JSON (${error instanceof Error ? error.message : String(error)})`;
  }
  if (!isObject(given)) return "it is not an object";
  const { ref, candidates, answer } = given;
  if (!isObject(ref)) return 'it has no "ref", the description of the control that is sought';
  if (!Array.isArray(candidates)) return 'it has no "candidates", the list of those that are there';
  const wrong = candidates.findIndex((candidate) => !isObject(candidate));
  if (wrong >= 0) return `candidate ${wrong} is not an object`;
  const list: Given[] = candidates.filter(isObject);
  const keys = list.map(({ key }, place) => (typeof key === "string" || typeof key === "number" ? key : place));
  const keyed = list.filter(({ key }) => key !== undefined).length;
  if (keyed !== 0 && keyed !== list.length) return "some candidates have a key and some have none";
  if (new Set(keys).size < keys.length) return "two candidates have the same key";
  if (answer !== undefined && answer !== null && !keys.some((key) => key === answer)) {
    return `its answer ${JSON.stringify(answer)} is the key of no candidate`;
  }
  return {
    ref: readDescription(ref),
    candidates: list.map(readDescription),
    keys,
    answer: answer === null || typeof answer === "string" || typeof answer === "number" ? answer : undefined,
  };
}

function isObject(given: unknown): given is Given {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}

function readDescription(given: Given): Description {
  const text = (names: readonly string[]): string | undefined => names.map((name) => toText(given[name])).find(Boolean);
  const list = (names: readonly string[]): string[] | undefined =>
    names.map((name) => toList(given[name])).find((one) => one !== undefined);
  const others = Object.entries(given).filter(([name]) => !known.has(name));
  const attributes = [...others, ...Object.entries(isObject(given.attributes) ? given.attributes : {})].flatMap(
    ([name, value]) => (toText(value) === undefined ? [] : [[name, toText(value)]]),
  );
  const windows = Array.isArray(given.windows) ? toText(given.windows[0]) : undefined;
  return {
    ...Object.fromEntries(Object.entries(textFields).map(([field, names]) => [field, text(names)])),
    ...(windows === undefined ? {} : { window: windows }),
    path: list(listFields.path),
    neighbours: list(listFields.neighbours),
    sisters: readSisters(given.sisters),
    index: toNumber(given.index),
    count: toNumber(given.count),
    twins: toNumber(given.twins),
    bounds: readBounds(given),
    attributes: Object.fromEntries(attributes),
  };
}

function toText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return toText(value.filter((one) => typeof one === "string").join(" "));
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A list of texts, or of path steps as in a ref. */
function toList(value: unknown): string[] | undefined {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((one) => {
    if (!isObject(one)) return toText(one) ?? [];
    const { role, name, index, count } = one;
    return [`${toText(role) ?? ""} ${toText(name) ?? ""}${Number(count) > 1 ? ` ${toText(index)}` : ""}`];
  });
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

function readSisters(value: unknown): Description["sisters"] {
  return Array.isArray(value) && value.length === 2 ? [toText(value[0]) ?? "", toText(value[1]) ?? ""] : undefined;
}

const boundsNames = ["bounds", "rect", "bbox", "position", "location"];

/** {x, y, width, height}, here or nested; [left, top, right, bottom]; {x, y}, [x, y] or "x,y" for a point. */
function readBounds(given: Given): Bounds | undefined {
  const inner = boundsNames.map((name) => given[name]).find((one) => isObject(one) || toNumbers(one) !== undefined);
  const [left, top, right, bottom] = toNumbers(inner) ?? [];
  if (left !== undefined && top !== undefined && right !== undefined && bottom !== undefined) {
    return { x: left, y: top, width: right - left, height: bottom - top };
  }
  const from: Given = isObject(inner) ? inner : given;
  const [x, y] = [left ?? toNumber(from.x), top ?? toNumber(from.y)];
  if (x === undefined || y === undefined) return undefined;
  const [width, height] = [
    toNumber(from.width) ?? toNumber(given.width),
    toNumber(from.height) ?? toNumber(given.height),
  ];
  return { x, y, width: width ?? 1, height: height ?? 1 };
}

/** Two or four numbers, as a list or as text. */
function toNumbers(value: unknown): number[] | undefined {
  const list = typeof value === "string" && /^-?[\d.]+,\s*-?[\d.]+$/.test(value) ? value.split(",").map(Number) : value;
  if (!Array.isArray(list) || (list.length !== 2 && list.length !== 4)) return undefined;
  const numbers = list.flatMap((one) => toNumber(one) ?? []);
  return numbers.length === list.length ? numbers : undefined;
}
