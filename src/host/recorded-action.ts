import type { DemoEffect, NamedPart, RecordedAction } from "../model/demo.ts";
import type { Effect } from "../model/effect.ts";
import type { SingleElement } from "../model/element.ts";
import { maskSecrets } from "../model/secrets-in-text.ts";
import { isPixelSource } from "../model/source.ts";
import { describeTargetStates } from "../model/target-state.ts";
import { actingAliases, actingTools } from "../model/tool-name.ts";
import type { MarkedElement } from "../model/view.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import type { DoneAction } from "../tools/session.ts";

/** More of an effect tells a later run nothing. */
const maxParts = 8;
const maxTextLength = 200;
/** A longer text is not kept. */
const maxInputLength = 32_768;

/** An action as it is recorded: what pointed at its target is replaced by the target's ref, and no text is secret. */
export function describeAction(done: DoneAction, client: string): Omit<RecordedAction, "n"> {
  const { effect, atMs, tookMs } = done;
  const { aim, markField } = findAim(done);
  const { input, secret, doubt } = describeInput(done, aim);
  const window = effect.target.window ?? effect.changes.openedWindows[0];
  return {
    atMs,
    tookMs,
    by: "agent",
    client,
    tool: nameTool(done.tool.name),
    input,
    ...(secret === undefined ? {} : { secret }),
    ...effect.aimed,
    aim,
    ...(markField === undefined ? {} : { markField }),
    ...(window === undefined ? {} : { app: applicationKeyOf(window), window: window.title }),
    ...describeTargetStates(effect.target.element, findAfter(effect)),
    effect: describeEffect(effect),
    ...(doubt === undefined ? {} : { doubt }),
  };
}

/** The target as it was afterwards; undefined if it is gone, or if it may be among the changes that are not listed. */
function findAfter({ target: { element }, changes }: Effect): SingleElement | undefined {
  const isSame = (one: MarkedElement): boolean =>
    one.handle === element?.handle || (one.mark !== 0 && one.mark === element?.mark);
  const all = [...changes.changed, ...changes.switched.flatMap((group) => group.changed)];
  const changed = all.find((one) => isSame(one.element));
  const isUnknown = changes.leftOut > 0 || changes.goneInside.length > 0 || changes.gone.some(isSame);
  return changed?.element ?? (isUnknown ? undefined : element);
}

/** All names of the applications that an action concerns. */
export function listNames({ target, changes }: Effect): readonly string[] {
  const windows = [...(target.window === undefined ? [] : [target.window]), ...changes.openedWindows];
  const listOf = ({ app, class: className, aliases }: Window): string[] => [app, className, ...aliases];
  return [...new Set(windows.flatMap(listOf))].filter((name) => name !== "");
}

function nameTool(name: string): RecordedAction["tool"] {
  const original = Object.entries(actingAliases).find(([alias]) => alias === name)?.[1] ?? name;
  const tool = actingTools.find((one) => one === original);
  if (tool === undefined) throw new Error(`${name} is no acting tool`);
  return tool;
}

const windowTools: ReadonlySet<string> = new Set(["window", "open", "quit", "clipboard"]);

function findAim({ tool, input }: DoneAction): Pick<RecordedAction, "aim" | "markField"> {
  const has = (...fields: readonly string[]): boolean => fields.some((field) => input[field] !== undefined);
  const { name, words = [], unspoken = [] } = tool;
  if (windowTools.has(name)) return { aim: "window" };
  if (name === "drag") {
    return has("fromAt", "fromX") ? { aim: "point" } : { aim: "control", markField: "fromId" };
  }
  if (name === "scroll" && has("toId")) return { aim: "control", markField: "toId" };
  const isWorded = words.includes("words") && !unspoken.includes("words") && has("words");
  if (isWorded || has("id", "on", "role", "elementId")) return { aim: "control", markField: "id" };
  if (has("at", "x")) return { aim: "point" };
  if (name === "scroll") return { aim: "control", markField: "id" };
  return name === "focus" ? { aim: "window" } : { aim: "focus" };
}

/** The fields that point at a control, choose a window, or say how to go about it. */
const pointers: ReadonlySet<string> = new Set(
  "id on at x y role within nth elementId app window windowId class pid vision dryRun verify".split(" "),
);
const ends = /^(?:from|to)(?:Id|On|At|X|Y|Role|Within|Nth)?$/;

type Said = Pick<RecordedAction, "input" | "secret" | "doubt">;

function describeInput({ tool, input, effect }: DoneAction, aim: RecordedAction["aim"]): Said {
  const { name, unspoken = [] } = tool;
  const isPointer = (field: string): boolean => {
    // Where a window is to be moved to, and where within a control to click.
    if (name === "window" && (field === "x" || field === "y")) return false;
    if (name === "click" && field === "at") return aim !== "control";
    if (name === "drag" || name === "scroll") return pointers.has(field) || ends.test(field);
    if (field === "from") return false;
    return pointers.has(field) || (field === "words" && !unspoken.includes("words"));
  };
  const { element } = effect.target;
  const isSecret = element?.states.has("secret") === true;
  // Where no application tells what the field is, it may be a secret one.
  const isUntold = aim !== "window" && (element === undefined || isPixelSource(element.source));
  const isUnsaid = (field: string, value: unknown): boolean =>
    (isSecret || isUntold) && (unspoken.includes(field) || (field === "key" && isCharacter(value)));
  const given = Object.entries(input).filter(([field, value]) => value !== undefined && !isPointer(field));
  const said = given.filter(([field, value]) => !isUnsaid(field, value));
  const masked = said.map(([field, value]) => [field, mask(value)] as const);
  const kept: Readonly<Record<string, unknown>> = Object.fromEntries(masked);
  const isLeftOut = given.length > said.length;
  const secret = isLeftOut && isSecret ? { secret: cut(element.name) } : {};
  if (isLeftOut && !isSecret) {
    return { input: kept, doubt: "nothing tells whether the field is secret, so its text was not recorded" };
  }
  if (JSON.stringify(kept).length > maxInputLength) {
    const short = Object.fromEntries(masked.filter(([, value]) => JSON.stringify(value).length <= maxTextLength));
    return { input: short, ...secret, doubt: "its text was too long to record" };
  }
  const isMasked = masked.some(([, value], at) => value !== said[at]?.[1] && typeof value === "string");
  return {
    input: kept,
    ...secret,
    ...(isMasked ? { doubt: "a part of its text is secret and was not recorded" } : {}),
  };
}

/** Keys that write nothing by themselves. */
const writesNothing =
  /^(?:.*\b(?:ctrl|control|alt|super|cmd|meta|win)\+.*|(?:shift\+)?(?:enter|return|tab|esc|escape|backspace|delete|del|insert|up|down|left|right|home|end|page_?up|page_?down|f\d{1,2}))$/i;

/** A key pressed in a secret field is a part of the secret, unless it writes nothing. */
function isCharacter(key: unknown): boolean {
  return typeof key !== "string" || !writesNothing.test(key);
}

function mask(value: unknown): unknown {
  if (typeof value === "string") return maskSecrets(value);
  return Array.isArray(value) ? value.map(mask) : value;
}

function cut(text: string): string {
  return text.length <= maxTextLength ? text : text.slice(0, maxTextLength).toWellFormed();
}

function describeEffect({ verdict, way, changes, target }: Effect): DemoEffect {
  const { openedWindows, closedWindows, appeared, gone, changed } = changes;
  const isSecret = target.element?.states.has("secret") === true;
  const nameOf = ({ role, name }: NamedPart): NamedPart => ({ role, name: cut(name) });
  const told = changed
    .filter(({ element }) => !element.states.has("secret"))
    .flatMap(({ element, differences }) =>
      differences
        // What was meant for a secret field may show elsewhere.
        .filter(({ what }) => !isSecret || (what !== "value" && what !== "name"))
        .map(({ what, after }) => ({ ...nameOf(element), what, after: cut(maskSecrets(after)) })),
    );
  return {
    verdict,
    way,
    ...some(
      "opened",
      openedWindows.map(({ title }) => cut(title)),
    ),
    ...some(
      "closed",
      closedWindows.map(({ title }) => cut(title)),
    ),
    ...some("appeared", isSecret ? [] : appeared.map(nameOf)),
    ...some("gone", gone.map(nameOf)),
    ...some("changed", told),
  };
}

function some<Key extends string, Part>(key: Key, list: readonly Part[]): { readonly [name in Key]?: readonly Part[] } {
  const part: { [name in Key]?: readonly Part[] } = {};
  if (list.length > 0) part[key] = list.slice(0, maxParts);
  return part;
}
