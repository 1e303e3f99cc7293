import { isInOpenList } from "../find/hit.ts";
import { normalise } from "../find/match.ts";
import { lookAt, type Sight } from "../find/read.ts";
import { type Element, flatten, listWithPaths } from "../model/element.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import type { Role } from "../model/role.ts";
import { prepareForPress } from "./press-pause.ts";
import type { Stage } from "./stage.ts";
import type { Way } from "./ways.ts";
import { nameElement, quote } from "./words.ts";

const choiceRoles: ReadonlySet<Role> = new Set<Role>(["option", "menuitem", "item", "cell", "treeitem", "radio"]);
const openMs = 1500;

interface Choices {
  readonly elements: readonly Element[];
  readonly sight: Sight;
}

/** One of the choices of a list of choices, by its name: through the closed list where that can be done. */
export function byOption(text: string): Way {
  return {
    name: "option",
    refuse: ({ role }) => (role === "select" ? undefined : "it is no list of choices"),
    take: async (stage) => {
      const held = await listHeld(stage);
      if (!held.ok) return held;
      const named = findNamed(held.value.elements, text);
      if (named.length > 1) return fail(describeTwins(stage, text, named.length));
      const [wanted] = named;
      if (wanted !== undefined) {
        const selected = await stage.deliver({ kind: "select", element: wanted, isSelected: true });
        if (selected.ok || selected.failure.code !== "PATTERN_UNSUPPORTED") return selected;
      } else if (held.value.elements.length > 0) {
        return fail(describeNoChoice(stage, text, held.value.elements));
      }
      return pick(stage, text);
    },
  };
}

function findNamed(choices: readonly Element[], text: string): Element[] {
  return choices.filter(({ name }) => normalise(name) === normalise(text));
}

/** What the closed list holds; some are empty until they are opened. */
async function listHeld({ desktop, window, timeoutMs, element, sighting }: Stage): Promise<Result<Choices>> {
  const how = { includeHidden: true, timeoutMs };
  const sight = await lookAt(desktop.platform, [window], sighting.sight.all, how);
  if (!sight.ok) return sight;
  const roots = sight.value.snapshot.windows.flatMap(({ root }) => (root === undefined ? [] : [root]));
  const own = flatten(roots).find(({ handle }) => handle === element.handle);
  const elements = flatten(own?.children ?? []).filter(({ role, name }) => choiceRoles.has(role) && name !== "");
  return succeed({ elements, sight: sight.value });
}

/** What an open list shows. It may consist of new objects in another part of its window. */
async function listShown({ desktop, window, timeoutMs, element, sighting }: Stage): Promise<Result<Choices>> {
  const how = { includeHidden: false, timeoutMs };
  const sight = await lookAt(desktop.platform, [window], sighting.sight.all, how);
  if (!sight.ok) return sight;
  const elements = sight.value.snapshot.windows
    .flatMap(({ root }) => listWithPaths(root))
    .filter(({ element: one, ancestors }) => {
      if (!choiceRoles.has(one.role) || one.name === "" || one.clickPoint === undefined) return false;
      const isBelow = ancestors.some(({ handle }) => handle === element.handle);
      return (isBelow || isInOpenList(one, ancestors)) && !one.states.has("hidden");
    })
    .map((placed) => placed.element);
  return succeed({ elements, sight: sight.value });
}

/** Opens the list and clicks the choice, which closes it: selecting through accessibility may leave the list open. */
async function pick(stage: Stage, text: string): Promise<Result<void>> {
  const shown = await open(stage);
  if (!shown.ok) return shown;
  const { elements, sight } = shown.value;
  const named = findNamed(elements, text);
  const [wanted] = named;
  if (wanted === undefined || named.length > 1) {
    await stage.prepare({ kind: "keys", combo: { modifiers: [], key: "Escape" } }, "the list was closed again");
    return fail(
      wanted === undefined ? describeNoChoice(stage, text, elements) : describeTwins(stage, text, named.length),
    );
  }
  const choice = await stage.turnTo(wanted.handle, sight);
  if (!choice.ok) return choice;
  const point = await prepareForPress(choice.value);
  if (!point.ok) return point;
  stage.watch.take();
  return stage.deliver({ kind: "click", point: point.value, button: "left", count: 1 });
}

async function open(stage: Stage): Promise<Result<Choices>> {
  let shown = await listShown(stage);
  if (!shown.ok || shown.value.elements.length > 0) return shown;
  const opened = await press(stage);
  if (!opened.ok) return opened;
  await stage.waitUntil(openMs, async () => {
    shown = await listShown(stage);
    return shown.ok && shown.value.elements.length > 0;
  });
  return shown;
}

async function press(stage: Stage): Promise<Result<void>> {
  const { element } = stage;
  const action = element.invocations.press ?? element.invocations.expand;
  const words = `${nameElement(element)} was opened`;
  if (action !== undefined) return stage.prepare({ kind: "invoke", element, action }, words);
  const point = await prepareForPress(stage);
  if (!point.ok) return point;
  return stage.prepare({ kind: "click", point: point.value, button: "left", count: 1 }, words);
}

function describeTwins(stage: Stage, text: string, count: number): Failure {
  const message = `${nameElement(stage.element)} has ${count} choices called ${quote(text)}`;
  return stage.describe("AMBIGUOUS", message, "open it, and name the one you mean by its mark.");
}

function describeNoChoice(stage: Stage, text: string, choices: readonly Element[]): Failure {
  const failure = stage.describe(
    "NOT_FOUND",
    `${nameElement(stage.element)} has no choice called ${quote(text)}`,
    "give one of its choices.",
  );
  return { ...failure, nearest: choices.slice(0, 8).map(({ name }) => name) };
}
