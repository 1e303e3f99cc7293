import { type Bounds, clickPointOf, intersect } from "../../model/bounds.ts";
import type { Element } from "../../model/element.ts";
import { cleanText } from "../../model/plain-text.ts";
import { kindOfRole } from "../../model/role.ts";
import { isSecretLabel, isSecretPurpose } from "../../model/secrets.ts";
import { maskSecrets } from "../../model/secrets-in-text.ts";
import type { State } from "../../model/state.ts";
import type { FakeControl } from "./control.ts";

const maxNameLength = 1000;
const maxValueLength = 2000;

export interface BuildContext {
  readonly visible: Bounds;
  readonly includeHidden: boolean;
  nameRuntime(control: FakeControl): string;
}

interface Rank {
  readonly index: number;
  readonly count: number;
}

const onlyOne: Rank = { index: 0, count: 1 };

/** Reads a control and its descendants. `place` is the space its container gives it. */
export function buildElement(
  control: FakeControl,
  context: BuildContext,
  place: Bounds,
  isParentShown = true,
  rank = onlyOne,
): Element {
  const { sketch, role } = control;
  const isOn = isParentShown && !control.isHidden;
  // A hidden element has no position unless the sketch gives one (scrolled away).
  const bounds = sketch.bounds ?? (isOn ? place : undefined);
  const seen = bounds === undefined ? undefined : intersect(bounds, context.visible);
  const isSecret = isSecretControl(control);
  const children = isSecret ? [] : buildChildren(control, context, bounds ?? place, isOn);
  const isSeen = isOn && (seen !== undefined || children.some((child) => !child.states.has("hidden")));
  const states = new Set<State>(control.states);
  if (!isSeen) states.add("hidden");
  if (isSecret) states.add("secret");
  return {
    role,
    platformRole: role,
    name: nameOf(control),
    ownName: ownNameOf(control),
    value: isSecret ? "" : cleanText(maskSecrets(control.value), maxValueLength),
    description: cleanText(maskSecrets(sketch.description ?? ""), maxValueLength),
    states,
    traits: sketch.traits && new Set(sketch.traits),
    bounds,
    clickPoint: bounds === undefined || !isSeen ? undefined : clickPointOf(bounds, context.visible),
    actions: sketch.actions ?? [],
    platformActions: sketch.actions ?? [],
    invocations: Object.fromEntries((sketch.actions ?? []).map((action) => [action, action])),
    shortcut: sketch.shortcut ?? "",
    platformId: sketch.id ?? "",
    source: "a11y",
    life: context.nameRuntime(control).split("/")[0] ?? "",
    handle: context.nameRuntime(control),
    alikeIndex: rank.index,
    alikeCount: rank.count,
    url: sketch.url ?? "",
    place: JSON.stringify(bounds),
    children,
  };
}

function buildChildren(control: FakeControl, context: BuildContext, place: Bounds, isOn: boolean): Element[] {
  const ranks = rankAlike(control.children);
  const shown = control.children.filter((child) => !child.isHidden);
  const height = Math.max(1, Math.floor(place.height / Math.max(1, shown.length)));
  return control.children
    .filter((child) => context.includeHidden || !child.isHidden)
    .map((child) => {
      const share = { ...place, y: place.y + height * Math.max(0, shown.indexOf(child)), height };
      return buildElement(child, context, share, isOn, ranks.get(child));
    })
    .filter((child) => context.includeHidden || !child.states.has("hidden"));
}

/** Hidden siblings count, as on Linux. */
function rankAlike(sisters: readonly FakeControl[]): ReadonlyMap<FakeControl, Rank> {
  const ranks = new Map<FakeControl, Rank>();
  for (const group of Map.groupBy(sisters, (sister) => `${sister.role}:${nameOf(sister)}`).values()) {
    for (const [index, sister] of group.entries()) ranks.set(sister, { index, count: group.length });
  }
  return ranks;
}

/** A control without a name is named by its content, except secret text. */
function nameOf(control: FakeControl): string {
  const own = ownNameOf(control);
  if (own !== "" || kindOfRole(control.role) !== "control" || isSecretControl(control)) return own;
  const texts = control
    .listAll()
    .slice(1)
    .map(ownNameOf)
    .filter((text) => text !== "");
  return cleanText(texts.join(" "), maxNameLength);
}

/** Its own name as readers see it. */
export function ownNameOf({ name }: FakeControl): string {
  return cleanText(maskSecrets(name), maxNameLength);
}

function isSecretControl({ sketch, name, states }: FakeControl): boolean {
  if (sketch.secret === true) return true;
  const isEditable = states.has("editable");
  if (isEditable && isSecretPurpose(sketch.autocomplete ?? "")) return true;
  return isEditable && isSecretLabel(name, sketch.description ?? "", sketch.id ?? "");
}
