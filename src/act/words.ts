import { type Element, flatten, listWithPaths, type Placed } from "../model/element.ts";
import { quoteText } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import type { WindowRead } from "../model/snapshot.ts";
import type { Window } from "../model/window.ts";

const maxNameLength = 60;

/** Words of applications stand in quotes, so that no label can pass for a line of ours. */
export function nameElement({ role, name }: Pick<Element, "role" | "name">): string {
  return name === "" ? `the nameless ${shortRole(role)}` : `${shortRole(role)} ${quote(name)}`;
}

export function nameWindow({ app, title }: Window): string {
  return `window ${quote(title === "" ? app : title)}`;
}

export function quote(text: string): string {
  return quoteText(text, maxNameLength);
}

/** The entries of the menus that are open. */
export function listMenuEntries(reads: readonly WindowRead[]): readonly Placed[] {
  return reads
    .flatMap(({ root }) => listWithPaths(root))
    .filter(({ element: { role, states }, ancestors }) => {
      return role === "menuitem" && !states.has("hidden") && ancestors.some((one) => one.role === "menu");
    });
}

/** Everything that windows say, in their order. */
export function listTexts(reads: readonly WindowRead[]): string[] {
  return flatten(reads.flatMap(({ root }) => (root === undefined ? [] : [root])))
    .map(({ name }) => name)
    .filter((name) => name !== "");
}
