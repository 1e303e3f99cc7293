import { listWithPaths } from "../model/element.ts";
import { listElements, type WindowRead } from "../model/snapshot.ts";

/** Whether the tree has a visible entry of an open menu. */
export function hasMenuEntry(reads: readonly WindowRead[]): boolean {
  return reads
    .flatMap(({ root }) => listWithPaths(root))
    .some(({ element: { role, states }, ancestors }) => {
      return role === "menuitem" && !states.has("hidden") && ancestors.some((one) => one.role === "menu");
    });
}

/** All names in some windows, in reading order. */
export function listTexts(reads: readonly WindowRead[]): string[] {
  return listElements(reads)
    .map(({ name }) => name)
    .filter((name) => name !== "");
}
