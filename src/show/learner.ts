import * as z from "zod/mini";
import { screenSpace } from "../model/bounds.ts";
import type { ScreenContext } from "../model/context.ts";
import { cleanLine, quoteName, quoteText, shorten } from "../model/plain-text.ts";
import { learnerRoles } from "../model/role.ts";
import { sources } from "../model/source.ts";
import type { Target } from "../model/target.ts";
import { joinRows } from "./csv.ts";
import { bounds, type DataOf, type Forms, partly, point, space, titled } from "./output.ts";
import { maxNameLength, nameWindow } from "./text.ts";

const maxLabelLength = 200;

const learnerRole = () => titled("LearnerRole", z.enum(learnerRoles));

/** The first `max` targets are listed, and all are counted. */
export interface TargetList {
  readonly context: ScreenContext;
  readonly targets: readonly Target[];
  readonly max: number;
}

export const targetListOutput = () =>
  z.strictObject({
    app: z.string(),
    window: z.string(),
    space: space(),
    elementCount: z.number(),
    elements: z.array(
      z.strictObject({
        id: z.string(),
        type: learnerRole(),
        label: z.string(),
        position: z.string(),
        confidence: z.string(),
        learned: z.boolean(),
        stale: z.optional(z.literal(true)),
        source: z.optional(z.enum(sources)),
      }),
    ),
    ...partly(),
  });

export const targetListForms: Forms<TargetList, DataOf<typeof targetListOutput>> = {
  data: ({ context: { activeApp, notes }, targets, max }) => ({
    app: activeApp.name,
    window: activeApp.windowTitle,
    space: screenSpace,
    elementCount: targets.length,
    elements: targets.slice(0, max).map((target) => ({
      id: idOf(target),
      type: target.role,
      label: shorten(target.label, maxLabelLength),
      position: target.clickPoint === undefined ? "" : `(${target.clickPoint.x}, ${target.clickPoint.y})`,
      confidence: target.confidence.toFixed(2),
      learned: target.isLearned,
      ...(target.isStale ? { stale: true } : {}),
      ...(target.source === "a11y" ? {} : { source: target.source }),
    })),
    ...(notes.length === 0 ? {} : { partial: true, notes }),
  }),
  text: showTargetList,
  csv: targetListToCsv,
};

/** The targets of each window, one line each: mark, role, label and confidence. Places are in JSON and CSV: acting by mark needs none. */
function showTargetList({ context, targets, max }: TargetList): string {
  const { activeApp, notes } = context;
  const more =
    targets.length > max ? [`! ${targets.length - max} more: narrow it down with --app-filter or --role-filter`] : [];
  const name = ({ app, window }: Pick<Target, "app" | "window">): string => `# ${nameWindow({ app, title: window })}`;
  const groups = Map.groupBy(targets.slice(0, max), name);
  return [
    ...(groups.size === 0 ? [name({ app: activeApp.name, window: activeApp.windowTitle })] : []),
    ...notes.map(({ code, text }) => `! ${code} ${cleanLine(text)}`),
    ...[...groups].flatMap(([window, own]) => [window, ...own.map(showTarget)]),
    ...more,
  ].join("\n");
}

function showTarget(target: Target): string {
  const label = target.label === "" ? "" : ` ${quoteText(target.label, maxNameLength)}`;
  const signs = [
    target.isLearned ? " learned" : "",
    target.isStale ? " stale" : "",
    target.source === "a11y" ? "" : ` ${target.source}`,
  ];
  return `${target.mark} ${target.role}${label} ${target.confidence.toFixed(2)}${signs.join("")}`;
}

function targetListToCsv({ targets, max }: TargetList): string {
  const rows = targets.slice(0, max).map((target) => {
    const { mark, app, window, role, label, clickPoint, confidence, source, isLearned, isStale } = target;
    const point = [clickPoint?.x ?? "", clickPoint?.y ?? ""];
    return [mark, app, window, role, label, ...point, confidence.toFixed(2), source, isLearned, isStale].map(String);
  });
  return joinRows("id,app,window,type,label,x,y,confidence,source,learned,stale", rows);
}

const targetOutput = () =>
  z.strictObject({
    id: z.string(),
    appName: z.string(),
    windowTitle: z.string(),
    role: learnerRole(),
    label: z.string(),
    bounds: z.optional(bounds()),
    clickPoint: z.optional(point()),
    confidence: z.number(),
    source: z.enum(sources),
    firstSeen: z.number(),
    lastSeen: z.number(),
    hitCount: z.number(),
    missCount: z.number(),
    parentId: z.optional(z.string()),
    depth: z.number(),
    visualHash: z.optional(z.string()),
    layoutVersion: z.number(),
    learned: z.boolean(),
    stale: z.optional(z.literal(true)),
  });

/** Everything about the screen, in the terms of the learner's own design. */
export const contextOutput = () => {
  const keys = z.array(z.strictObject({ keys: z.string(), does: z.string() }));
  return z.strictObject({
    timestamp: z.number(),
    activeApp: z.strictObject({ name: z.string(), bundleId: z.optional(z.string()), windowTitle: z.string() }),
    space: space(),
    screenSize: z.strictObject({ width: z.number(), height: z.number() }),
    targets: z.array(targetOutput()),
    buttons: z.array(z.string()),
    inputs: z.array(z.string()),
    links: z.array(z.string()),
    focused: z.optional(z.extend(targetOutput(), { keyboardActions: keys })),
    learnedPatterns: z.strictObject({
      appSignature: z.string(),
      commonActions: z.array(z.string()),
      layoutVersion: z.number(),
    }),
    ...partly(),
  });
};

export const contextForms: Forms<ScreenContext, DataOf<typeof contextOutput>> = {
  data({ takenAtMs, activeApp, screenSize, targets, focused, learnedPatterns, notes }) {
    const ids = (roles: readonly Target["role"][]) => targets.filter(({ role }) => roles.includes(role)).map(idOf);
    return {
      timestamp: takenAtMs,
      activeApp,
      space: screenSpace,
      screenSize,
      targets: targets.map(targetToData),
      // Ids of entries of `targets`.
      buttons: ids(["button"]),
      inputs: ids(["input", "textarea"]),
      links: ids(["link"]),
      focused: focused && { ...targetToData(focused.target), keyboardActions: focused.keyboardActions },
      learnedPatterns,
      ...(notes.length === 0 ? {} : { partial: true, notes }),
    };
  },
  text: showContext,
  csv(context) {
    const { targets } = context;
    return targets.length === 0 ? joinRows("id", []) : targetListToCsv({ context, targets, max: targets.length });
  },
};

function idOf({ mark }: Target): string {
  return String(mark);
}

function targetToData(target: Target): DataOf<typeof targetOutput> {
  const { app, window, role, label, bounds: place, clickPoint, confidence, source, parent, depth, visualHash } = target;
  return {
    id: idOf(target),
    appName: app,
    windowTitle: window,
    role,
    label: shorten(label, maxLabelLength),
    bounds: place,
    clickPoint,
    confidence: Math.round(confidence * 100) / 100,
    source,
    firstSeen: target.firstSeenMs,
    lastSeen: target.lastSeenMs,
    hitCount: target.hits,
    missCount: target.misses,
    ...(parent === undefined ? {} : { parentId: String(parent) }),
    depth,
    ...(visualHash === "" ? {} : { visualHash }),
    layoutVersion: target.layoutVersion,
    learned: target.isLearned,
    ...(target.isStale ? { stale: true } : {}),
  };
}

function showContext(context: ScreenContext): string {
  const { focused, learnedPatterns, activeApp, screenSize } = context;
  const { commonActions, layoutVersion } = learnedPatterns;
  const keys = focused?.keyboardActions.map((one) => `${one.keys}: ${one.does}`).join("; ");
  return [
    showTargetList({ context, targets: context.targets, max: context.targets.length }),
    `screen ${screenSize.width}x${screenSize.height}`,
    ...(activeApp.bundleId === undefined ? [] : [`desktop file ${quoteName(activeApp.bundleId)}`]),
    ...(focused === undefined ? [] : [`focus ${showTarget(focused.target)}`, `keys ${keys}`]),
    `layout ${layoutVersion}`,
    ...(commonActions.length === 0 ? [] : [`used here ${commonActions.map((one) => quoteText(one, 40)).join(", ")}`]),
  ].join("\n");
}
