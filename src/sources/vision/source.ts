import { type Bounds, intersect } from "../../model/bounds.ts";
import { type Detection, visionScale } from "../../model/detection.ts";
import { type Element, flatten } from "../../model/element.ts";
import { fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { Picture } from "../../model/frame.ts";
import type { WindowRead } from "../../model/snapshot.ts";
import { applicationKeyOf, type Window } from "../../model/window.ts";
import type { ElementSource, ReadRequest } from "../port.ts";
import { describePictured, lifeOf } from "./describe-window.ts";
import type { VisionProvider } from "./port.ts";

/** What vision needs of a desktop: pictures without secrets, and signs of change. */
export interface Pictures extends Pick<ElementSource, "watch"> {
  listWindows(): Promise<Result<{ readonly windows: readonly Window[]; readonly screen: Bounds }>>;
  captureWindow(window: Window, part?: Bounds): Promise<Result<Picture>>;
}

/** What was read in a picture of a window. Places are relative to the picture. */
interface Reading {
  readonly picture: Picture;
  readonly detections: readonly Detection[];
}

/** Reading the same pixels again gives the same words, so the last pictures are kept: a 4K window takes 33 MB. */
const maxReadings = 4;
const readings = new Map<string, Reading>();

/** Reads windows from their pictures. What must not be seen is not in them. */
export class VisionSource implements ElementSource {
  constructor(
    private readonly desktop: Pictures,
    private readonly open: () => Promise<Result<VisionProvider | undefined>>,
  ) {}

  async covers(windows: readonly Window[]): Promise<Result<ReadonlySet<number>>> {
    const provider = await this.open();
    if (!provider.ok) return provider;
    const shown = windows.filter(({ state }) => provider.value !== undefined && !state.includes("minimised"));
    return succeed(new Set(shown.map(({ id }) => id)));
  }

  /** One after the other: recognition takes every core there is. */
  async readWindows({ windows }: Pick<ReadRequest, "windows">): Promise<Result<readonly WindowRead[]>> {
    const reads: WindowRead[] = [];
    for (const window of windows) {
      const found = await this.detect(window);
      if (!found.ok) return found;
      reads.push({
        window,
        appKey: applicationKeyOf(window),
        root: describePictured(found.value, window),
        notes: [],
      });
    }
    return succeed(reads);
  }

  async readText({ element, start, end }: Parameters<ElementSource["readText"]>[0]) {
    const whole = [...element.name];
    const part = whole.slice(start, end);
    return succeed({ text: part.join(""), start, end: start + part.length, length: whole.length, notes: [] });
  }

  async glimpse({ life, handle }: Pick<Element, "life" | "handle">) {
    const list = await this.desktop.listWindows();
    if (!list.ok) return list;
    const window = list.value.windows.find((one) => life === lifeOf(one));
    const reads = window === undefined ? succeed([]) : await this.readWindows({ windows: [window] });
    if (!reads.ok) return reads;
    const element = flatten(reads.value.flatMap(({ root }) => root ?? [])).find((one) => one.handle === handle);
    if (element === undefined) return succeed(undefined);
    const { platformRole, ownName, states, bounds } = element;
    return succeed({ platformRole, ownName, states, place: JSON.stringify(bounds), length: undefined });
  }

  /** A picture shows what is in front; nothing else can be asked. */
  async askWhatIsAt() {
    return succeed(undefined);
  }

  watch(...given: Parameters<ElementSource["watch"]>) {
    return this.desktop.watch(...given);
  }

  /** What the picture of a window shows, in screen coordinates. */
  async detect(window: Window): Promise<Result<readonly Detection[]>> {
    const list = await this.desktop.listWindows();
    if (!list.ok) return list;
    const part = intersect(window.bounds, list.value.screen);
    if (part === undefined) return succeed([]);
    const provider = await this.open();
    if (!provider.ok) return provider;
    if (provider.value === undefined) return fail(describeNoVision());
    // The window as itself: what lies over it is another application's.
    const picture = await this.desktop.captureWindow(window, part);
    if (!picture.ok) return picture;
    const key = `${provider.value.name} ${window.id}`;
    const before = readings.get(key);
    const reading = await read(provider.value, window, picture.value, before);
    if (!reading.ok) return reading;
    readings.delete(key);
    readings.set(key, reading.value);
    const [oldest] = readings.keys();
    if (readings.size > maxReadings && oldest !== undefined) readings.delete(oldest);
    return succeed(moveAll(reading.value.detections, picture.value.bounds, 1));
  }
}

async function read(
  provider: VisionProvider,
  { app, title }: Window,
  picture: Picture,
  before: Reading | undefined,
): Promise<Result<Reading>> {
  const { width, height } = picture.bounds;
  const isSameSize = before?.picture.bounds.width === width && before.picture.bounds.height === height;
  if (isSameSize && isSamePart(before.picture, picture, wholeOf(picture))) return succeed(before);
  const known = before?.detections ?? [];
  const hints = { app, windowTitle: title, knownLabels: known.map(({ label }) => label), scale: visionScale };
  const found = await provider.detect(picture, hints);
  if (!found.ok) return found;
  const fresh = moveAll(found.value, picture.bounds, -1);
  // Where no pixel is different nothing else is read: the same words may be read otherwise when something beside them changes.
  const kept = isSameSize ? known.filter(({ bounds }) => isSamePart(before.picture, picture, bounds)) : [];
  const isNew = ({ bounds }: Detection): boolean => !kept.some((one) => intersect(one.bounds, bounds) !== undefined);
  return succeed({ picture, detections: [...kept, ...fresh.filter(isNew)] });
}

function wholeOf({ bounds: { width, height } }: Picture): Bounds {
  return { x: 0, y: 0, width, height };
}

function isSamePart(one: Picture, other: Picture, part: Bounds): boolean {
  const { width } = one.bounds;
  const inside = intersect(part, wholeOf(one));
  if (inside === undefined) return false;
  const [a, b] = [Buffer.from(one.pixels.buffer, one.pixels.byteOffset, one.pixels.byteLength), other.pixels];
  for (let y = inside.y; y < inside.y + inside.height; y += 1) {
    const [start, end] = [(y * width + inside.x) * 4, (y * width + inside.x + inside.width) * 4];
    if (a.compare(b, start, end, start, end) !== 0) return false;
  }
  return true;
}

function moveAll(detections: readonly Detection[], { x, y }: Bounds, sign: 1 | -1): readonly Detection[] {
  return detections.map((one) => ({
    ...one,
    bounds: { ...one.bounds, x: one.bounds.x + sign * x, y: one.bounds.y + sign * y },
  }));
}

function describeNoVision() {
  return makeFailure(
    "UNAVAILABLE",
    "nothing here reads pictures",
    "sudo apt-get install tesseract-ocr, and leave DESKMAP_VISION unset",
  );
}
