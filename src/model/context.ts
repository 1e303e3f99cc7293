import type { Element } from "./element.ts";
import type { Note } from "./snapshot.ts";
import type { Target } from "./target.ts";

/** A text-only description of the screen for agents. */
export interface ScreenContext {
  readonly takenAtMs: number;
  readonly activeApp: {
    readonly name: string;
    /** The id of its desktop file. */
    readonly bundleId: string | undefined;
    readonly windowTitle: string;
  };
  readonly screenSize: { readonly width: number; readonly height: number };
  /** Most relevant first. */
  readonly targets: readonly Target[];
  readonly focused: FocusedTarget | undefined;
  readonly learnedPatterns: LearnedPatterns;
  readonly notes: readonly Note[];
}

interface FocusedTarget {
  readonly target: Target;
  readonly keyboardActions: readonly KeyboardAction[];
}

interface LearnedPatterns {
  /** A hash of the application and its window's stable name. */
  readonly appSignature: string;
  /** Successful actions there, most frequent first. */
  readonly commonActions: readonly string[];
  /** Increases when most of a window changes; 0 if it was never read. */
  readonly layoutVersion: number;
}

export interface KeyboardAction {
  readonly keys: string;
  readonly does: string;
}

interface KeyRow extends KeyboardAction {
  fits(element: Element): boolean;
}

const hasRole =
  (...roles: readonly Element["role"][]) =>
  ({ role }: Element): boolean =>
    roles.includes(role);

/** What keys do on a focused control, as common to the toolkits. */
const keyRows: readonly KeyRow[] = [
  { keys: "enter", does: "press it", fits: hasRole("button", "link", "menuitem") },
  { keys: "space", does: "press it", fits: hasRole("button", "toggle") },
  { keys: "space", does: "switch it on or off", fits: hasRole("checkbox", "switch", "radio") },
  { keys: "text", does: "type into it", fits: ({ actions }) => actions.includes("set") },
  {
    keys: "up, down",
    does: "choose another one",
    fits: hasRole("select", "option", "treeitem", "row", "radio", "menuitem"),
  },
  { keys: "left, right", does: "go to another one", fits: hasRole("tab") },
  { keys: "left, right", does: "fold and unfold it", fits: hasRole("treeitem") },
  { keys: "up, down", does: "a step more or less", fits: hasRole("slider", "spin") },
  { keys: "escape", does: "close the menu", fits: hasRole("menuitem", "menu") },
  { keys: "tab", does: "go on to the next control", fits: () => true },
];

export function listKeyboardActions(element: Element): readonly KeyboardAction[] {
  const usual = keyRows.filter((row) => row.fits(element)).map(({ keys, does }) => ({ keys, does }));
  return element.shortcut === "" ? usual : [{ keys: element.shortcut, does: "press it from anywhere" }, ...usual];
}
