import { type XConnection, XError } from "./connection.ts";
import { watchRepaint } from "./repaint.ts";
import { unlessGone } from "./requests.ts";
import { encodeRequest, freePixmap } from "./wire.ts";

const composite = { queryVersion: 0, redirectWindow: 1, unredirectWindow: 3, nameWindowPixmap: 6 };
const badMatch = 8;
/** CompositeRedirectAutomatic: the window is shown as before and also drawn into its own pixmap. */
const automatic = 0;
const longestTurnMs = 600;
const pollMs = 10;

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
    await unlessGone(x.order(encodeRequest(opcode, composite.unredirectWindow, [topLevel, automatic])));
  };
  let pixmap: number | undefined;
  try {
    await x.order(encodeRequest(opcode, composite.redirectWindow, [topLevel, automatic]));
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

/** Undefined if the window has no pixmap. */
async function namePixmap(x: XConnection, opcode: number, window: number): Promise<number | undefined> {
  const pixmap = x.allotId();
  try {
    await x.order(encodeRequest(opcode, composite.nameWindowPixmap, [window, pixmap]));
    return pixmap;
  } catch (error) {
    if (error instanceof XError && error.code === badMatch) return undefined;
    throw error;
  }
}

async function free(x: XConnection, pixmap: number): Promise<void> {
  await unlessGone(x.order(freePixmap(pixmap)));
}
