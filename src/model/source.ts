/**
 * Where a control is known from: the accessibility tree, a web page, text recognition, the shapes of a picture, a vision
 * model, the map or a person's finger; and `a11y+vision` where tree and picture agree. Maps store the index: append only.
 */
export const sources = ["a11y", "ocr", "a11y+vision", "learned", "dom", "heuristic", "model"] as const;
export type Source = (typeof sources)[number];

export function findSource(name: unknown): Source | undefined {
  return sources.find((one) => one === name);
}

const seenSources: ReadonlySet<Source> = new Set<Source>(["ocr", "heuristic", "model"]);

export function isSeenSource(source: Source): boolean {
  return seenSources.has(source);
}

/** Whether only pixels are known: no application reports it, and only the pointer reaches it. */
export function isPixelSource(source: Source): boolean {
  return source === "learned" || seenSources.has(source);
}

/** Whether pictures are read: `auto` reads them only where a window has no tree. */
export const visionModes = ["on", "off", "auto"] as const;
export type VisionMode = (typeof visionModes)[number];
