import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Scene, waitFor } from "../scene.ts";
import { readShown, type Shown } from "../shown.ts";
import { act, confirm, doubt, type Outcome } from "./task.ts";

export type Toolkit = "gtk3" | "gtk4" | "qt5";

/** The form program's own state; tests/fixtures/apps/recorder.py writes it. */
interface FormState {
  readonly presses: readonly string[];
  readonly [key: string]: unknown;
}

/** A form on the screen: commands go to its window, and its own state shows what they did. */
export interface Form {
  readonly title: string;
  readonly window: readonly [string, string];
  state(): FormState;
  /** Waits until the form program itself reports this state. */
  waitForState(expected: Readonly<Record<string, unknown>>): Promise<void>;
  waitForPress(identity: string): Promise<void>;
  shown(): readonly Shown[];
  /** The mark of the only control with this role and name. */
  mark(role: string, name: string): string;
  /** The same for a control that the last action opens: its window fills step by step. */
  appears(role: string, name: string): Promise<string>;
  confirm(...args: string[]): Outcome;
  doubt(...args: string[]): Outcome;
  act(...args: string[]): Outcome;
}

const fixtures = join(import.meta.dir, "../../fixtures/apps");

export async function openForm(scene: Scene, toolkit: Toolkit, folder: string, ...options: string[]): Promise<Form> {
  const title = ["Form", toolkit, ...options].join(" ");
  const file = join(folder, `${title}.json`);
  await scene.start(["/usr/bin/python3", join(fixtures, `form-${toolkit}.py`), file, title, ...options], title);
  await scene.settle();
  const window = ["--window", title] as const;
  const state = (): FormState => JSON.parse(readFileSync(file, "utf8"));
  let known: readonly Shown[] = [];
  const shown = (): readonly Shown[] => {
    known = readShown(scene, ...window);
    return known;
  };
  const findMarks = (elements: readonly Shown[], role: string, name: string): readonly Shown[] =>
    elements.filter(({ r, t = "" }) => r === role && t === name);
  let last = "";
  const note = (outcome: Outcome): Outcome => {
    last = outcome.said;
    return outcome;
  };
  const waitUntil = (what: string, isSo: () => boolean): Promise<void> =>
    waitFor(what, isSo).catch(() => {
      throw new Error(`the form does not know of ${what}: ${JSON.stringify(state())}\n${last}`);
    });
  return {
    title,
    window,
    state,
    waitForState: (expected) =>
      waitUntil(JSON.stringify(expected), () =>
        Object.entries(expected).every(([key, value]) => Bun.deepEquals(state()[key], value)),
      ),
    waitForPress: (identity) => waitUntil(`a press of ${identity}`, () => state().presses.at(-1) === identity),
    shown,
    mark: (role, name) => {
      // Marks persist, so elements that were read before need not be read again.
      const before = findMarks(known, role, name);
      const found = before.length === 1 ? before : findMarks(shown(), role, name);
      const [only] = found;
      if (only === undefined || found.length > 1) throw new Error(`${found.length} of ${role} "${name}"\n${last}`);
      return String(only.i);
    },
    appears: async (role, name) => {
      let found: readonly Shown[] = [];
      const look = (): boolean => {
        found = findMarks(shown(), role, name);
        return found.length === 1;
      };
      await waitFor(() => `one ${role} "${name}", not ${found.length}\n${last}`, look);
      return String(found[0]?.i);
    },
    confirm: (...args) => note(confirm(scene, ...args)),
    doubt: (...args) => note(doubt(scene, ...args)),
    act: (...args) => note(act(scene, ...args)),
  };
}
