import { type Bounds, centreOf, containsPoint, intersect, type Point } from "../model/bounds.ts";
import type { Direction } from "../model/deed.ts";
import type { Element } from "../model/element.ts";
import { fail, type Result, succeed } from "../model/failure.ts";
import type { Role } from "../model/role.ts";
import type { Stage } from "./stage.ts";
import { nameElement } from "./words.ts";

const stillMs = 30;
const unrestMs = 300;
/** A list of hundreds of rows takes a few dozen turns; one that never ends is given up. */
const maxTurns = 60;
const wheelSteps = 3;

const entryRoles: ReadonlySet<Role> = new Set<Role>(["row", "cell", "item", "treeitem", "option"]);
const scrollers: ReadonlySet<Role> = new Set<Role>(["scroll", "list", "tree", "table", "document", "web", "tablist"]);

export function isInView({ clickPoint, states }: Element): boolean {
  return clickPoint !== undefined && !states.has("hidden");
}

/** Each way of scrolling a control into view, until it is there: asked for, by the focus, by the wheel. */
export async function revealTarget(stage: Stage): Promise<Result<boolean>> {
  for (const reveal of [byAsking, byFocusing, byWheel]) {
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

/** Turns the wheel over what the control is scrolled out of, as long as that brings it nearer. */
async function byWheel(stage: Stage): Promise<Result<void>> {
  for (let turn = 0; turn < maxTurns && !isInView(stage.element); turn += 1) {
    const scroller = findScroller(stage);
    const { bounds } = stage.element;
    const direction = scroller?.bounds && bounds && findDirection(scroller.bounds, bounds);
    const point = scroller && findPointIn(stage, scroller);
    if (bounds === undefined || direction === undefined || point === undefined) return succeed(undefined);
    const reached = await isReached(stage, point);
    if (!reached.ok) return reached;
    const deed = { kind: "wheel" as const, point, direction, amount: wheelSteps };
    const turned = await stage.prepare(deed, `the wheel was turned ${direction}`);
    if (!turned.ok) return turned;
    await stage.watch.waitForSign(unrestMs);
    await stage.watch.waitForStillness(stillMs, unrestMs);
    const again = await stage.lookAgain();
    if (!again.ok) return again;
    const now = stage.element.bounds;
    if (now !== undefined && now.x === bounds.x && now.y === bounds.y) return succeed(undefined);
  }
  return succeed(undefined);
}

function findScroller({ sighting }: Stage): Element | undefined {
  return sighting.placed.ancestors.findLast(
    ({ role, bounds, states }) => scrollers.has(role) && bounds !== undefined && !states.has("hidden"),
  );
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
