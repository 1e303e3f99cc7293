import type { ReadQuery } from "../desktop/index.ts";

/** A key for a selection: only views of the same selection are comparable. */
export function describeSelection(query: ReadQuery & { readonly withPlaces?: boolean | undefined }): string {
  const { app, window, windowId, pid, class: className, roles, bbox, depth, isInteractive, isWhole, max } = query;
  const named = roles === undefined ? undefined : [...roles].sort();
  const { includeHidden, withPlaces, vision = "auto" } = query;
  return JSON.stringify([
    [app?.toLowerCase(), window?.toLowerCase(), windowId, pid, className?.toLowerCase()],
    [named, bbox, depth, isInteractive ?? false, isWhole ?? false, max, includeHidden, withPlaces ?? false, vision],
  ]);
}
