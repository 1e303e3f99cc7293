import type { Bounds } from "../model/bounds.ts";
import { toLocal } from "../model/coordinates.ts";
import type { DemoEvidence, DemoRef } from "../model/demo-ref.ts";
import type { SingleElement } from "../model/element.ts";
import type { Ref, Step } from "../model/ref.ts";
import { isSeenSource } from "../model/source.ts";
import type { Window } from "../model/window.ts";
import type { Description } from "./resolve/description.ts";
import { resolve } from "./resolve/resolve.ts";

const maxNameLength = 200;
const maxStepLength = 80;
/** The innermost tell most. */
const maxSteps = 10;

/** The ref of an element as a demo has it: without objects, with places on the screen, and short. */
export function toPortable(ref: Ref, element: SingleElement, window: Window): DemoRef {
  const { states, source, certainty } = element;
  return {
    role: ref.role,
    ...(ref.name === "" ? {} : { name: showName(ref) }),
    app: ref.app,
    ...(window.title === "" ? {} : { window: cut(window.title, maxNameLength) }),
    ...(element.bounds === undefined ? {} : { bbox: toBox(element.bounds), window_bbox: toBox(window.bounds) }),
    ...(ref.path.length === 0 ? {} : { container_path: listSteps(ref.path) }),
    enabled: !states.has("disabled"),
    ...(states.has("focused") ? { focused: true } : {}),
    ...(idOf(ref) === "" ? {} : { accessibility_id: cut(idOf(ref), maxNameLength) }),
    ...(certainty !== undefined && isSeenSource(source) ? { confidence: certainty } : {}),
    source,
    ...(ref.owner === "" ? {} : { neighbours: [cut(ref.owner, maxStepLength)] }),
    ...(ref.sisters.every((name) => name === "") ? {} : { sisters: ref.sisters }),
    ...(ref.count > 1 ? { index: ref.index, count: ref.count } : {}),
    twins: ref.twins,
  };
}

/** What the resolver compares of it. A place without that of its window is no evidence: the window may have moved. */
export function describePortable(ref: DemoRef): Description {
  const { bbox, window_bbox: around } = ref;
  return {
    app: ref.app,
    window: ref.window,
    role: ref.role,
    name: ref.name,
    id: ref.automation_id ?? ref.accessibility_id,
    path: ref.container_path,
    neighbours: ref.neighbours,
    sisters: ref.sisters,
    index: ref.index,
    count: ref.count,
    twins: ref.twins,
    bounds: bbox && around && toLocal(toBounds(bbox), { x: around[0], y: around[1] }),
  };
}

/** An element that a portable ref may mean, in the same terms. */
export function describeCandidate(ref: Ref, title: string): Description {
  return {
    app: ref.app,
    window: cut(title, maxNameLength),
    role: ref.role,
    name: showName(ref),
    id: cut(idOf(ref), maxNameLength),
    path: listSteps(ref.path),
    neighbours: ref.owner === "" ? [] : [cut(ref.owner, maxStepLength)],
    sisters: ref.sisters,
    index: ref.index,
    count: ref.count,
    twins: ref.twins,
    bounds: ref.bounds,
  };
}

/** Counts what each way of finding an element finds among all of them. Names that are absent are no way. */
export function countMatches(own: Ref, all: readonly Ref[]): DemoEvidence[] {
  const count = (by: DemoEvidence["by"], isOne: (ref: Ref) => boolean): DemoEvidence => ({
    by,
    matches: all.filter(isOne).length,
  });
  const around = showStep(own.path.at(-1));
  const alike = all.filter(({ role, name }) => role === own.role && name === own.name);
  const named: readonly DemoEvidence[] =
    own.name === ""
      ? []
      : [
          { by: "role+name", matches: alike.length },
          count("name", ({ name }) => name === own.name),
          { by: "role+name+container", matches: alike.filter(({ path }) => showStep(path.at(-1)) === around).length },
        ];
  return [
    ...(idOf(own) === "" ? [] : [count("id", (one) => idOf(one) === idOf(own))]),
    ...named,
    ...(own.owner === "" ? [] : [count("role+neighbour", (one) => one.role === own.role && one.owner === own.owner)]),
  ];
}

/**
 * How many elements the resolver takes the ref for: 1 if only for the element itself, 0 if for none or another. What is
 * alone with its role and name, or its id, is not confused with anything; comparing 600 elements takes 13 ms and more.
 */
export function countResolved(ref: DemoRef, own: Ref, all: readonly Ref[], title: string): DemoEvidence {
  const isAlike = (one: Ref): boolean => one.role === own.role && one.name === own.name;
  const alike = all.filter((one) => one !== own && isAlike(one));
  const isAlone = own.name !== "" && alike.length === 0;
  const hasOwnId = idOf(own) !== "" && !all.some((one) => one !== own && idOf(one) === idOf(own));
  if (isAlone || hasOwnId) return { by: "ref", matches: 1 };
  const at = all.indexOf(own);
  const near = all.slice(Math.max(0, at - maxNear), at + maxNear).filter((one) => one !== own && !isAlike(one));
  // The nearest are in the same container, and so the likeliest to be taken for it.
  const places = new Map(all.map((one, place) => [one, Math.abs(place - at)]));
  const rivals = alike.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  const weighed = [own, ...rivals, ...near].slice(0, maxWeighed);
  const candidates = weighed.map((one) => describeCandidate(one, title));
  const { verdict, best, standings } = resolve(describePortable(ref), candidates);
  const taken = standings.filter(({ score }) => score > rivalScore).length;
  const matches = verdict === "ambiguous" ? Math.max(2, taken) : verdict === "match" && best === 0 ? 1 : 0;
  return { by: "ref", matches };
}

/** A rival with less than this does not stand in the way of a match. */
const rivalScore = 0.07;
const maxNear = 12;
const maxWeighed = 40;

function listSteps(path: readonly Step[]): string[] {
  return path.slice(-maxSteps).map(showStep);
}

/** A page's own address is left out: demos are replayed at other ones. */
function idOf({ role, platformId }: Ref): string {
  return role === "web" ? "" : platformId;
}

/** An address is kept without its query, which may hold a secret and changes from visit to visit. */
function showStep(step: Step | undefined): string {
  if (step === undefined) return "";
  const { role, name, index, count } = step;
  const words = role === "web" ? name.replace(/[?#].*$/s, "") : name.replaceAll(separators, " ").trim();
  const shown = words === "" ? role : `${role} ${cut(words, maxStepLength)}`;
  return count > 1 ? `${shown} ${index}` : shown;
}

/** An entry's name has the texts in it, too, of which the first is often the name itself. */
function showName({ name }: Ref): string {
  const parts = name.split(separators).filter((part) => part !== "");
  return cut([...new Set(parts)].join(" "), maxNameLength);
}

/** Between the texts of an entry; see identify.ts. */
const separators = /\p{Cc}+/gu;

function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).toWellFormed();
}

function toBox({ x, y, width, height }: Bounds): readonly [number, number, number, number] {
  return [x, y, x + width, y + height];
}

function toBounds([left, top, right, bottom]: readonly [number, number, number, number]): Bounds {
  return { x: left, y: top, width: right - left, height: bottom - top };
}
