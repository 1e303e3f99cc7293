import { normalise } from "../find/match.ts";
import { lookAt, type Sight } from "../look.ts";
import { type Element, flatten } from "../model/element.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import type { Role } from "../model/role.ts";
import { prepareForPointer } from "./readiness.ts";
import type { Stage } from "./stage.ts";
import type { Way } from "./ways.ts";
import { nameElement, quote } from "./words.ts";

const choiceRoles: ReadonlySet<Role> = new Set<Role>(["option", "menuitem", "item", "cell", "treeitem", "radio"]);
const openMs = 1500;

/** One of the choices of a list of choices, by its name: through the closed list where that can be done. */
export function byOption(text: string): Way {
  return {
    name: "option",
    refuse: ({ role }) => (role === "select" ? undefined : "it is no list of choices"),
    take: async (stage) => {
      const choices = await listChoices(stage);
      if (!choices.ok) return choices;
      const wanted = choices.value.elements.find(({ name }) => normalise(name) === normalise(text));
      if (wanted === undefined) return fail(describeNoChoice(stage, text, choices.value.elements));
      const selected = await stage.deliver({ kind: "select", element: wanted, isSelected: true });
      if (selected.ok || selected.failure.code !== "PATTERN_UNSUPPORTED") return selected;
      return pick(stage, wanted);
    },
  };
}

interface Choices {
  readonly elements: readonly Element[];
  readonly sight: Sight;
}

/** What the list holds, open or closed. */
async function listChoices({ desktop, window, timeoutMs, element, sighting }: Stage): Promise<Result<Choices>> {
  const how = { includeHidden: true, timeoutMs };
  const sight = await lookAt(desktop.platform, [window], sighting.sight.all, how);
  if (!sight.ok) return sight;
  const roots = sight.value.snapshot.windows.flatMap(({ root }) => (root === undefined ? [] : [root]));
  const own = flatten(roots).find(({ runtimeId }) => runtimeId === element.runtimeId);
  const elements = flatten(own?.children ?? []).filter(({ role, name }) => choiceRoles.has(role) && name !== "");
  return succeed({ elements, sight: sight.value });
}

/**
 * As a person would: the list is opened, and the choice is clicked, which closes it again. Through accessibility Qt would
 * only mark the choice in a list that stays open.
 */
async function pick(stage: Stage, wanted: Element): Promise<Result<void>> {
  const shown = await open(stage, wanted);
  if (!shown.ok) return shown;
  const choice = await stage.turnTo(wanted.runtimeId, shown.value);
  if (!choice.ok) return choice;
  const point = await prepareForPointer(choice.value);
  if (!point.ok) return point;
  stage.watch.take();
  return stage.deliver({ kind: "click", point: point.value, button: "left", count: 1 });
}

async function open(stage: Stage, wanted: Element): Promise<Result<Sight>> {
  const { element } = stage;
  let sight: Sight | undefined;
  const isShown = async (): Promise<boolean> => {
    const choices = await listChoices(stage);
    sight = choices.ok ? choices.value.sight : undefined;
    const found = choices.ok
      ? choices.value.elements.find(({ runtimeId }) => runtimeId === wanted.runtimeId)
      : undefined;
    return found?.clickPoint !== undefined && !found.states.has("hidden");
  };
  if (!(await isShown())) {
    const opened = await press(stage, element);
    if (!opened.ok) return opened;
    await stage.waitUntil(openMs, isShown);
  }
  return sight === undefined ? fail(describeNoChoice(stage, wanted.name, [])) : succeed(sight);
}

async function press(stage: Stage, element: Element): Promise<Result<void>> {
  const action = element.invocations.press ?? element.invocations.expand;
  const words = `${nameElement(element)} was opened`;
  if (action !== undefined) return stage.prepare({ kind: "invoke", element, action }, words);
  const point = await prepareForPointer(stage);
  if (!point.ok) return point;
  return stage.prepare({ kind: "click", point: point.value, button: "left", count: 1 }, words);
}

function describeNoChoice(stage: Stage, text: string, choices: readonly Element[]): Failure {
  const failure = stage.describe(
    "NOT_FOUND",
    `${nameElement(stage.element)} has no choice called ${quote(text)}`,
    "give one of its choices.",
  );
  return { ...failure, nearest: choices.slice(0, 8).map(({ name }) => name) };
}
