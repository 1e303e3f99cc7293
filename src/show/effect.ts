import * as z from "zod/mini";
import { screenSpace } from "../model/bounds.ts";
import { type Changes, type Difference, type Effect, exitCodeOfEffect, noChanges, verdicts } from "../model/effect.ts";
import { flatten } from "../model/element.ts";
import {
  describeAppeared,
  describeChange,
  describeClosed,
  describeGone,
  describeOpened,
  describeOther,
} from "../model/observed.ts";
import { cleanLine, quoteText } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import type { MarkedElement } from "../model/view.ts";
import type { Window } from "../model/window.ts";
import { joinRows } from "./csv.ts";
import { type DataOf, type Forms, space, titled } from "./output.ts";
import { nameControl, nameWindow, showElement } from "./text.ts";

const maxShownValue = 80;
const maxNamedTogether = 3;

const nameFields = () => ({
  i: z.optional(z.number()),
  r: z.string(),
  t: z.optional(z.string()),
  v: z.optional(z.string()),
});

const difference = () => z.optional(z.tuple([z.string(), z.string()]));
const differences = () => ({
  name: difference(),
  value: difference(),
  states: difference(),
  focus: difference(),
  title: difference(),
  place: difference(),
});

const changesOutput = () => {
  const window = z.strictObject({ id: z.number(), app: z.string(), title: z.string() });
  const appeared = z.strictObject({
    i: z.optional(z.number()),
    r: z.string(),
    t: z.optional(z.string()),
    v: z.optional(z.string()),
    get c() {
      return z.optional(z.array(appeared));
    },
  });
  // If the title has changed, it is a pair like the other differences.
  const changedWindow = {
    id: z.number(),
    ...differences(),
    title: z.union([z.string(), z.tuple([z.string(), z.string()])]),
  };
  return z.strictObject({
    openedWindows: z.optional(z.array(window)),
    closedWindows: z.optional(z.array(window)),
    changedWindows: z.optional(z.array(z.strictObject(changedWindow))),
    appeared: z.optional(z.array(titled("Appeared", appeared))),
    gone: z.optional(z.array(z.strictObject(nameFields()))),
    goneInside: z.optional(z.array(z.strictObject({ ...nameFields(), count: z.number() }))),
    changed: z.optional(z.array(z.strictObject({ ...nameFields(), ...differences() }))),
    switched: z.optional(z.array(z.strictObject({ disabled: z.boolean(), i: z.array(z.number()) }))),
    leftOut: z.optional(z.number()),
  });
};

const targetOutput = () =>
  z.union([
    z.string(),
    z.strictObject({
      ...nameFields(),
      r: z.optional(z.string()),
      app: z.optional(z.string()),
      window: z.optional(z.string()),
      windowId: z.optional(z.number()),
    }),
  ]);

export const effectOutput = () =>
  titled(
    "Effect",
    z.strictObject({
      effect: z.enum(verdicts),
      did: z.string(),
      target: targetOutput(),
      way: z.string(),
      passedOver: z.optional(z.array(z.strictObject({ way: z.string(), why: z.string() }))),
      evidence: z.optional(z.array(z.string())),
      space: z.optional(space()),
      changes: z.optional(changesOutput()),
      delivered: z.boolean(),
      retry: z.enum(["safe", "unsafe"]),
    }),
  );

export type EffectData = DataOf<typeof effectOutput>;

export const effectForms: Forms<Effect, EffectData> = {
  data: effectToData,
  text: showEffect,
  csv: effectToCsv,
  exitCode: exitCodeOfEffect,
};

/** The verdict and the way in the first line, then the evidence, then the changes: + appeared, - gone, ~ changed. */
export function showEffect(effect: Effect): string {
  const { verdict, intent, target, way, passedOver, evidence, isDelivered, isRetrySafe } = effect;
  const isPlan = !isDelivered && verdict === "would";
  const by = way === "" ? "" : `  by ${cleanLine(way)}`;
  const lines = [`${isPlan ? "would do" : verdict}  ${intent} ${describeTarget(target)}${by}`];
  for (const [why, ways] of Map.groupBy(passedOver, (one) => one.why)) {
    lines.push(cleanLine(` not ${ways.map(({ way: other }) => other).join(", ")}: ${why}`));
  }
  if (isPlan) return [...lines, "nothing was done."].join("\n");
  const shown = describeShown(effect.changes);
  for (const fact of evidence) if (!shown.has(fact)) lines.push(cleanLine(` ${fact}`));
  lines.push(...listChanges(effect.changes));
  const more = effect.changes.leftOut;
  if (more > 0) lines.push(`… ${more} more ${more === 1 ? "change" : "changes"}: read shows everything`);
  if (verdict !== "confirmed") lines.push(isRetrySafe ? "trying again is safe." : "trying again may do it twice.");
  return lines.join("\n");
}

function describeTarget({ element, window, words }: Effect["target"]): string {
  if (element !== undefined) return nameControl(element);
  return window === undefined ? cleanLine(words) : nameWindow(window);
}

export function listChanges(changes: Changes): string[] {
  return [
    ...changes.openedWindows.map((window) => `+ window ${nameWindow(window)}`),
    ...changes.closedWindows.map((window) => `- window ${nameWindow(window)}`),
    ...changes.changedWindows.map(
      ({ window, differences }) => `~ window ${nameWindow(window)}${showDifferences(differences)}`,
    ),
    ...changes.appeared.flatMap((element) => listTree("+", element)),
    ...changes.changed.map(({ element, differences }) => `~ ${nameControl(element)}${showDifferences(differences)}`),
    ...changes.switched.map(showSwitched),
    ...changes.gone.map((element) => `- ${nameControl(element)}`),
    ...changes.goneInside.map(({ element, count }) => `- ${count} parts of ${nameControl(element)}`),
  ];
}

/** A few by name, the others by their marks. */
function showSwitched({ isDisabled, changed }: Changes["switched"][number]): string {
  const named = changed.slice(0, maxNamedTogether).map(({ element }) => nameControl(element));
  const marks = changed.slice(maxNamedTogether).map(({ element }) => element.mark);
  const others = marks.length === 0 ? "" : `, ${marks.join(" ")}`;
  return `~ ${changed.length} controls are ${isDisabled ? "disabled" : "usable"} now: ${named.join(", ")}${others}`;
}

/** Evidence that the lines of the changes show, with marks. */
function describeShown(changes: Changes): ReadonlySet<string> {
  return new Set([
    ...changes.openedWindows.map(describeOpened),
    ...changes.closedWindows.map(describeClosed),
    ...changes.changedWindows.flatMap(({ window, differences }) =>
      differences.map(({ what }) => describeOther(window, what)),
    ),
    ...flatten(changes.appeared).map(describeAppeared),
    ...changes.gone.map(describeGone),
    ...changes.changed.map(describeChange),
    ...changes.switched.flatMap(({ changed }) => changed.map(describeChange)),
  ]);
}

function listTree(sign: string, element: MarkedElement): string[] {
  const own = `${sign} ${showElement(element, { withPoints: false, isFlat: true })}`;
  return [own, ...element.children.flatMap((child) => listTree(sign, child))];
}

function showDifferences(differences: readonly Difference[]): string {
  return differences
    .map(
      ({ what, before, after }) => ` ${what} ${quoteText(before, maxShownValue)} → ${quoteText(after, maxShownValue)}`,
    )
    .join(",");
}

function effectToData(effect: Effect): EffectData {
  const { verdict, intent, target, way, passedOver, evidence, changes, isDelivered, isRetrySafe } = effect;
  return {
    effect: verdict,
    did: intent,
    target: targetToData(target),
    way,
    ...(passedOver.length > 0 ? { passedOver } : {}),
    ...(evidence.length > 0 ? { evidence } : {}),
    ...changesToData(changes),
    delivered: isDelivered,
    retry: isRetrySafe ? "safe" : "unsafe",
  };
}

function targetToData({ element, window, words }: Effect["target"]): EffectData["target"] {
  if (element === undefined && window === undefined) return words;
  return {
    ...(element === undefined ? {} : nameOf(element)),
    ...(window === undefined ? {} : { app: window.app, window: window.title, windowId: window.id }),
  };
}

type Named = NonNullable<NonNullable<EffectData["changes"]>["appeared"]>[number];

function nameOf({ mark, role, name, value }: MarkedElement): Named {
  return {
    ...(mark === 0 ? {} : { i: mark }),
    r: shortRole(role),
    ...(name === "" ? {} : { t: name }),
    ...(value === "" ? {} : { v: value }),
  };
}

function nameTree(element: MarkedElement): Named {
  const { children } = element;
  return { ...nameOf(element), ...(children.length === 0 ? {} : { c: children.map(nameTree) }) };
}

function changesToData(changes: Changes): Pick<EffectData, "space" | "changes"> {
  if (changes === noChanges) return {};
  const { openedWindows, closedWindows, changedWindows, appeared, gone, goneInside, changed, switched, leftOut } =
    changes;
  const some = <From, To>(list: readonly From[], toData: (one: From) => To): To[] | undefined =>
    list.length === 0 ? undefined : list.map(toData);
  const told = {
    openedWindows: some(openedWindows, brief),
    closedWindows: some(closedWindows, brief),
    changedWindows: some(changedWindows, ({ window: { id, title }, differences: all }) => ({
      ...{ id, title },
      ...toRecord(all),
    })),
    appeared: some(appeared, nameTree),
    gone: some(gone, nameOf),
    goneInside: some(goneInside, ({ element, count }) => ({ ...nameOf(element), count })),
    changed: some(changed, ({ element, differences: all }) => ({ ...nameOf(element), ...toRecord(all) })),
    switched: some(switched, ({ isDisabled, changed: all }) => ({
      disabled: isDisabled,
      i: all.map(({ element }) => element.mark),
    })),
    leftOut: leftOut === 0 ? undefined : leftOut,
  };
  if (Object.values(told).every((part) => part === undefined)) return {};
  const hasPlaces = [...changedWindows, ...changed].some((one) => one.differences.some(({ what }) => what === "place"));
  return { ...(hasPlaces ? { space: screenSpace } : {}), changes: told };
}

function brief({ id, app, title }: Window): Pick<Window, "id" | "app" | "title"> {
  return { id, app, title };
}

type Differences = { readonly [What in Difference["what"]]?: readonly [string, string] };

function toRecord(list: readonly Difference[]): Differences {
  return Object.fromEntries(list.map(({ what, before, after }) => [what, [before, after]]));
}

function effectToCsv({ verdict, intent, target, way, evidence, isDelivered, isRetrySafe }: Effect): string {
  const row = [
    verdict,
    intent,
    describeTarget(target),
    way,
    evidence.join("; "),
    String(isDelivered),
    isRetrySafe ? "safe" : "unsafe",
  ];
  return joinRows("effect,did,target,way,evidence,delivered,retry", [row]);
}
