import { areaOf, boundsAround, containsPoint, intersect } from "../model/bounds.ts";
import type { Detection } from "../model/detection.ts";
import type { Result } from "../model/failure.ts";
import type { Picture } from "../model/frame.ts";
import { quoteText } from "../model/plain-text.ts";
import { cropRaster, decode } from "../picture/decode.ts";
import { fromBox } from "./crop.ts";
import { describeRef, describeStep } from "./describe.ts";
import { repickStep } from "./edit.ts";
import type { Demo, Step } from "./file.ts";
import { fitStep, tidyRef } from "./fit.ts";
import { fillText, type Values } from "./parameters.ts";
import { pickTarget } from "./pick-target.ts";
import { readPicture } from "./pictures.ts";
import { abstractText } from "./placeholders.ts";
import { Asking, type ReplayHost } from "./replay/asking.ts";
import { looksTheSame } from "./replay/look.ts";
import { findFront } from "./replay/target.ts";
import { needsTarget } from "./tools.ts";

/** What became of a step that had coordinates only. */
export interface Annotation {
  readonly step: number;
  readonly words: string;
  /** Undefined if nothing was added. */
  readonly by?: "accessibility" | "vision" | undefined;
  readonly control?: string | undefined;
  readonly confidence?: number | undefined;
  readonly why?: string | undefined;
}

/** Finds controls and texts in a picture of a window. */
export type Detect = (picture: Picture, app: string, window: string) => Promise<Result<readonly Detection[]>>;

interface AnnotateOptions {
  readonly host: ReplayHost;
  /** Where the pictures of the demo are. */
  readonly pictures: string;
  /** Without it, pictures are not read. */
  readonly detect?: Detect | undefined;
  readonly values: Values;
  readonly signal?: AbortSignal | undefined;
}

export interface Annotated {
  readonly demo: Demo;
  readonly annotations: readonly Annotation[];
}

/** Gives refs to steps that have none: from the application if it shows the recorded window, else from their pictures. */
export async function annotateDemo(demo: Demo, options: AnnotateOptions): Promise<Annotated> {
  const asking = new Asking(options.host, { signal: options.signal, timeoutMs: 0 });
  const annotations: Annotation[] = [];
  let now = demo;
  for (const [index, step] of demo.steps.entries()) {
    const { point } = step;
    if (step.ref !== undefined || point === undefined || !needsTarget(step.tool)) continue;
    const n = index + 1;
    const live = await askApplication(asking, now, n, step, point, options);
    const found = "demo" in live ? live : await readOwnPicture(now, n, step, point, options);
    const words = describeStep(step);
    if ("demo" in found) {
      const { control, by, confidence } = found;
      now = found.demo;
      annotations.push({ step: n, words, by, control, confidence });
    } else annotations.push({ step: n, words, why: [...("why" in live ? [live.why] : []), found.why].join("; ") });
  }
  return { demo: now, annotations };
}

type Found =
  | (Required<Pick<Annotation, "by" | "control" | "confidence">> & { readonly demo: Demo })
  | { readonly why: string };

/** How sure it is, if nothing but the window could be compared. */
const windowOnly = 0.5;

async function askApplication(
  asking: Asking,
  demo: Demo,
  n: number,
  step: Step,
  point: readonly [number, number],
  { pictures, values, host, signal }: AnnotateOptions,
): Promise<Found> {
  if (step.app === undefined && step.window === undefined) return { why: "its window is not known" };
  const title = step.window === undefined ? undefined : fillText(step.window, values);
  const { isWindow, app, found } = await findFront(asking, step, title, point);
  if (!isWindow)
    return { why: app === "" ? "its window is not there" : `at its point is ${quoteText(found)} of ${app}` };
  const isPictured = readPicture(pictures, step) !== undefined;
  const same = isPictured ? await looksTheSame(asking, step, point, pictures) : undefined;
  if (same?.ok === false) return { why: same.failure.message };
  if (same?.value === false) return { why: "the window looks otherwise than recorded" };
  const target = await pickTarget(host, { at: point.join(",") }, signal);
  if (!target.ok) return { why: target.failure.message };
  const confidence = isPictured ? 1 : windowOnly;
  const { ref } = target.value;
  const picked = repickStep(demo, n, { ...target.value, ref: { ...ref, confidence } }, Date.now());
  if (!picked.ok) return { why: picked.failure.message };
  const control = describeRef(picked.value.demo.steps[n - 1]?.ref ?? {});
  return { demo: picked.value.demo, by: "accessibility", control, confidence };
}

/** More of a window takes longer to read than one control is worth. */
const readSize = { width: 800, height: 400 };

async function readOwnPicture(
  demo: Demo,
  n: number,
  step: Step,
  [x, y]: readonly [number, number],
  { pictures, detect }: AnnotateOptions,
): Promise<Found> {
  const stored = readPicture(pictures, step);
  if (stored === undefined) return { why: "there is no picture of it" };
  if (detect === undefined) return { why: "no text recognition reads its picture" };
  const raster = await decode(stored.bytes).catch(() => undefined);
  if (raster === undefined) return { why: "its picture cannot be read" };
  const whole = { ...fromBox(stored.bbox), width: raster.width, height: raster.height };
  const part = intersect(boundsAround({ x, y }, readSize), whole);
  if (part === undefined || !containsPoint(part, { x, y })) return { why: "its picture does not show its point" };
  const { pixels } = cropRaster(raster, { ...part, x: part.x - whole.x, y: part.y - whole.y });
  const detected = await detect({ pixels, bounds: part }, step.app ?? "", step.window ?? "");
  if (!detected.ok) return { why: detected.failure.message };
  const [best] = detected.value
    .filter(({ bounds, label }) => label.trim() !== "" && containsPoint(bounds, { x, y }))
    .toSorted((a, b) => areaOf(a.bounds) - areaOf(b.bounds));
  if (best === undefined) return { why: "nothing can be read at its point" };
  const { app, window } = step;
  const { role, label: name, bounds, confidence, source } = best;
  const bbox = [bounds.x, bounds.y, bounds.x + bounds.width, bounds.y + bounds.height] as const;
  const given = { role, name, app, window, bbox, confidence: Math.round(confidence * 100) / 100, source };
  const ref = tidyRef(given, (text) => abstractText(text, demo.parameters));
  if (ref === undefined) return { why: "nothing can be read at its point" };
  const doubts = ["read from its picture: it was not tested whether its ref finds it"];
  const steps = demo.steps.with(n - 1, fitStep({ ...step, ref, doubts }));
  return { demo: { ...demo, steps }, by: "vision", control: describeRef(ref), confidence: given.confidence };
}
