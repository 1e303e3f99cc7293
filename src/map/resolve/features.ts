import type { Bounds } from "../../model/bounds.ts";
import type { Description } from "./description.ts";
import {
  compareAddresses,
  comparePlaces,
  compareSequences,
  compareSets,
  compareSizes,
  compareTexts,
  makePreparedText,
  normaliseText,
  type PreparedText,
  splitWords,
} from "./similarity.ts";

/** How two descriptions agree in one feature. lost: only the ref has it; gained: only the candidate; neither: none. */
export const levels = ["same", "close", "near", "far", "lost", "gained", "neither"] as const;
export type Level = (typeof levels)[number];

export interface Feature {
  readonly name: string;
  /** What the feature describes: the control itself, its kind, what is beside it, what contains it, or only its position. */
  readonly about: "self" | "kind" | "beside" | "around" | "order";
  /** Below 1 if the feature partly repeats another. */
  readonly weight: number;
  /** How often each level occurs for a control that is still the same. */
  readonly usual: Readonly<Record<Level, number>>;
  /** How often it occurs for another control: a prior, used before any are seen. */
  readonly chance: Readonly<Record<Level, number>>;
  compare(ref: Description, candidate: Description): Level;
}

type Shares = readonly [same: number, close: number, near: number, far: number, lost: number];

/** `usual` and `chance` are those of Feature, measured on applications and pages that changed. */
const rates = {
  id: ["self", 1, [0.77, 0.01, 0.03, 0.04, 0.15], [0.0005, 0.01, 0.05, 0.7395, 0.2]],
  "made-up id": ["self", 0.8, [0.4, 0.01, 0.19, 0.25, 0.15], [0.002, 0.01, 0.2, 0.588, 0.2]],
  name: ["self", 1, [0.88, 0.04, 0.035, 0.035, 0.01], [0.009, 0.03, 0.08, 0.681, 0.2]],
  text: ["self", 0.6, [0.8, 0.08, 0.05, 0.06, 0.01], [0.02, 0.03, 0.08, 0.67, 0.2]],
  role: ["kind", 1, [0.97, 0.001, 0.001, 0.027, 0.001], [0.3, 0.001, 0.001, 0.697, 0.001]],
  tag: ["kind", 1, [0.94, 0.045, 0.001, 0.013, 0.001], [0.3, 0.05, 0.001, 0.648, 0.001]],
  address: ["self", 1, [0.62, 0.16, 0.12, 0.09, 0.01], [0.05, 0.08, 0.1, 0.57, 0.2]],
  class: ["kind", 0.6, [0.5, 0.1, 0.1, 0.15, 0.15], [0.15, 0.05, 0.1, 0.5, 0.2]],
  attributes: ["self", 0.8, [0.65, 0.08, 0.08, 0.07, 0.12], [0.06, 0.07, 0.15, 0.55, 0.2]],
  neighbours: ["beside", 0.8, [0.45, 0.11, 0.19, 0.22, 0.03], [0.02, 0.05, 0.1, 0.63, 0.2]],
  siblings: ["self", 1, [0.98, 0.001, 0.001, 0.00001, 0.001], [0.98, 0.001, 0.001, 0.2, 0.001]],
  sisters: ["beside", 1, [0.63, 0.001, 0.21, 0.15, 0.009], [0.02, 0.001, 0.1, 0.779, 0.1]],
  containers: ["around", 0.8, [0.7, 0.12, 0.08, 0.09, 0.01], [0.15, 0.15, 0.3, 0.35, 0.05]],
  steps: ["around", 0.5, [0.6, 0.2, 0.12, 0.07, 0.01], [0.1, 0.2, 0.4, 0.25, 0.05]],
  window: ["around", 0.5, [0.85, 0.05, 0.04, 0.05, 0.01], [0.4, 0.1, 0.1, 0.35, 0.05]],
  application: ["around", 1, [0.985, 0.004, 0.004, 0.006, 0.001], [0.4, 0.05, 0.05, 0.45, 0.05]],
  size: ["order", 0.5, [0.45, 0.35, 0.14, 0.05, 0.01], [0.1, 0.15, 0.2, 0.5, 0.05]],
  place: ["order", 0.6, [0.3, 0.3, 0.25, 0.14, 0.01], [0.01, 0.04, 0.15, 0.75, 0.05]],
  xpath: ["order", 0.5, [0.43, 0.17, 0.35, 0.04, 0.01], [0.01, 0.1, 0.4, 0.44, 0.05]],
  index: ["order", 0.7, [0.85, 0.001, 0.001, 0.14, 0.008], [0.2, 0.001, 0.001, 0.5, 0.298]],
} as const satisfies Record<string, readonly [Feature["about"], weight: number, usual: Shares, chance: Shares]>;

function makeFeature<Value>(
  name: keyof typeof rates,
  read: (description: Description) => Value | undefined,
  similarity: (ref: Value, candidate: Value) => number,
): Feature {
  const [about, weight, usual, chance] = rates[name];
  // Descriptions are immutable and compared many times.
  const known = new WeakMap<Description, { readonly value: Value | undefined }>();
  const recall = (description: Description): Value | undefined => {
    const kept = known.get(description) ?? { value: read(description) };
    known.set(description, kept);
    return kept.value;
  };
  return {
    name,
    about,
    weight,
    usual: toRecord(usual),
    chance: toRecord(chance),
    compare(ref, candidate) {
      const [sought, offered] = [recall(ref), recall(candidate)];
      if (sought === undefined) return offered === undefined ? "neither" : "gained";
      return offered === undefined ? "lost" : toLevel(similarity(sought, offered));
    },
  };
}

/** A feature that only the candidate has, or that both lack, is no evidence: its rates are the same for every control. */
function toRecord([same, close, near, far, lost]: Shares): Record<Level, number> {
  return { same, close, near, far, lost, gained: 0.05, neither: 0.95 };
}

function toLevel(similarity: number): Level {
  if (similarity >= 0.98) return "same";
  if (similarity >= 0.75) return "close";
  return similarity >= 0.4 ? "near" : "far";
}

const isEqual = (one: string, other: string): number => (one === other ? 1 : 0);
const filled = (text: string | undefined): string | undefined => (text === undefined || text === "" ? undefined : text);

/** A heading of another level is still a heading. */
function compareTags(one: string, other: string): number {
  if (one === other) return 1;
  return [one, other].every((tag) => /^h[1-6]$/i.test(tag)) ? 0.8 : 0;
}

/** Digits and hashes in an id are mostly generated; without them it may still be the same. */
function compareIds(one: string, other: string): number {
  if (one === other) return 1;
  const [a, b] = [one, other].map((id) => id.replace(/[\d_:-]+/g, ""));
  return a === b && a !== undefined && a.length > 3 ? 0.5 : 0;
}

const generatedId = /\d{4,}|[0-9a-f]{8,}|^[:_]?r\d|^ember|^radix|^:/i;

function idOf(description: Description): string | undefined {
  const { attributes = {} } = description;
  const own = attributes["data-testid"] ?? attributes["data-test"] ?? attributes["data-qa"] ?? description.id;
  return filled(own);
}

function labelOf({ name, text }: Description): string | undefined {
  return filled(name) ?? filled(text);
}

function distinctTextOf({ name, text }: Description): string | undefined {
  return filled(name) === undefined || name === text ? undefined : filled(text);
}

function splitXpath(xpath: string): string[] {
  return xpath.split("/").filter((step) => step !== "");
}

function stripIndexes(xpath: string): string[] {
  return splitXpath(xpath).map((step) => step.replace(/\[\d+\]$/, ""));
}

/** Attributes that act as an id; all others form one feature. */
const ownAttributes = new Set(["data-testid", "data-test", "data-qa"]);

function listAttributes({ attributes = {} }: Description): ReadonlySet<string> | undefined {
  const list = Object.entries(attributes).filter(([name, value]) => !ownAttributes.has(name) && value !== "");
  return list.length === 0 ? undefined : new Set(list.map(([name, value]) => `${name}=${value}`));
}

/**
 * The features that distinguish controls. `usual` is how often a control that is still the same agrees after its
 * application changed; how often another control agrees is counted among the candidates themselves.
 */
export const features: readonly Feature[] = [
  makeFeature("id", (one) => filterId(idOf(one), false), compareIds),
  makeFeature("made-up id", (one) => filterId(idOf(one), true), compareIds),
  makeFeature("name", (one) => prepareText(labelOf(one)), compareTexts),
  makeFeature("text", (one) => prepareText(distinctTextOf(one)), compareTexts),
  makeFeature("role", (one) => filled(one.role), isEqual),
  makeFeature("tag", (one) => filled(one.tag), compareTags),
  makeFeature("address", (one) => filled(one.href), compareAddresses),
  makeFeature("class", listClasses, compareSets),
  makeFeature("attributes", listAttributes, compareSets),
  makeFeature("neighbours", listNeighbours, compareSets),
  makeFeature("siblings", readSiblings, compareSiblings),
  makeFeature("sisters", readSisters, compareSisters),
  makeFeature("containers", (one) => one.path, compareSequences),
  makeFeature("steps", (one) => readXpath(one, stripIndexes), compareSequences),
  makeFeature("window", (one) => prepareText(filled(one.window)), compareTexts),
  makeFeature("application", (one) => filled(one.app), isEqual),
  makeFeature("size", readBounds, compareSizes),
  makeFeature("place", readBounds, comparePlaces),
  makeFeature("xpath", (one) => readXpath(one, splitXpath), compareSequences),
  makeFeature("index", readIndex, isEqual),
];

function prepareText(text: string | undefined): PreparedText | undefined {
  return text === undefined ? undefined : makePreparedText(text);
}

function filterId(id: string | undefined, isGenerated: boolean): string | undefined {
  return id !== undefined && generatedId.test(id) === isGenerated ? id : undefined;
}

function listNeighbours({ neighbours = [] }: Description): ReadonlySet<string> | undefined {
  const words = neighbours.flatMap(splitWords);
  return words.length === 0 ? undefined : new Set(words);
}

interface Siblings {
  readonly label: string;
  readonly beside: readonly string[];
}

function readSiblings(description: Description): Siblings {
  const beside = [...(description.neighbours ?? []), ...(description.sisters ?? [])];
  return { label: normaliseText(labelOf(description) ?? ""), beside: beside.map(normaliseText) };
}

/** A name that was beside the control belongs to another one, and so does one that has the control's name beside it. */
function compareSiblings(one: Siblings, other: Siblings): number {
  if (one.label === other.label || one.label === "" || other.label === "") return 1;
  return one.beside.includes(other.label) || other.beside.includes(one.label) ? 0 : 1;
}

type Sisters = readonly [before: string, after: string];

function readSisters({ sisters }: Description): Sisters | undefined {
  return sisters === undefined || sisters.every((name) => name === "") ? undefined : sisters;
}

function compareSisters(one: Sisters, other: Sisters): number {
  const same = one.filter((name, side) => name !== "" && name === other[side]).length;
  return one[0] === other[0] && one[1] === other[1] ? 1 : same / 2;
}

function listClasses(description: Description): ReadonlySet<string> | undefined {
  const classes = filled(description.class);
  return classes === undefined ? undefined : new Set(classes.split(/\s+/));
}

function readXpath({ xpath }: Description, split: (xpath: string) => string[]): string[] | undefined {
  return xpath === undefined || xpath === "" ? undefined : split(xpath);
}

/** Hidden elements have no position. */
function readBounds({ bounds }: Description): Bounds | undefined {
  return bounds === undefined || bounds.width <= 0 || bounds.height <= 0 ? undefined : bounds;
}

function readIndex({ index, count }: Description): string | undefined {
  return index === undefined || count === undefined || count < 2 ? undefined : `${index}/${count}`;
}
