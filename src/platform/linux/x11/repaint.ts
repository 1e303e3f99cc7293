import { type Bounds, intersect } from "../../../model/bounds.ts";
import { subtract } from "../../../model/region.ts";
import { type XConnection, XError } from "./connection.ts";
import { getOuterGeometry, queryChildren } from "./requests.ts";

const changeAttributes = 2;
const eventMaskBit = 1 << 11;
const exposureMask = 1 << 15;
const exposeEvent = 12;
const damage = { queryVersion: 0, create: 1, destroy: 2 };
const rawRectangles = 0;
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
    const kind = (event[0] ?? 0) & 0x7f;
    if (kind === exposeEvent) {
      const inner = inners.get(event.readUInt32LE(4));
      if (inner === undefined) return;
      const area = readArea(event, 8, inner.x, inner.y);
      hasExposed = true;
      if (inner.isClient) {
        exposed.push(area);
        isAnswered = false;
      }
      // The server itself copies visible parts and paints backgrounds before it notifies the application.
      missing.push(...subtract(area, drawn));
    } else if (extension !== undefined && kind === extension.firstEvent && event.readUInt32LE(8) === damageId) {
      const area = readArea(event, 16, 0, 0);
      drawnAtMs = performance.now();
      drawn.push(area);
      missing = missing.flatMap((one) => subtract(one, [area]));
      isAnswered ||= exposed.some((one) => intersect(one, area) !== undefined);
    }
  });
  const select = (mask: number): Promise<unknown> =>
    Promise.allSettled([...inners.keys()].map((window) => x.order(encodeMask(window, mask))));
  await select(exposureMask);
  if (extension !== undefined) {
    await x.request(encodeDamage(12, extension.opcode, damage.queryVersion, 1, 1));
    const create = encodeDamage(16, extension.opcode, damage.create, damageId, topLevel);
    create[12] = rawRectangles;
    await x.order(create);
  }

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
      await select(0);
      if (extension === undefined) return;
      await x.order(encodeDamage(8, extension.opcode, damage.destroy, damageId, 0)).catch((error: unknown) => {
        // It ended with its window.
        if (!(error instanceof XError)) throw error;
      });
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

function readArea(event: Buffer, at: number, dx: number, dy: number): Bounds {
  // Expose positions are unsigned, damage positions signed; both fit.
  const [x, y] = [event.readInt16LE(at), event.readInt16LE(at + 2)];
  return { x: x + dx, y: y + dy, width: event.readUInt16LE(at + 4), height: event.readUInt16LE(at + 6) };
}

function encodeMask(window: number, mask: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes[0] = changeAttributes;
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(eventMaskBit, 8);
  bytes.writeUInt32LE(mask, 12);
  return bytes;
}

function encodeDamage(length: number, opcode: number, minor: number, first: number, second: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes[0] = opcode;
  bytes[1] = minor;
  bytes.writeUInt32LE(first, 4);
  if (length > 8) bytes.writeUInt32LE(second, 8);
  return bytes;
}
