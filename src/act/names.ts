import { type Element, listWithPaths } from "../model/element.ts";
import { quoteText } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import { listElements, type WindowRead } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";

const maxNameLength = 60;

/** Text from applications is quoted, so that no label can pass for a line of Deskmap's. */
export function nameElement({ role, name }: Pick<Element, "role" | "name">): string {
  return name === "" ? `the nameless ${shortRole(role)}` : `${shortRole(role)} ${quote(name)}`;
}

export function nameWindow({ app, title }: Window): string {
  return `window ${quote(title === "" ? app : title)}`;
}

export function quote(text: string): string {
  return quoteText(text, maxNameLength);
}

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
