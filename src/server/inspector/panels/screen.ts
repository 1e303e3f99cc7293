import * as z from "zod/mini";
import type { ScreenPicture, ShownMonitor, ShownWindow } from "../../../inspector/screen.ts";
import type { Bounds } from "../../../model/bounds.ts";
import { fail, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { defineMethod, type Method, type PanelContext } from "../panel.ts";

const box = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const listedWindows = z.array(
  z.object({ id: z.number(), app: z.string(), title: z.string(), bounds: box, state: z.array(z.string()) }),
);
const listedMonitors = z.array(z.object({ name: z.string(), bounds: box, primary: z.boolean() }));
const place = z.object({ x: z.number(), y: z.number() });
const takenFrame = z.object({
  width: z.number(),
  height: z.number(),
  scale: z.number(),
  origin: place,
  takenAtMs: z.number(),
  covered: z.optional(z.array(z.extend(place, { width: z.number(), height: z.number() }))),
  data: z.string(),
});

/** Good enough to read small text, and half as large as at 90. */
const quality = 75;

export const screenMethods: readonly Method[] = [
  defineMethod({
    name: "screen.picture",
    params: z.object({ scale: z.number().check(z.minimum(0.1), z.maximum(1)) }),
    run: ({ scale }, context) => takePicture(scale, context),
  }),
];

async function takePicture(scale: number, context: PanelContext): Promise<Result<ScreenPicture>> {
  const startedMs = performance.now();
  const before = await ask(context, "list", {}, listedWindows);
  if (!before.ok) return before;
  const [frame, monitors] = await Promise.all([
    ask(context, "screenshot", { scope: "screen", scale, format: "jpg", quality }, takenFrame),
    ask(context, "list", { monitors: true }, listedMonitors),
  ]);
  if (!frame.ok) return frame;
  if (!monitors.ok) return monitors;
  const after = await ask(context, "list", {}, listedWindows);
  if (!after.ok) return after;
  const { width, height, origin, takenAtMs, covered = [], data } = frame.value;
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
    covered,
  });
}

type Listed = z.infer<typeof listedWindows>;

function describeWindows(before: Listed, after: Listed, ownTitle: string): ShownWindow[] {
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

function toBounds([x, y, width, height]: z.infer<typeof box>): Bounds {
  return { x, y, width, height };
}

/** One tool's answer, understood. */
async function ask<Shape extends z.ZodMiniType>(
  { host, signal }: PanelContext,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  shape: Shape,
): Promise<Result<z.infer<Shape>>> {
  const reply = await host.call({ tool, input, formats: ["json"] }, { signal });
  if (reply.failure !== undefined) return fail(reply.failure);
  const parsed = shape.safeParse(JSON.parse(reply.outputs.json ?? "null"));
  if (parsed.success) return succeed(parsed.data);
  return fail({ code: "FAILED", message: `${tool} answered something else than was expected`, done: nothingDone });
}
