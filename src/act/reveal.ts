import { type Bounds, centreOf, containsPoint, intersect, type Point } from "../model/bounds.ts";
import type { Direction } from "../model/command.ts";
import type { Element } from "../model/element.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import { entryRoles, type Role } from "../model/role.ts";
import { findBars } from "./bars.ts";
import type { Stage } from "./stage.ts";
import { nameElement } from "./words.ts";

const stillMs = 30;
const unrestMs = 300;
/** A list of hundreds of rows takes a few dozen turns; one that never ends is given up. */
const maxTurns = 60;
const wheelSteps = 3;
const maxClicks = 200;

const scrollers: ReadonlySet<Role> = new Set<Role>(["scroll", "list", "tree", "table", "document", "web", "tablist"]);

export function isInView({ clickPoint, states }: Element): boolean {
  return clickPoint !== undefined && !states.has("hidden");
}

/** Each way of scrolling a control into view, until it is there: asked for, by the focus, by the bar, by the wheel. */
export async function revealTarget(stage: Stage): Promise<Result<boolean>> {
  for (const reveal of [byAsking, byFocusing, byBar, byWheel]) {
    if (isInView(stage.element)) return succeed(true);
    const tried = await reveal(stage);
    if (!tried.ok) return tried;
  }
  return succeed(isInView(stage.element));
}

async function byAsking(stage: Stage): Promise<Result<void>> {
  const { element } = stage;
  return lookAfter(stage, await stage.prepare({ kind: "reveal", element }, `${nameElement(element)} was scrolled to`));
}

/** Lists scroll to the entry that gets the focus. */
async function byFocusing(stage: Stage): Promise<Result<void>> {
  const { element } = stage;
  if (!entryRoles.has(element.role) || !element.states.has("focusable")) return succeed(undefined);
  return lookAfter(stage, await stage.prepare({ kind: "focus", element }, `${nameElement(element)} got the focus`));
}

async function lookAfter(stage: Stage, done: Result<void>): Promise<Result<void>> {
  if (!done.ok) return done.failure.code === "PATTERN_UNSUPPORTED" ? succeed(undefined) : done;
  await stage.watch.waitForStillness(stillMs, unrestMs);
  const again = await stage.lookAgain();
  return again.ok ? succeed(undefined) : again;
}

/** The bar goes to where an entry stands among its sisters; the wheel does the rest. */
async function byBar(stage: Stage): Promise<Result<void>> {
  const share = findShare(stage);
  if (share === undefined) return succeed(undefined);
  const bar = (await findBars(stage)).find(({ states }) => states.has("vertical"));
  if (bar === undefined) return succeed(undefined);
  const command = { kind: "set-number" as const, element: bar, value: share * 100, unit: "percent" as const };
  return lookAfter(stage, await stage.prepare(command, "its scroll bar was moved"));
}

/** Where an entry stands in its list, 0 to 1; undefined for what is in no long list. */
function findShare(stage: Stage): number | undefined {
  const ranks = rankInList(stage);
  return ranks === undefined || ranks.count < 2 ? undefined : ranks.index / (ranks.count - 1);
}

/** The place of an entry among its sisters, and which of them show. */
function rankInList({ sighting }: Stage) {
  const { element, ancestors } = sighting.placed;
  const chain = [...ancestors, element];
  const at = chain.findLastIndex(({ role }) => entryRoles.has(role));
  const [entry, list] = [chain[at], chain[at - 1]];
  if (entry === undefined || list === undefined) return undefined;
  const index = list.children.findIndex(({ handle }) => handle === entry.handle);
  const shown = list.children.flatMap(({ states }, place) => (states.has("hidden") ? [] : [place]));
  return { index, count: list.children.length, first: shown[0], last: shown.at(-1) };
}

/** Turns the wheel over what the control is scrolled out of, as long as that brings it nearer. */
async function byWheel(stage: Stage): Promise<Result<void>> {
  let amount = wheelSteps;
  for (let turn = 0; turn < maxTurns && !isInView(stage.element); turn += 1) {
    const way = measureWay(stage);
    const frame = findScroller(stage);
    const point = frame && findPointIn(stage, frame);
    if (way === undefined || point === undefined) return succeed(undefined);
    const { direction } = way;
    const reached = await isReached(stage, point);
    if (!reached.ok) return reached;
    const turned = await stage.prepare(
      { kind: "wheel", point, direction, amount },
      `the wheel was turned ${direction}`,
    );
    if (!turned.ok) return turned;
    await stage.watch.waitForSign(unrestMs);
    await stage.watch.waitForStillness(stillMs, unrestMs);
    const again = await stage.lookAgain();
    if (!again.ok) return again;
    const left = measureWay(stage);
    const gain = left?.unit === way.unit && left.direction === direction ? way.rest - left.rest : 0;
    if (left === undefined || (gain <= 0 && left.direction === direction)) return succeed(undefined);
    // As many clicks as the rest takes, a little less, so that nothing is passed.
    amount = gain <= 0 ? 1 : Math.min(maxClicks, Math.max(1, Math.floor((left.rest * amount * 0.9) / gain)));
  }
  return succeed(undefined);
}

interface Distance {
  readonly direction: Direction;
  readonly rest: number;
  readonly unit: "pixels" | "entries";
}

/** How far it is: by its place where that is known, else by its place among the entries that show. */
function measureWay(stage: Stage): Distance | undefined {
  const frame = findScroller(stage)?.bounds;
  const { bounds } = stage.element;
  const direction = frame && bounds && findDirection(frame, bounds);
  if (frame !== undefined && bounds !== undefined && direction !== undefined) {
    const [here, there] = [centreOf(frame), centreOf(bounds)];
    return { direction, rest: Math.abs(there.y - here.y) + Math.abs(there.x - here.x), unit: "pixels" };
  }
  const ranks = rankInList(stage);
  if (ranks?.first === undefined || ranks.last === undefined) return undefined;
  if (ranks.index > ranks.last) return { direction: "down", rest: ranks.index - ranks.last, unit: "entries" };
  if (ranks.index < ranks.first) return { direction: "up", rest: ranks.first - ranks.index, unit: "entries" };
  return undefined;
}

/** What shows a part of a list; the list itself may be as long as all it holds. */
function findScroller({ sighting }: Stage): Element | undefined {
  const shown = sighting.placed.ancestors.filter(({ bounds, states }) => bounds !== undefined && !states.has("hidden"));
  return shown.findLast(({ role }) => role === "scroll") ?? shown.findLast(({ role }) => scrollers.has(role));
}

function findDirection(frame: Bounds, target: Bounds): Direction | undefined {
  if (target.y < frame.y) return "up";
  if (target.y + target.height > frame.y + frame.height) return "down";
  if (target.x < frame.x) return "left";
  return target.x + target.width > frame.x + frame.width ? "right" : undefined;
}

/** The middle of what shows of it. */
export function findPointIn({ window }: Stage, { bounds }: Element): Point | undefined {
  const seen = bounds && intersect(bounds, window.bounds);
  return seen && centreOf(seen);
}

/** A wheel turns what is under the pointer: the window must be there. */
export async function isReached(stage: Stage, point: Point): Promise<Result<void>> {
  const top = await stage.desktop.platform.findWindowAt(point);
  if (!top.ok) return top;
  if (top.value?.id === stage.window.id) return succeed(undefined);
  const raised = await stage.bringToFront();
  if (!raised.ok) return raised;
  const again = await stage.desktop.platform.findWindowAt(point);
  if (!again.ok) return again;
  if (again.value?.id === stage.window.id && containsPoint(stage.window.bounds, point)) return succeed(undefined);
  return fail(stage.describe("COVERED", `something lies over ${nameElement(stage.element)}`, "move or close it."));
}
