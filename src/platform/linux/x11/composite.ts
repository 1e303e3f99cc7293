import { type Bounds, intersect } from "../../../model/bounds.ts";
import { subtract } from "../../../model/region.ts";
import { beginDamage, endDrawing, selectEvents, watchDrawing } from "./changes.ts";
import { readBounds, unlessGone, type XConnection } from "./connection.ts";
import { XError } from "./transport.ts";
import { codeOf, encodeRequest, eventCode, eventMask, freePixmap } from "./wire.ts";

const composite = { queryVersion: 0, redirectWindow: 1, unredirectWindow: 3, nameWindowPixmap: 6 };
const badMatch = 8;
/** CompositeRedirectAutomatic: the window is shown as before and also drawn into its own pixmap. */
const automatic = 0;
const longestTurnMs = 600;
const pollMs = 10;
const repaintPollMs = 5;
/** Quiet time after which drawing counts as finished; endless animations are not waited for. */
const quietMs = 50;
const settleMs = 400;
/** How long an application may take to draw on a background the server has painted; it may have nothing to draw. */
const graceMs = 300;

/** A window's own pixels, even where it is covered. */
export interface WindowPixmap {
  readonly id: number;
  release(): Promise<void>;
}

export interface PixmapRequest {
  readonly topLevel: number;
  /** The application's window, inside the frame. */
  readonly client: number;
  /** Whether something, such as a compositor, is known to keep a pixmap of the window. */
  readonly isKept: boolean;
  /** How long the application may take to draw what was covered. */
  readonly limitMs: number;
}

export type PixmapProblem = "no-composite" | "not-painted";

/**
 * The pixmap of a top-level window and its content. With a compositor, and for windows with an alpha channel, it exists
 * already. Otherwise it is created now: covered or off-screen parts are still missing, and the application gets time to
 * draw them.
 */
export async function openPixmap(
  x: XConnection,
  { topLevel, client, isKept, limitMs }: PixmapRequest,
): Promise<WindowPixmap | PixmapProblem> {
  const opcode = (await x.findExtension("Composite"))?.opcode;
  if (opcode === undefined) return "no-composite";
  await x.request(encodeRequest(opcode, composite.queryVersion, [0, 4]));
  const existing = await nameExisting(x, opcode, topLevel, isKept);
  if (existing !== undefined) return { id: existing, release: () => free(x, existing) };

  const repaint = await watchRepaint(x, topLevel, client);
  const restore = async (): Promise<void> => {
    await repaint.stop();
    await unlessGone(x.send(encodeRequest(opcode, composite.unredirectWindow, [topLevel, automatic])));
  };
  let pixmap: number | undefined;
  try {
    await x.send(encodeRequest(opcode, composite.redirectWindow, [topLevel, automatic]));
    pixmap = (await repaint.wait(limitMs)) ? await namePixmap(x, opcode, topLevel) : undefined;
  } finally {
    if (pixmap === undefined) await restore();
  }
  if (pixmap === undefined) return "not-painted";
  const named = pixmap;
  return {
    id: named,
    async release() {
      await free(x, named);
      await restore();
    },
  };
}

/**
 * If no compositor is known to keep it, another program is just taking a picture and the application may not have drawn
 * everything: wait for that to end.
 */
async function nameExisting(
  x: XConnection,
  opcode: number,
  window: number,
  isKept: boolean,
): Promise<number | undefined> {
  const deadlineMs = performance.now() + longestTurnMs;
  for (;;) {
    const pixmap = await namePixmap(x, opcode, window);
    if (pixmap === undefined || isKept || performance.now() > deadlineMs) return pixmap;
    await free(x, pixmap);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

async function namePixmap(x: XConnection, opcode: number, window: number): Promise<number | undefined> {
  const pixmap = x.allotId();
  try {
    await x.send(encodeRequest(opcode, composite.nameWindowPixmap, [window, pixmap]));
    return pixmap;
  } catch (error) {
    if (error instanceof XError && error.code === badMatch) return undefined;
    throw error;
  }
}

async function free(x: XConnection, pixmap: number): Promise<void> {
  await unlessGone(x.send(freePixmap(pixmap)));
}

interface Repaint {
  /** Whether everything exposed since the watch began was drawn within the limit. */
  wait(limitMs: number): Promise<boolean>;
  stop(): Promise<void>;
}

/** A window inside the watched one. */
interface Inner {
  readonly x: number;
  readonly y: number;
  /** Whether the application draws it, rather than the window manager. */
  readonly isClient: boolean;
}

/** Watches what the server asks the application to draw (Expose), and what is drawn (DAMAGE). */
async function watchRepaint(x: XConnection, topLevel: number, client: number): Promise<Repaint> {
  const inners = await listInner(x, topLevel, client);
  const extension = await x.findExtension("DAMAGE");
  const damageId = x.allotId();
  let missing: Bounds[] = [];
  let drawn: Bounds[] = [];
  let hasExposed = false;
  const exposed: Bounds[] = [];
  let isAnswered = true;
  let drawnAtMs = performance.now();

  const stopListening = x.listen((event) => {
    const kind = codeOf(event);
    if (kind === eventCode.expose) {
      const inner = inners.get(event.readUInt32LE(4));
      if (inner === undefined) return;
      const area = readArea(event, 8, inner);
      hasExposed = true;
      if (inner.isClient) {
        exposed.push(area);
        isAnswered = false;
      }
      // The server itself copies visible parts and paints backgrounds before it notifies the application.
      missing.push(...subtract(area, drawn));
    } else if (extension !== undefined && kind === extension.firstEvent && event.readUInt32LE(8) === damageId) {
      const area = readArea(event, 16);
      drawnAtMs = performance.now();
      drawn.push(area);
      missing = missing.flatMap((one) => subtract(one, [area]));
      isAnswered ||= exposed.some((one) => intersect(one, area) !== undefined);
    }
  });
  const select = (mask: number): Promise<unknown> =>
    Promise.all([...inners.keys()].map((window) => selectEvents(x, window, mask)));
  await select(eventMask.exposure);
  if (extension !== undefined) {
    await beginDamage(x, extension);
    await watchDrawing(x, extension, topLevel, damageId);
  }
  // The initial report is the whole window.
  drawn = [];

  return {
    async wait(limitMs) {
      if (!hasExposed) return true;
      const startedMs = performance.now();
      for (;;) {
        const nowMs = performance.now();
        const passedMs = nowMs - startedMs;
        if (passedMs > limitMs) return missing.length === 0;
        const isQuiet = nowMs - drawnAtMs >= quietMs || passedMs >= settleMs;
        if (missing.length === 0 && isQuiet && (isAnswered || passedMs >= graceMs)) return true;
        await new Promise((resolve) => setTimeout(resolve, repaintPollMs));
      }
    },
    async stop() {
      stopListening();
      await select(eventMask.none);
      if (extension !== undefined) await endDrawing(x, extension, damageId);
    },
  };
}

async function listInner(x: XConnection, topLevel: number, client: number): Promise<Map<number, Inner>> {
  const found = new Map<number, Inner>([[topLevel, { x: 0, y: 0, isClient: topLevel === client }]]);
  let level = [topLevel];
  while (level.length > 0) {
    const families = await Promise.all(
      level.map(async (parent) => ({ parent, children: await x.queryChildren(parent) })),
    );
    const places = await Promise.all(
      families.flatMap(({ parent, children }) =>
        children.map(async (child) => ({ child, outer: found.get(parent), place: await x.getOuterGeometry(child) })),
      ),
    );
    level = [];
    for (const { child, outer, place } of places) {
      if (place === undefined || outer === undefined) continue;
      const inside = { x: outer.x + place.x + place.border, y: outer.y + place.y + place.border };
      found.set(child, { ...inside, isClient: outer.isClient || child === client });
      level.push(child);
    }
  }
  return found;
}

/** Expose positions are unsigned, damage positions signed; both fit. */
function readArea(event: Buffer, at: number, inner = { x: 0, y: 0 }): Bounds {
  const area = readBounds(event, at);
  return { ...area, x: area.x + inner.x, y: area.y + inner.y };
}
