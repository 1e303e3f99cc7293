import { locateOne, type Sighting } from "../find/locate.ts";
import { withMap } from "../find/read.ts";
import type { Point } from "../model/bounds.ts";
import type { Effect } from "../model/effect.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import type { Aim, Order } from "../model/order.ts";
import type { ActRequest, GatedDesktop } from "./desktop.ts";
import { describePoint, findIn, performFreely } from "./free.ts";
import { judgeAnything, judgePress } from "./judge.ts";
import { prepareForPress } from "./press-pause.ts";
import { prepareForPointer, refuseUnusable } from "./readiness.ts";
import { Stage } from "./stage.ts";
import { nameElement } from "./words.ts";

type DragRequest = Omit<ActRequest, "order"> & { readonly order: Order & { readonly kind: "drag" } };

/** From one control or point to another, with a button held down. Both ends are made ready before anything is pressed. */
export function performDrag(desktop: GatedDesktop, request: DragRequest): Promise<Result<Effect>> {
  return withMap(async () => {
    const { aim, order, isDryRun } = request;
    if (aim === undefined) return fail(describeNoStart());
    const to = await findEnd(desktop, request, order.to, prepareForPointer);
    if (!to.ok) return to;
    const from = await findEnd(desktop, request, aim, (stage) => prepareForPress(stage, undefined, order.button));
    if (!from.ok) return from;
    const window = await desktop.platform.findWindowAt(from.value.point);
    if (!window.ok) return window;
    const source = from.value.sighting ?? (await findThere(desktop, request, aim));
    const element = source?.placed.element;
    const onto = to.value.sighting ?? (await findThere(desktop, request, order.to));
    return performFreely(desktop, {
      tool: request.tool,
      isDryRun,
      timeoutMs: request.timeoutMs,
      window: window.value,
      words: `${from.value.words} to ${to.value.words}`,
      way: "pointer",
      command: { kind: "drag", from: from.value.point, to: to.value.point, button: order.button },
      isRepeatable: false,
      onto: onto?.placed.element,
      find: (reads) => findIn(reads, ({ handle }) => handle === element?.handle),
      judge: (found) => (found === undefined ? judgeAnything() : judgeMoved(found)),
    });
  });
}

/** A dragged control shows it: it moved, or something else came, went or changed. */
function judgeMoved(before: Sighting["placed"]["element"]) {
  const press = judgePress(before);
  return (observation: Parameters<typeof press>[0]) => {
    const { target } = observation;
    const [from, to] = [before.bounds, target?.bounds];
    const isMoved = from !== undefined && to !== undefined && (from.x !== to.x || from.y !== to.y);
    if (isMoved) return { verdict: "confirmed" as const, evidence: [`${nameElement(before)} is elsewhere now`] };
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
  prepare: (stage: Stage) => Promise<Result<Point>>,
): Promise<Result<End>> {
  if (aim.by === "point") return succeed({ point: aim.point, words: describePoint(aim.point) });
  const sighting = await locateOne(desktop, aim, request);
  if (!sighting.ok) return sighting;
  const { element } = sighting.value.placed;
  if (request.isDryRun && element.clickPoint !== undefined) {
    return succeed({ point: element.clickPoint, words: nameElement(element), sighting: sighting.value });
  }
  const watch = await desktop.platform.watch([sighting.value.read.window], request.timeoutMs);
  if (!watch.ok) return watch;
  try {
    const stage = new Stage(desktop, request.tool, aim, request, sighting.value, watch.value);
    const unusable = refuseUnusable(stage);
    if (unusable !== undefined) return fail(unusable);
    const point = await prepare(stage);
    if (!point.ok) return point;
    return succeed({ point: point.value, words: nameElement(stage.element), sighting: stage.sighting });
  } finally {
    watch.value.close();
  }
}

/** What is at an end, for the guard: a trash, or a secret, is one by whatever means it is named. */
async function findThere(desktop: GatedDesktop, request: DragRequest, aim: Aim): Promise<Sighting | undefined> {
  const sighting = await locateOne(desktop, aim, request);
  return sighting.ok ? sighting.value : undefined;
}

function describeNoStart() {
  return describeUsage("nothing says where the drag begins", "--from-id N, or --from-x and --from-y.");
}
