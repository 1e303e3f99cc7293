import { normalise } from "../find/match.ts";
import { lookAt } from "../look.ts";
import { type Element, flatten } from "../model/element.ts";
import { type Failure, fail, type Result, succeed } from "../model/failure.ts";
import type { Role } from "../model/role.ts";
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
      const wanted = choices.value.find(({ name }) => normalise(name) === normalise(text));
      if (wanted === undefined) return fail(describeNoChoice(stage, text, choices.value));
      return choose(stage, wanted);
    },
  };
}

/** What the list holds, open or closed. */
async function listChoices(stage: Stage): Promise<Result<readonly Element[]>> {
  const { desktop, window, timeoutMs, element } = stage;
  const how = { includeHidden: true, timeoutMs };
  const sight = await lookAt(desktop.platform, [window], stage.sighting.sight.all, how);
  if (!sight.ok) return sight;
  const roots = sight.value.snapshot.windows.flatMap(({ root }) => (root === undefined ? [] : [root]));
  const own = flatten(roots).find(({ runtimeId }) => runtimeId === element.runtimeId);
  return succeed(flatten(own?.children ?? []).filter(({ role, name }) => choiceRoles.has(role) && name !== ""));
}

/** Each way to take a choice, the quietest first. */
async function choose(stage: Stage, wanted: Element): Promise<Result<void>> {
  const selected = await stage.deliver({ kind: "select", element: wanted, isSelected: true });
  if (selected.ok || selected.failure.code !== "PATTERN_UNSUPPORTED") return selected;
  const shown =
    wanted.states.has("hidden") || wanted.clickPoint === undefined ? await open(stage, wanted) : succeed(wanted);
  if (!shown.ok) return shown;
  const { clickPoint, invocations } = shown.value;
  // A click closes the list again; through accessibility Qt only marks the choice in the list, which stays open.
  if (clickPoint !== undefined) {
    return stage.deliver({ kind: "click", point: clickPoint, button: "left", count: 1 });
  }
  const action = invocations.press ?? invocations.select ?? invocations.pick;
  if (action !== undefined) return stage.deliver({ kind: "invoke", element: shown.value, action });
  return fail(stage.describe("NOT_VISIBLE", `${nameElement(wanted)} does not show`, "open the list first."));
}

async function open(stage: Stage, wanted: Element): Promise<Result<Element>> {
  const { element } = stage;
  const action = element.invocations.press ?? element.invocations.expand;
  const point = element.clickPoint;
  if (action === undefined && point === undefined) {
    return fail(stage.describe("PATTERN_UNSUPPORTED", `${nameElement(element)} cannot be opened`, "click it first."));
  }
  const words = `${nameElement(element)} was opened`;
  const opened =
    action === undefined && point !== undefined
      ? await stage.prepare({ kind: "click", point, button: "left", count: 1 }, words)
      : await stage.prepare({ kind: "invoke", element, action: action ?? "" }, words);
  if (!opened.ok) return opened;
  let shown: Element | undefined;
  await stage.waitUntil(openMs, async () => {
    const choices = await listChoices(stage);
    shown = choices.ok ? choices.value.find(({ runtimeId }) => runtimeId === wanted.runtimeId) : undefined;
    return shown?.clickPoint !== undefined;
  });
  return shown === undefined ? fail(describeNoChoice(stage, wanted.name, [])) : succeed(shown);
}

function describeNoChoice(stage: Stage, text: string, choices: readonly Element[]): Failure {
  const failure = stage.describe(
    "NOT_FOUND",
    `${nameElement(stage.element)} has no choice called ${quote(text)}`,
    "give one of its choices.",
  );
  return { ...failure, nearest: choices.slice(0, 8).map(({ name }) => name) };
}
