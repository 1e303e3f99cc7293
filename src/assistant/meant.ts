import { type Choice, simplify } from "./choose.ts";
import type { Match, SeenWindow } from "./desk.ts";
import type { Request } from "./request.ts";

/** The controls that are called so. */
export function listNamed(choice: Choice): readonly Match[] {
  if (choice.kind === "one") return [choice.match];
  return choice.kind === "several" && !choice.isGuess ? choice.matches : [];
}

/** Only what can be meant by the verb. */
export function rolesFor({ of }: Request): string | undefined {
  // "Empty the trash" does not mean a cell that is called so.
  if (of === "clear") return "input,select,spin,slider";
  if (of === "set" || of === "choose") return "input,select,spin,slider,cell";
  if (of === "check" || of === "uncheck") return "checkbox,switch,toggle,radio,menuitem,cell";
  return undefined;
}

/** An entry of a list, table or tree is selected by one click, and opened by two. */
export function opensTwice({ r }: Match): boolean {
  return ["cell", "option", "item", "treeitem", "icon", "row"].includes(r);
}

/** By whole words: "close the file" does not mean a window titled "Profiles". */
export function findWindow(windows: readonly SeenWindow[], words: string): SeenWindow | undefined {
  const wanted = simplify(words);
  const has = (text: string): boolean => ` ${simplify(text)} `.includes(` ${wanted} `);
  const tests: readonly ((one: SeenWindow) => boolean)[] = [
    ({ app, title }) => simplify(app) === wanted || simplify(title) === wanted,
    ({ app }) => has(app),
    ({ title }) => has(title),
  ];
  return tests.map((test) => windows.find(test)).find((window) => window !== undefined);
}
