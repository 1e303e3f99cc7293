import type { Ref, Step } from "../model/ref.ts";
import { toContainerRow } from "./store/rows.ts";

const maxPlaces = 1500;

/** The containers in which unmatched controls may have been before, and those around them. */
export function listFormerContainers(refs: readonly Ref[]): Pick<Ref, "app" | "windows" | "path">[] {
  const distinct = [...new Map(refs.map((ref) => [ref.path, ref])).values()];
  const around = distinct.flatMap((ref) => ref.path.map((_, depth) => ({ ...ref, path: ref.path.slice(0, depth) })));
  const before = distinct.flatMap((ref) => listFormerPaths(ref.path).map((path) => ({ ...ref, path })));
  const places = new Map([...distinct, ...around, ...before].map((place) => [toContainerRow(place).key, place]));
  return [...places.values()].slice(0, maxPlaces);
}

/** One group more or less on the path, or one sibling more or less. */
function listFormerPaths(path: readonly Step[]): (readonly Step[])[] {
  return path.flatMap((step, at) => {
    const { role, name, index, count } = step;
    const shifted = [
      { index: index - 1, count: count - 1 },
      { index, count: count - 1 },
      { index: index + 1, count: count + 1 },
      { index, count: count + 1 },
    ].filter((one) => one.index >= 0 && one.index < one.count);
    const put = (...steps: readonly Step[]): Step[] => [...path.slice(0, at), ...steps, ...path.slice(at + 1)];
    return [
      ...shifted.map((one) => put({ role, name, ...one })),
      ...(isUnnamedGroup(step) ? [put()] : []),
      put(step, { role: "group", name: "", index: 0, count: 1 }),
    ];
  });
}

/** Unnamed groups are layout only; users never see them. */
export function isUnnamedGroup({ role, name }: Step): boolean {
  return role === "group" && name === "";
}
