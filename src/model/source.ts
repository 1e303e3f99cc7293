/**
 * Where a control is known from: the accessibility tree, a web page, text recognition, the shapes of a picture, a vision
 * model, the map or a person's finger; and `a11y+vision` where tree and picture agree. Maps store the index: append only.
 */
export const sources = ["a11y", "ocr", "a11y+vision", "learned", "dom", "heuristic", "model"] as const;
export type Source = (typeof sources)[number];

/** The former name of a source in exported maps. */
const formerNames: ReadonlyMap<unknown, Source> = new Map([["vision", "ocr"]]);

/** The source of that name, also by its name in maps that were exported earlier; undefined for an unknown one. */
export function findSource(name: unknown): Source | undefined {
  return sources.find((one) => one === name) ?? formerNames.get(name);
}

/** What a picture alone has shown. */
const seenSources: ReadonlySet<Source> = new Set<Source>(["ocr", "heuristic", "model"]);

export function isSeenSource(source: Source): boolean {
  return seenSources.has(source);
}

/** Known by its pixels only: no application tells anything of it, and no action but the pointer reaches it. */
export function isPixelSource(source: Source): boolean {
  return source === "learned" || seenSources.has(source);
}

/** Whether pictures are read: `auto` reads them only where a window has no tree. */
export const visionModes = ["on", "off", "auto"] as const;
export type VisionMode = (typeof visionModes)[number];
