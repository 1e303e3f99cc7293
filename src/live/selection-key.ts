import type { ReadWish } from "../desktop.ts";

/** A key for a selection: only views of the same selection are comparable. */
export function describeSelection(wish: ReadWish & { readonly withPlaces?: boolean | undefined }): string {
  const { app, window, windowId, pid, class: className, roles, bbox, depth, isInteractive, isWhole, max } = wish;
  const named = roles === undefined ? undefined : [...roles].sort();
  const { includeHidden, withPlaces } = wish;
  return JSON.stringify([
    [app?.toLowerCase(), window?.toLowerCase(), windowId, pid, className?.toLowerCase()],
    [named, bbox, depth, isInteractive ?? false, isWhole ?? false, max, includeHidden, withPlaces ?? false],
  ]);
}
