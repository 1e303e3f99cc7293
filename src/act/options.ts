import { isInOpenList } from "../find/hit.ts";
import { normalise } from "../find/match.ts";
import { findInnerField } from "../find/suit.ts";
import { type Element, flatten, listWithPaths } from "../model/element.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { nameElement, quote } from "../model/observed.ts";
import type { Role } from "../model/role.ts";
import { listElements, type Snapshot } from "../model/snapshot.ts";
import type { Attempt } from "./attempt.ts";
import { isShownIn, listPopups } from "./popups.ts";
import { prepareForPress } from "./readiness.ts";
import { takeFocus, type Way } from "./ways.ts";

const choiceRoles: ReadonlySet<Role> = new Set<Role>(["option", "menuitem", "item", "cell", "treeitem", "radio"]);
const openMs = 1500;

interface Choices {
  readonly elements: readonly Element[];
  readonly snapshot: Snapshot;
}

/** Chooses an option of a drop-down list by name, without opening the list if possible. */
export function byOption(text: string): Way {
  return {
    name: "option",
    refuse: (element) => {
      if (element.role !== "select") return "it is not a drop-down list";
      const isField = element.states.has("editable") && findInnerField(element) === undefined;
      return isField ? "it is a field with suggestions, which takes any text" : undefined;
    },
    take: async (attempt) => {
      // In an open list, selecting through accessibility only highlights, or leaves it open.
      if (attempt.element.states.has("expanded")) return pick(attempt, text);
      const held = await listHeld(attempt);
      if (!held.ok) return held;
      const named = findNamed(held.value.elements, text);
      if (named.length > 1) return fail(describeTwins(attempt, text, named.length));
      const [wanted] = named;
      if (wanted !== undefined) {
        const selected = await attempt.deliver({ kind: "select", element: wanted, isSelected: true });
        if (selected.ok || selected.failure.code !== "PATTERN_UNSUPPORTED") return selected;
      }
      // A list with a field takes any text. Opening an empty one would show nothing, and Escape would close its dialog.
      const field = wanted === undefined ? findInnerField(attempt.element) : undefined;
      if (field !== undefined) return write(attempt, field, held.value.snapshot, text);
      if (wanted === undefined && held.value.elements.length > 0) {
        return fail(describeNoChoice(attempt, text, held.value.elements));
      }
      return pick(attempt, text);
    },
  };
}

async function write(attempt: Attempt, field: Element, snapshot: Snapshot, text: string): Promise<Result<void>> {
  if (field.actions.includes("set")) return attempt.deliver({ kind: "set-text", element: field, text });
  const own = await attempt.turnTo(field.handle, snapshot);
  if (!own.ok) return own;
  const focused = await takeFocus(own.value);
  if (!focused.ok) return focused;
  const selected = await attempt.deliver({ kind: "keys", combo: { modifiers: ["ctrl"], key: "a" } });
  return selected.ok ? attempt.deliver({ kind: "type", text, delayMs: 0 }) : selected;
}

function findNamed(choices: readonly Element[], text: string): Element[] {
  return choices.filter(({ name }) => normalise(name) === normalise(text));
}

/** The options of the closed list; some lists are empty until they are opened. */
async function listHeld(attempt: Attempt): Promise<Result<Choices>> {
  const snapshot = await attempt.readWindow(true);
  if (!snapshot.ok) return snapshot;
  const own = listElements(snapshot.value.windows).find(({ handle }) => handle === attempt.element.handle);
  const elements = flatten(own?.children ?? []).filter(({ role, name }) => choiceRoles.has(role) && name !== "");
  return succeed({ elements, snapshot: snapshot.value });
}

/** The options of the open list. They may be new objects elsewhere in the window, or in a window of their own. */
async function listShown(attempt: Attempt): Promise<Result<Choices>> {
  const popups = await listPopups(attempt);
  const snapshot = await attempt.readWindow(false);
  if (!snapshot.ok) return snapshot;
  const elements = snapshot.value.windows
    .flatMap(({ root }) => listWithPaths(root))
    .filter(({ element: one, ancestors }) => {
      if (!choiceRoles.has(one.role) || one.name === "" || one.clickPoint === undefined) return false;
      const isBelow = ancestors.some(({ handle }) => handle === attempt.element.handle);
      return (isBelow || isShownIn(popups, one) || isInOpenList(one, ancestors)) && !one.states.has("hidden");
    })
    .map((placed) => placed.element);
  return succeed({ elements, snapshot: snapshot.value });
}

/** Opens the list and clicks the option. */
async function pick(attempt: Attempt, text: string): Promise<Result<void>> {
  const shown = await open(attempt);
  if (!shown.ok) return shown;
  const { elements, snapshot } = shown.value;
  const named = findNamed(elements, text);
  const [wanted] = named;
  if (wanted === undefined || named.length > 1) {
    await attempt.prepare({ kind: "keys", combo: { modifiers: [], key: "Escape" } }, "the list was closed again");
    return fail(
      wanted === undefined ? describeNoChoice(attempt, text, elements) : describeTwins(attempt, text, named.length),
    );
  }
  const choice = await attempt.turnTo(wanted.handle, snapshot);
  if (!choice.ok) return choice;
  const point = await prepareForPress(choice.value);
  if (!point.ok) return point;
  attempt.watch.take();
  return attempt.deliver({ kind: "click", point: point.value, button: "left", count: 1 });
}

async function open(attempt: Attempt): Promise<Result<Choices>> {
  let shown = await listShown(attempt);
  if (!shown.ok || shown.value.elements.length > 0) return shown;
  const opened = await press(attempt);
  if (!opened.ok) return opened;
  await attempt.waitUntil(openMs, async () => {
    shown = await listShown(attempt);
    return shown.ok && shown.value.elements.length > 0;
  });
  return shown;
}

async function press(attempt: Attempt): Promise<Result<void>> {
  const { element } = attempt;
  const action = element.invocations.press ?? element.invocations.expand;
  const words = `${nameElement(element)} was opened`;
  if (action !== undefined) return attempt.prepare({ kind: "invoke", element, action }, words);
  const point = await prepareForPress(attempt);
  if (!point.ok) return point;
  return attempt.prepare({ kind: "click", point: point.value, button: "left", count: 1 }, words);
}

function describeTwins(attempt: Attempt, text: string, count: number): Failure {
  const message = `${nameElement(attempt.element)} has ${count} choices called ${quote(text)}`;
  return attempt.describe("AMBIGUOUS", message, "open it, and name the one you mean by its mark.");
}

function describeNoChoice(attempt: Attempt, text: string, choices: readonly Element[]): Failure {
  const failure = attempt.describe(
    "NOT_FOUND",
    `${nameElement(attempt.element)} has no choice called ${quote(text)}`,
    "give one of its choices.",
  );
  return { ...failure, nearest: choices.slice(0, 8).map(({ name }) => name) };
}
