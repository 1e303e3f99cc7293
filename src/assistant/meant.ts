import { type Result, succeed } from "../model/failure.ts";
import { type Choice, simplify } from "./choose.ts";
import type { Desk, Match, SeenWindow } from "./desk.ts";
import type { AssistantOptions } from "./reply.ts";
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

/** The window that is meant where none is named: the one in use, and not the conversation's own. */
export async function findMeantWindow(
  desk: Desk,
  { windowId, isOwn = () => false }: Pick<AssistantOptions, "windowId" | "isOwn">,
): Promise<Result<SeenWindow | undefined>> {
  const listed = await desk.listWindows();
  if (!listed.ok) return listed;
  const there = listed.value.filter((one) => !isOwn(one) && !one.state.includes("minimised"));
  const named = windowId === undefined ? undefined : there.find(({ id }) => id === windowId);
  return succeed(named ?? there.find(({ focused }) => focused) ?? there[0]);
}
