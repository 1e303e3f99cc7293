import { isAnswer } from "../../host/port.ts";
import { fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { decode } from "../../picture/decode.ts";
import { compareLooks, isSameLook, type PlacedRaster } from "../../picture/same-look.ts";
import { fromBox, makeCrop } from "../crop.ts";
import type { Step } from "../file.ts";
import { fillText, type Values } from "../parameters.ts";
import { readPicture } from "../pictures.ts";
import { readTree } from "../tree.ts";
import { isRelatedTitle, isSimilarTitle, type SeenWindow } from "./answers.ts";
import type { Asking } from "./asking.ts";
import type { Stop } from "./report.ts";

/** The answer of the tool screenshot, as far as it is looked at. */
interface Frame {
  readonly origin: { readonly x: number; readonly y: number };
  readonly data?: string;
}

async function takePicture(asking: Asking, input: Readonly<Record<string, unknown>>): Promise<Result<PlacedRaster>> {
  const { data, failure } = await asking.call("screenshot", { ...input, scale: 1, format: "png" });
  if (failure !== undefined) return fail(failure);
  const file = isAnswer<Frame>(data) ? data.data : undefined;
  if (!isAnswer<Frame>(data) || file === undefined) return fail(makeFailure("FAILED", "the host gave no picture"));
  return succeed({ ...(await decode(Buffer.from(file, "base64"))), ...data.origin });
}

/**
 * Whether the screen around a point looks as it did when the step was recorded; fails if there is no picture of it.
 */
export async function looksTheSame(
  asking: Asking,
  step: Step,
  [x, y]: readonly [number, number],
  folder: string | undefined,
): Promise<Result<boolean>> {
  const stored = folder === undefined ? undefined : readPicture(folder, step);
  if (stored === undefined) {
    const message = `there is no picture of what was at the point ${x},${y} when it was recorded`;
    return fail(makeFailure("UNAVAILABLE", message, "record it again, or add --allow-coordinates unseen;"));
  }
  try {
    const { x: left, y: top, width, height } = fromBox(stored.bbox);
    const then = { ...(await decode(stored.bytes)), x: left, y: top };
    const now = await takePicture(asking, { region: [left, top, width, height].join(",") });
    if (!now.ok) return now;
    const difference = compareLooks(then, now.value, { x, y });
    return succeed(difference !== undefined && isSameLook(difference));
  } catch {
    const message = `the picture of the step, ${step.picture?.file}, cannot be read`;
    return fail(makeFailure("UNAVAILABLE", message, "record it again, or add --allow-coordinates unseen;"));
  }
}

/** What the step's window shows now, and what was recorded of it. Other windows are nobody's business. */
export async function pictureStop(
  asking: Asking,
  step: Step,
  values: Values,
  folder: string | undefined,
): Promise<Pick<Stop, "pictures" | "tree">> {
  const crop = folder === undefined ? undefined : await makeCrop(folder, step).catch(() => undefined);
  const recorded = crop && Buffer.from(crop).toString("base64");
  const window = await findStepWindow(asking, step, values);
  if (window === undefined) return recorded === undefined ? {} : { pictures: { recorded } };
  const { data } = await asking.call("screenshot", { windowId: window.id, format: "png" });
  const now = isAnswer<Frame>(data) ? data.data : undefined;
  const tree = await readTree(asking, { windowId: window.id });
  return {
    ...(recorded === undefined && now === undefined ? {} : { pictures: { recorded, now } }),
    ...(tree.ok ? { tree: tree.value.slice(0, maxTree) } : {}),
  };
}

const maxTree = 2000;

async function findStepWindow(asking: Asking, step: Step, values: Values): Promise<SeenWindow | undefined> {
  const title = step.window === undefined ? undefined : fillText(step.window, values);
  if (step.app === undefined && title === undefined) return undefined;
  const listed = await asking.listWindows(step.app);
  const windows = listed.ok ? listed.value : [];
  return (
    windows.find((one) => title === undefined || isSimilarTitle(one.title, title)) ??
    windows.find((one) => title !== undefined && isRelatedTitle(one.title, title)) ??
    (step.app === undefined ? undefined : windows[0])
  );
}
