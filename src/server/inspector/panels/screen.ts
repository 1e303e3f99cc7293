import * as z from "zod/mini";
import type { ScreenPicture, ShownMonitor, ShownWindow } from "../../../inspector/screen.ts";
import { type Result, succeed } from "../../../model/failure.ts";
import type { WindowData } from "../../../show/list.ts";
import { Asker, type Method, method, type PanelContext, toBounds } from "../panel.ts";

/** Good enough to read small text, and half as large as at 90. */
const quality = 75;

export const screenMethods: readonly Method[] = [
  method("screen.picture", z.object({ scale: z.number().check(z.minimum(0.1), z.maximum(1)) }), ({ scale }, context) =>
    takePicture(scale, context),
  ),
];

async function takePicture(scale: number, context: PanelContext): Promise<Result<ScreenPicture>> {
  const startedMs = performance.now();
  const asker = new Asker(context.host, context.signal);
  const before = await asker.windows();
  if (!before.ok) return before;
  const [frame, monitors] = await Promise.all([
    asker.frame({ scope: "screen", scale, format: "jpg", quality }),
    asker.monitors(),
  ]);
  if (!frame.ok) return frame;
  if (!monitors.ok) return monitors;
  const after = await asker.windows();
  if (!after.ok) return after;
  const { width, height, origin, takenAtMs, covered = [], data = "" } = frame.value;
  return succeed({
    picture: context.sendPicture(Buffer.from(data, "base64")),
    width,
    height,
    origin,
    scale: frame.value.scale,
    takenAtMs,
    tookMs: performance.now() - startedMs,
    monitors: monitors.value.map(
      ({ name, bounds, primary }): ShownMonitor => ({ name, bounds: toBounds(bounds), isPrimary: primary }),
    ),
    windows: describeWindows(before.value, after.value, context.ownTitle),
    covered: covered.map(({ what: _what, app: _app, ...place }) => place),
  });
}

function describeWindows(before: readonly WindowData[], after: readonly WindowData[], ownTitle: string): ShownWindow[] {
  const places = new Map(before.map(({ id, bounds }) => [id, bounds.join()]));
  return after.map(({ id, app, title, bounds, state }) => ({
    id,
    app,
    title,
    bounds: toBounds(bounds),
    isMinimised: state.includes("minimised"),
    isMoving: places.get(id) !== bounds.join(),
    isInspector: title.includes(ownTitle),
  }));
}
