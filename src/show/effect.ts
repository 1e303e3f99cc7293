import { type Changes, type Difference, type Effect, noChanges } from "../model/effect.ts";
import { cleanLine, quoteName, quoteText } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import type { MarkedElement } from "../model/view.ts";
import type { Window } from "../model/window.ts";
import { joinRows } from "./csv.ts";
import { stringify } from "./json.ts";
import { maxNameLength, showElement } from "./text.ts";

const maxLines = 20;
const maxShownValue = 80;

/** The verdict and the way in the first line, then what was seen, then what is different: + came, - went, ~ changed. */
export function showEffect(effect: Effect): string {
  const { verdict, intent, target, way, passedOver, evidence, isDelivered, isRetrySafe } = effect;
  const isPlan = !isDelivered && verdict === "refused";
  const by = way === "" ? "" : `  by ${cleanLine(way)}`;
  const lines = [`${isPlan ? "would do" : verdict}  ${intent} ${describeTarget(target)}${by}`];
  for (const [why, ways] of Map.groupBy(passedOver, (one) => one.why)) {
    lines.push(cleanLine(` not ${ways.map(({ way: other }) => other).join(", ")}: ${why}`));
  }
  if (isPlan) return [...lines, "nothing was done."].join("\n");
  for (const fact of evidence) lines.push(cleanLine(` ${fact}`));
  const changes = listChanges(effect.changes);
  lines.push(...changes.slice(0, maxLines));
  const more = Math.max(0, changes.length - maxLines) + effect.changes.leftOut;
  if (more > 0) lines.push(`… ${more} more ${more === 1 ? "change" : "changes"}: read shows everything`);
  if (verdict !== "confirmed") lines.push(isRetrySafe ? "trying again is safe." : "trying again may do it twice.");
  return lines.join("\n");
}

function describeTarget({ element, window, words }: Effect["target"]): string {
  if (element !== undefined) return nameElement(element);
  return window === undefined ? cleanLine(words) : nameWindow(window);
}

function nameElement({ mark, role, name }: MarkedElement): string {
  const label = name === "" ? "" : ` ${quoteText(name, maxNameLength)}`;
  return `${mark === 0 ? "" : `${mark} `}${shortRole(role)}${label}`;
}

function nameWindow({ app, title }: Window): string {
  return `${quoteName(app)} ${quoteText(title, maxNameLength)}`;
}

export function listChanges(changes: Changes): string[] {
  return [
    ...changes.openedWindows.map((window) => `+ window ${nameWindow(window)}`),
    ...changes.closedWindows.map((window) => `- window ${nameWindow(window)}`),
    ...changes.changedWindows.map(
      ({ window, differences }) => `~ window ${nameWindow(window)}${showDifferences(differences)}`,
    ),
    ...changes.appeared.flatMap((element) => listTree("+", element)),
    ...changes.gone.map((element) => `- ${nameElement(element)}`),
    ...changes.changed.map(({ element, differences }) => `~ ${nameElement(element)}${showDifferences(differences)}`),
  ];
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

export function effectToJson(effect: Effect, isPretty: boolean): string {
  const { verdict, intent, target, way, passedOver, evidence, changes, isDelivered, isRetrySafe } = effect;
  const json = {
    effect: verdict,
    did: intent,
    target: targetToJson(target),
    way,
    ...(passedOver.length > 0 ? { passedOver } : {}),
    ...(evidence.length > 0 ? { evidence } : {}),
    ...changesToJson(changes),
    delivered: isDelivered,
    retry: isRetrySafe ? "safe" : "unsafe",
  };
  return stringify(json, isPretty);
}

function targetToJson({ element, window, words }: Effect["target"]): unknown {
  if (element === undefined && window === undefined) return words;
  return {
    ...(element === undefined ? {} : elementToName(element)),
    ...(window === undefined ? {} : { app: window.app, window: window.title, windowId: window.id }),
  };
}

function elementToName({ mark, role, name, value }: MarkedElement): Record<string, unknown> {
  return {
    ...(mark === 0 ? {} : { i: mark }),
    r: shortRole(role),
    ...(name === "" ? {} : { t: name }),
    ...(value === "" ? {} : { v: value }),
  };
}

function changesToJson(changes: Changes): Record<string, unknown> {
  if (changes === noChanges) return {};
  const nested = (element: MarkedElement): Record<string, unknown> => ({
    ...elementToName(element),
    ...(element.children.length === 0 ? {} : { c: element.children.map(nested) }),
  });
  const lists = {
    openedWindows: changes.openedWindows.map(({ id, app, title }) => ({ id, app, title })),
    closedWindows: changes.closedWindows.map(({ id, app, title }) => ({ id, app, title })),
    changedWindows: changes.changedWindows.map(({ window: { id, title }, differences }) => ({
      id,
      title,
      ...toRecord(differences),
    })),
    appeared: changes.appeared.map(nested),
    gone: changes.gone.map(elementToName),
    changed: changes.changed.map(({ element, differences }) => ({
      ...elementToName(element),
      ...toRecord(differences),
    })),
  };
  const filled: [string, unknown][] = Object.entries(lists).filter(([, list]) => list.length > 0);
  if (changes.leftOut > 0) filled.push(["leftOut", changes.leftOut]);
  return filled.length === 0 ? {} : { changes: Object.fromEntries(filled) };
}

function toRecord(differences: readonly Difference[]): Record<string, readonly [string, string]> {
  return Object.fromEntries(differences.map(({ what, before, after }) => [what, [before, after]]));
}

export function effectToCsv({ verdict, intent, target, way, evidence, isDelivered, isRetrySafe }: Effect): string {
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
