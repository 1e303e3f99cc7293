import { makeDemoTarget } from "../find/demo-target.ts";
import { locateOne, type Sighting } from "../find/locate.ts";
import { withMap } from "../find/read.ts";
import type { Point } from "../model/bounds.ts";
import type { Effect } from "../model/effect.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { nameElement } from "../model/observed.ts";
import type { Aim, Order } from "../model/order.ts";
import { Attempt } from "./attempt.ts";
import type { ActRequest, GatedDesktop } from "./desktop.ts";
import { Inputs } from "./inputs.ts";
import { confirm, judgeAnything, judgePress } from "./judge.ts";
import { prepareForPointer, prepareForPress, refuseUnusable } from "./readiness.ts";
import { describePoint, findIn, performUntargeted } from "./untargeted.ts";

type DragRequest = Omit<ActRequest, "order"> & { readonly order: Order & { readonly kind: "drag" } };

/** Drags from one control or point to another. Both ends are made ready before the button is pressed. */
export function performDrag(desktop: GatedDesktop, request: DragRequest): Promise<Result<Effect>> {
  return withMap(async () => {
    const { aim, order } = request;
    if (aim === undefined) {
      return fail(describeUsage("the start of the drag is missing", "--from-id N, or --from-x and --from-y."));
    }
    const to = await findEnd(desktop, request, order.to, prepareForPointer);
    if (!to.ok) return to;
    const from = await findEnd(desktop, request, aim, (attempt) => prepareForPress(attempt, undefined, order.button));
    if (!from.ok) return from;
    const shown = request.isDryRun ? from.value.sighting?.read.window : undefined;
    const window = shown === undefined ? await desktop.platform.findWindowAt(from.value.point) : succeed(shown);
    if (!window.ok) return window;
    const source = from.value.sighting ?? (await findThere(desktop, request, aim));
    const element = source?.placed.element;
    const onto = to.value.sighting ?? (await findThere(desktop, request, order.to));
    return performUntargeted(desktop, {
      tool: request.tool,
      isDryRun: request.isDryRun,
      isUnverified: request.isUnverified,
      foretold: request.foretold,
      timeoutMs: request.timeoutMs,
      window: window.value,
      words: `${from.value.words} to ${to.value.words}`,
      way: "pointer",
      command: { kind: "drag", from: from.value.point, to: to.value.point, button: order.button },
      isRepeatable: false,
      onto: onto?.placed.element,
      toRef: onto && makeDemoTarget(onto.snapshot, onto.placed.element, onto.read.window).ref,
      find: (reads) => findIn(reads, ({ handle }) => handle === element?.handle),
      judge: (found) => (found === undefined ? judgeAnything : judgeMoved(found)),
    });
  });
}

/** Confirmed if the dragged control moved, or if something else appeared, disappeared or changed. */
function judgeMoved(before: Sighting["placed"]["element"]) {
  const press = judgePress(before);
  return (observation: Parameters<typeof press>[0]) => {
    const { target } = observation;
    const [from, to] = [before.bounds, target?.bounds];
    const isMoved = from !== undefined && to !== undefined && (from.x !== to.x || from.y !== to.y);
    if (isMoved) return confirm(`${nameElement(before)} has moved`);
    return press(observation);
  };
}

interface End {
  readonly point: Point;
  readonly words: string;
  readonly sighting?: Sighting;
}

async function findEnd(
  desktop: GatedDesktop,
  request: DragRequest,
  aim: Aim,
  prepare: (attempt: Attempt) => Promise<Result<Point>>,
): Promise<Result<End>> {
  if (aim.by === "point") return succeed({ point: aim.point, words: describePoint(aim.point) });
  const sighting = await locateOne(desktop, aim, request);
  if (!sighting.ok) return sighting;
  const { element } = sighting.value.placed;
  if (request.isDryRun) {
    // It may be out of view: a dry run does not bring it there.
    const point = element.clickPoint ?? element.bounds ?? { x: 0, y: 0 };
    return succeed({ point, words: nameElement(element), sighting: sighting.value });
  }
  const watch = await desktop.platform.watch([sighting.value.read.window], request.timeoutMs);
  if (!watch.ok) return watch;
  try {
    const inputs = new Inputs(desktop.marks, [sighting.value.read.window], watch.value);
    const attempt = new Attempt(desktop, request.tool, aim, request, sighting.value, watch.value, inputs);
    const unusable = await refuseUnusable(attempt);
    if (unusable !== undefined) return fail(unusable);
    const point = await prepare(attempt);
    if (!point.ok) return point;
    return succeed({ point: point.value, words: nameElement(attempt.element), sighting: attempt.sighting });
  } finally {
    watch.value.close();
  }
}

/** The control at an end, for the guard: a trash can or a secret field counts even if only its point was given. */
async function findThere(desktop: GatedDesktop, request: DragRequest, aim: Aim): Promise<Sighting | undefined> {
  const sighting = await locateOne(desktop, aim, request);
  return sighting.ok ? sighting.value : undefined;
}
