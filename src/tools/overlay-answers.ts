import { capture } from "../desktop/capture.ts";
import { findAt, locate } from "../desktop/index.ts";
import type { Bounds } from "../model/bounds.ts";
import { describeUsage, type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { marksOf } from "../overlay/annotation.ts";
import type { OverlayAccess, OverlayController, OverlayStatus } from "../overlay/controller.ts";
import type { KeptPick } from "../overlay/pick-controller.ts";
import type { Picked } from "../overlay/picking.ts";
import { listInRegion } from "../overlay/region.ts";
import type { OverlayValue, ShownAnnotation } from "../show/overlay.ts";
import { toKebabCase } from "./arguments.ts";
import type { Session } from "./session.ts";

export async function describePicked(
  session: Session,
  { located, point, atMs }: Picked,
): Promise<Result<OverlayValue>> {
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  const ref = desktop.value.marks.findRef(located.element.mark);
  return succeed({ of: "pick", ...located, point, ref, atMs });
}

/** The picked control as it is now, if this client may read it. */
export async function lookUpPicked(session: Session, last: KeptPick): Promise<Result<OverlayValue>> {
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  const { mark, windowId, point, atMs } = last;
  const located =
    mark === 0
      ? await findAt(desktop.value, point, session)
      : await locate(desktop.value, { by: "mark", mark }, { timeoutMs: session.timeoutMs, windowId });
  if (located.ok && located.value.window.id !== windowId) {
    return fail(makeFailure("NOT_FOUND", "what was picked is not there any more", "deskmap overlay pick"));
  }
  return located.ok ? describePicked(session, { located: located.value, point, atMs }) : located;
}

export async function describeRegion(
  session: Session,
  controller: OverlayController,
  region: Bounds,
  isFrameWanted: boolean,
): Promise<Result<OverlayValue>> {
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  const around = await controller.readLayout();
  if (!around.ok) return around;
  const found = await listInRegion(desktop.value, around.value, region, session.timeoutMs);
  if (!found.ok) return found;
  const query = { format: "png", scale: 1, quality: 100 } as const;
  const frame = isFrameWanted
    ? await capture(desktop.value.platform, { scope: "region", region }, query)
    : succeed(undefined);
  return frame.ok ? succeed({ of: "region", region, found: found.value, frame: frame.value }) : frame;
}

export function describeStatus(controller: OverlayController, { clientName }: Session): OverlayValue {
  const { status } = controller;
  const annotations = status.annotations.map(describeAnnotation);
  return { of: "status", ...status, annotations, picked: controller.picks.findLast(clientName) };
}

export function describeAnnotation(stored: OverlayStatus["annotations"][number]): ShownAnnotation {
  const { id, annotation, client, isShown, untilMs } = stored;
  const label = "label" in annotation ? annotation.label : "";
  return { id, kind: annotation.kind, marks: marksOf(annotation), label, client, isShown, untilMs };
}

/** The overlay, for a tool whose first word decides which options it takes; other options are refused. */
export function openOverlay<Verb extends string>(
  tool: string,
  given: { readonly what: Verb },
  taken: Readonly<Record<Verb, readonly string[]>>,
  { overlay }: Session,
): Result<OverlayAccess> {
  const stray = findStray(tool, given, taken);
  if (stray !== undefined) return fail(stray);
  if (overlay !== undefined) return succeed(overlay);
  const suggestion = "leave out --no-daemon and DESKMAP_DAEMON=never: the daemon draws, and is started for it.";
  return fail(makeFailure("UNAVAILABLE", "what is drawn here would end with this command", suggestion));
}

function findStray<Verb extends string>(
  tool: string,
  given: { readonly what: Verb },
  taken: Readonly<Record<Verb, readonly string[]>>,
): Failure | undefined {
  const { what, ...options } = given;
  const own = taken[what];
  const stray = Object.entries(options).find(([field, value]) => value !== undefined && !own.includes(field));
  if (stray === undefined) return undefined;
  const words = own.map((field) => (field === "words" ? "WORDS" : `--${toKebabCase(field)}`)).join(", ");
  const suggestion = words === "" ? `deskmap ${tool} ${what}` : `it takes ${words}.`;
  return describeUsage(`${tool} ${what} does not accept --${toKebabCase(stray[0])}`, suggestion);
}
