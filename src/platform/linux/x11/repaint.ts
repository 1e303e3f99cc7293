import { type Bounds, intersect } from "../../../model/bounds.ts";
import { subtract } from "../../../model/region.ts";
import { beginDamage, endDrawing, selectEvents, watchDrawing } from "./changes.ts";
import type { XConnection } from "./connection.ts";
import { getOuterGeometry, queryChildren, readBounds } from "./requests.ts";
import { codeOf, eventCode, eventMask } from "./wire.ts";

const pollMs = 5;
/** Quiet time after which drawing counts as finished; endless animations are not waited for. */
const quietMs = 50;
const settleMs = 400;
/** How long an application may take to draw on a background the server has painted; it may have nothing to draw. */
const graceMs = 300;

export interface Repaint {
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
export async function watchRepaint(x: XConnection, topLevel: number, client: number): Promise<Repaint> {
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
        await new Promise((resolve) => setTimeout(resolve, pollMs));
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
      level.map(async (parent) => ({ parent, children: await queryChildren(x, parent) })),
    );
    const places = await Promise.all(
      families.flatMap(({ parent, children }) =>
        children.map(async (child) => ({ child, outer: found.get(parent), place: await getOuterGeometry(x, child) })),
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
