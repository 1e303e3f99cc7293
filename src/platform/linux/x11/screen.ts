import { type Bounds, containsBounds, intersect } from "../../../model/bounds.ts";
import { fromLocal, toLocal } from "../../../model/coordinates.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import type { Picture } from "../../../model/frame.ts";
import { quoteName, quoteText } from "../../../model/plain-text.ts";
import type { Window } from "../../../model/window.ts";
import { openPixmap } from "./composite.ts";
import type { XConnection } from "./connection.ts";
import { findOwnSurface } from "./drawing-surface/recognise.ts";
import { ImageReader } from "./image.ts";
import { findShell } from "./shell.ts";
import { XError } from "./transport.ts";
import { findTopLevel } from "./window-at.ts";
import { findPopups, placeWindow } from "./windows.ts";

/** Maximum time for an application to draw what was covered. */
const longestRepaintMs = 2000;
/** How long after a capture the window's drawing may still be reported. */
const lateDrawingMs = 50;

export class XScreen {
  private readonly images: ImageReader;
  private readonly repaintLimitMs: number;
  private last: Promise<unknown> = Promise.resolve();
  /** When the captures of windows end, or ended. */
  private readonly captured = new Map<number, number>();

  constructor(
    private readonly x: XConnection,
    timeoutMs: number,
  ) {
    this.images = new ImageReader(x);
    this.repaintLimitMs = Math.min(longestRepaintMs, timeoutMs / 2);
  }

  async captureScreen(part: Bounds): Promise<Result<Picture>> {
    const format = this.checkFormat(this.x.server.rootVisual);
    if (format !== undefined) return fail(format);
    if ((await findOwnSurface(this.x)) === undefined) {
      return succeed({ pixels: await this.images.read(this.x.root, part), bounds: part });
    }
    const [{ captureWithoutSurface }, isComposited] = await Promise.all([
      import("./drawing-surface/capture-without.ts"),
      this.x.hasCompositor(),
    ]);
    return succeed({ ...(await captureWithoutSurface(this.x, this.images, part, isComposited)), bounds: part });
  }

  /** A window even where it is covered; or part of it, which may lie in one of its pop-ups. */
  captureWindow(window: Window, part?: Bounds): Promise<Result<Picture>> {
    const capture = async () => {
      this.captured.set(window.id, Number.POSITIVE_INFINITY);
      try {
        return await this.captureNow(window, part);
      } finally {
        this.captured.set(window.id, performance.now() + lateDrawingMs);
      }
    };
    // Sequential: each creates and frees the window's pixmap.
    const next = this.last.then(capture, capture);
    this.last = next.catch(() => undefined);
    return next;
  }

  isCaptured(window: number): boolean {
    const untilMs = this.captured.get(window);
    if (untilMs === undefined || performance.now() < untilMs) return untilMs !== undefined;
    this.captured.delete(window);
    return false;
  }

  close(): void {
    this.images.close();
  }

  private async captureNow(window: Window, part: Bounds | undefined): Promise<Result<Picture>> {
    try {
      const place = await placeWindow(this.x, window.id);
      if (place === undefined) return fail(describeGone(window));
      // The screen's own pixels would show other windows, whose secrets are not covered in a picture of this one.
      if ((await findShell(this.x))?.id === window.id) return fail(describeShell(window));
      if (part === undefined) return await this.captureTopLevel(window, window.id, place);
      // The window may have moved since the part was found.
      const now = fromLocal(toLocal(part, window.bounds), place);
      const popup = (await findPopups(this.x, window.pid)).findLast(({ bounds }) => containsBounds(bounds, now));
      return await this.captureTopLevel(window, popup?.id ?? window.id, now);
    } catch (error) {
      if (error instanceof XError && error.isGone) return fail(describeGone(window));
      throw error;
    }
  }

  private async captureTopLevel(window: Window, id: number, wanted: Bounds): Promise<Result<Picture>> {
    const topLevel = await findTopLevel(this.x, id);
    const [own, attributes, place, isComposited, surface] = await Promise.all([
      this.x.getAttributes(id),
      this.x.getAttributes(topLevel),
      this.x.getOuterGeometry(topLevel),
      this.x.hasCompositor(),
      findOwnSurface(this.x),
    ]);
    if (attributes === undefined || place === undefined) return fail(describeGone(window));
    if (own?.isViewable !== true) return fail(describeHidden(window));
    const format = this.checkFormat(attributes.visual);
    if (format !== undefined) return fail(format);
    const bounds = intersect(wanted, place);
    if (bounds === undefined) return fail(describeOutside(window));

    const hasAlpha = this.x.server.visuals.get(attributes.visual)?.depth === 32;
    // While our drawing surface exists every window has a pixmap; after a moment covered parts are drawn too.
    const isUnderSurface = surface !== undefined && Date.now() - surface.sinceMs > longestRepaintMs;
    const isKept = isComposited || hasAlpha || isUnderSurface;
    const request = { topLevel, client: id, isKept, limitMs: this.repaintLimitMs };
    const pixmap = await openPixmap(this.x, request);
    if (typeof pixmap === "string")
      return fail(pixmap === "no-composite" ? describeNoComposite() : describeUnpainted(window, this.repaintLimitMs));
    try {
      const inside = toLocal(bounds, place);
      const pixels = await this.images.read(pixmap.id, inside);
      // Without a compositor the alpha channel is unused and may contain anything.
      if (hasAlpha && isComposited) layOnWhite(pixels);
      return succeed({ pixels, bounds });
    } finally {
      await pixmap.release();
    }
  }

  /** 8 bits per channel in 4 bytes: the format of all common screens. */
  private checkFormat(visualId: number): Failure | undefined {
    const { visuals, bitsPerPixel, isLittleEndian } = this.x.server;
    const visual = visuals.get(visualId);
    const isUsual = visual?.red === 0xff0000 && visual.green === 0xff00 && visual.blue === 0xff;
    if (visual && isUsual && isLittleEndian && bitsPerPixel.get(visual.depth) === 32) return undefined;
    return makeFailure(
      "UNAVAILABLE",
      `pictures of a screen with ${visual?.depth ?? "unknown"} bits of colour are not supported`,
      "set the screen to 24 bits of colour.",
    );
  }
}

/** Colours are premultiplied: the rest is filled with white. */
function layOnWhite(pixels: Uint8Array): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const missing = 255 - (pixels[at + 3] ?? 255);
    if (missing === 0) continue;
    for (let channel = at; channel < at + 3; channel += 1) {
      pixels[channel] = Math.min(255, (pixels[channel] ?? 0) + missing);
    }
  }
}

function describeGone(window: Window): Failure {
  return makeFailure("NOT_FOUND", `the window ${quoteText(window.title)} is gone`, "deskmap list shows every window.");
}

function describeHidden(window: Window): Failure {
  const state = window.state.includes("minimised") ? "is minimised" : "is not on the screen";
  return makeFailure(
    "UNAVAILABLE",
    `the window ${quoteText(window.title)} ${state}: it is not drawn, so it cannot be captured`,
    "restore it first, then try again.",
  );
}

function describeOutside(window: Window): Failure {
  return makeFailure(
    "NOT_FOUND",
    `that part is outside the window ${quoteText(window.title)}`,
    "read the window again: it may have changed.",
  );
}

function describeShell(window: Window): Failure {
  return makeFailure(
    "UNAVAILABLE",
    `${quoteName(window.app)} draws its panels over all windows: they have no picture of their own`,
    "take a picture of the screen instead: deskmap screenshot --scope screen",
  );
}

function describeNoComposite(): Failure {
  return makeFailure(
    "UNAVAILABLE",
    "this X server has no COMPOSITE extension, without which covered windows cannot be captured",
    "take a picture of the screen instead: deskmap screenshot --scope screen",
  );
}

function describeUnpainted(window: Window, limitMs: number): Failure {
  return makeFailure(
    "TIMEOUT",
    `${quoteName(window.app)} did not draw the covered part of ${quoteText(window.title)} within ${limitMs / 1000} s`,
    "wait until it answers again, or take a picture of the screen: --scope screen",
  );
}
