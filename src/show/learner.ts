import type { ScreenContext } from "../model/context.ts";
import { cleanLine, quoteName, quoteText, shorten } from "../model/plain-text.ts";
import type { Target } from "../model/target.ts";
import { joinRows } from "./csv.ts";
import { stringify } from "./json.ts";
import { maxNameLength } from "./text.ts";

const maxLabelLength = 200;

/** What a list of targets shows: the first so many, and how many there are in all. */
export interface TargetList {
  readonly context: ScreenContext;
  readonly targets: readonly Target[];
  readonly max: number;
}

export function targetListToJson({ context, targets, max }: TargetList, isPretty: boolean): string {
  const { activeApp, notes } = context;
  return stringify(
    {
      app: activeApp.name,
      window: activeApp.windowTitle,
      elementCount: targets.length,
      elements: targets.slice(0, max).map((target) => ({
        id: String(target.mark),
        type: target.role,
        label: shorten(target.label, maxLabelLength),
        position: showPoint(target),
        confidence: target.confidence.toFixed(2),
        learned: target.isLearned,
        ...(target.isStale ? { stale: true } : {}),
        ...(target.source === "a11y" ? {} : { source: target.source }),
      })),
      ...(notes.length === 0 ? {} : { partial: true, notes }),
    },
    isPretty,
  );
}

/** A line a target: its mark, role, label and how sure it is. Whoever acts by mark needs no place: JSON and CSV have it. */
export function showTargetList({ context, targets, max }: TargetList): string {
  const { activeApp, notes } = context;
  const more =
    targets.length > max ? [`! ${targets.length - max} more: narrow it down with --app-filter or --role-filter`] : [];
  return [
    `# ${quoteName(activeApp.name)} ${quoteText(activeApp.windowTitle, maxNameLength)}`,
    ...notes.map(({ code, text }) => `! ${code} ${cleanLine(text)}`),
    ...targets.slice(0, max).map(showTarget),
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

function showPoint({ clickPoint }: Target): string {
  return clickPoint === undefined ? "" : `(${clickPoint.x}, ${clickPoint.y})`;
}

export function targetListToCsv({ targets, max }: TargetList): string {
  const rows = targets.slice(0, max).map((target) => {
    const { mark, app, window, role, label, clickPoint, confidence, source, isLearned, isStale } = target;
    const point = [clickPoint?.x ?? "", clickPoint?.y ?? ""];
    return [mark, app, window, role, label, ...point, confidence.toFixed(2), source, isLearned, isStale].map(String);
  });
  return joinRows("id,app,window,type,label,x,y,confidence,source,learned,stale", rows);
}

/** Everything about the screen, in the words of the learner's own design. */
export function contextToJson(context: ScreenContext, isPretty: boolean): string {
  const { takenAtMs, activeApp, screenSize, targets, focused, learnedPatterns, notes } = context;
  const ids = (roles: readonly Target["role"][]) => targets.filter(({ role }) => roles.includes(role)).map(idOf);
  return stringify(
    {
      timestamp: takenAtMs,
      activeApp,
      screenSize,
      targets: targets.map(targetToJson),
      // Named by their ids: each of them stands in the list above.
      buttons: ids(["button"]),
      inputs: ids(["input", "textarea"]),
      links: ids(["link"]),
      ...(focused === undefined
        ? {}
        : { focused: { ...targetToJson(focused.target), keyboardActions: focused.keyboardActions } }),
      learnedPatterns,
      ...(notes.length === 0 ? {} : { partial: true, notes }),
    },
    isPretty,
  );
}

function idOf({ mark }: Target): string {
  return String(mark);
}

function targetToJson(target: Target) {
  const { app, window, role, label, bounds, clickPoint, confidence, source, parent, depth, visualHash } = target;
  return {
    id: idOf(target),
    appName: app,
    windowTitle: window,
    role,
    label: shorten(label, maxLabelLength),
    bounds,
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

export function showContext(context: ScreenContext): string {
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
