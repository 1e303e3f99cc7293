import type { Bounds, Point } from "../../../../model/bounds.ts";
import type { LeaveReason, Picker } from "../../../port.ts";
import type { XConnection } from "../connection.ts";
import {
  encodeFont,
  encodeFreeCursor,
  encodeGlyphCursor,
  encodeGrabKeyboard,
  encodeGrabPointer,
  encodeUngrab,
} from "./grab-wire.ts";
import { createWindow, destroyWindow, mapWindow } from "./wire.ts";

const event = { keyPress: 2, keyRelease: 3, buttonPress: 4, buttonRelease: 5, motion: 6, unmap: 18, destroy: 17 };
const mask = { buttonPress: 1 << 2, buttonRelease: 1 << 3, motion: 1 << 6, structure: 1 << 17, keys: 3 };
const pointerEvents = mask.buttonPress | mask.buttonRelease | mask.motion;
const main = 1;
const firstWheel = 4;
const grabbed = 0;
/** A menu that was just closed keeps its grab a little longer. */
const [grabTries, grabPauseMs] = [10, 50];
/** A smaller movement with the button down is a press. */
const dragPx = 4;
/** Nobody picks for this long without moving, and the screen cannot be locked meanwhile. */
const longestPauseMs = 60_000;
/** How long to wait for the release of the key or button that ended the pick, so that no application receives it. */
const releaseMs = 500;
const crosshair = 34;

export interface PickOptions {
  readonly x: XConnection;
  readonly screen: Bounds;
  readonly escapes: ReadonlySet<number>;
  readonly picker: Picker;
  /** Called when it is over and its window is gone. */
  onEnd(): void;
}

/**
 * An invisible window that receives pointer and keyboard. Both are also grabbed, so that passive grabs, such as a
 * window manager's, do not get them.
 */
export class Picking {
  readonly window: number;
  private readonly cursor: number;
  private stopListening: () => void = () => undefined;
  private pressed: Point | undefined;
  private isDragging = false;
  private latest: Point | undefined;
  private readonly held = new Set<string>();
  private hasLeft = false;
  private hasEnded = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly options: PickOptions) {
    this.window = options.x.allotId();
    this.cursor = options.x.allotId();
  }

  /** Returns whether pointer and keyboard could be grabbed. */
  async begin(): Promise<boolean> {
    const { x, screen } = this.options;
    await x.orderAll([
      createWindow(this.window, x.root, screen, pointerEvents | mask.structure),
      mapWindow(this.window),
    ]);
    const hasCursor = await this.makeCursor();
    this.stopListening = x.listen((message) => this.hear(message));
    for (let attempt = 1; attempt <= grabTries; attempt += 1) {
      const cursor = hasCursor ? this.cursor : 0;
      const [pointer, keyboard] = await Promise.all([
        x.request(encodeGrabPointer(this.window, pointerEvents, cursor)),
        x.request(encodeGrabKeyboard(this.window)),
      ]);
      if (pointer[1] === grabbed && keyboard[1] === grabbed) {
        this.rest();
        return true;
      }
      await new Promise((resolve) => setTimeout(resolve, grabPauseMs));
    }
    this.end();
    return false;
  }

  /** Stops notifying; waits for held keys and buttons. */
  stop(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    if (this.held.size === 0) return this.end();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), releaseMs);
    this.timer.unref();
  }

  leave(why: LeaveReason): void {
    if (this.hasLeft) return;
    this.stop();
    this.options.picker.onLeave(why);
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.hasLeft = true;
    clearTimeout(this.timer);
    this.stopListening();
    const { x, onEnd } = this.options;
    // With the display gone, so is all this.
    x.orderAll([...encodeUngrab(), destroyWindow(this.window)]).catch(() => undefined);
    x.order(encodeFreeCursor(this.cursor)).catch(() => undefined);
    onEnd();
  }

  private async makeCursor(): Promise<boolean> {
    const { x } = this.options;
    const font = x.allotId();
    try {
      await x.orderAll([encodeFont(font, "cursor"), encodeGlyphCursor(this.cursor, font, crosshair)]);
      return true;
    } catch {
      // A server without fonts: the arrow stays.
      return false;
    }
  }

  private hear(message: Buffer): void {
    // The highest bit marks events sent by clients, not by a person.
    const kind = message[0] ?? 0;
    const isOwn = message.readUInt32LE(8) === this.window;
    if ((kind === event.unmap || kind === event.destroy) && isOwn) {
      this.leave("screen");
      this.end();
      return;
    }
    if (kind < event.keyPress || kind > event.motion || message.readUInt32LE(12) !== this.window) return;
    this.rest();
    const code = message[1] ?? 0;
    const point = { x: message.readInt16LE(20), y: message.readInt16LE(22) };
    if (kind === event.motion) this.hearMotion(point);
    if (kind === event.keyPress) this.hold(`key ${code}`, true);
    if (kind === event.buttonPress && code >= main) this.hold(`button ${code}`, true);
    if (kind === event.keyPress && this.options.escapes.has(code)) this.leave("person");
    if (kind === event.buttonPress) this.hearPress(code, point);
    if (kind === event.buttonRelease) this.hearRelease(code, point);
    if (kind === event.keyRelease) this.hold(`key ${code}`, false);
    if (kind === event.buttonRelease) this.hold(`button ${code}`, false);
  }

  private hold(what: string, isDown: boolean): void {
    if (isDown) this.held.add(what);
    else this.held.delete(what);
    if (this.hasLeft && this.held.size === 0) this.end();
  }

  private hearPress(button: number, point: Point): void {
    if (this.hasLeft || button >= firstWheel) return;
    if (button !== main) return this.leave("person");
    this.pressed = point;
    this.isDragging = false;
  }

  private hearRelease(button: number, point: Point): void {
    const { pressed, isDragging } = this;
    if (this.hasLeft || button !== main || pressed === undefined) return;
    this.pressed = undefined;
    this.latest = undefined;
    this.held.delete(`button ${button}`);
    if (isDragging || isFar(pressed, point)) this.options.picker.onDrag(span(pressed, point), true);
    else this.options.picker.onPress(pressed);
  }

  /** Only the last of several queued motions is reported. */
  private hearMotion(point: Point): void {
    if (this.latest === undefined) queueMicrotask(() => this.tellMotion());
    this.latest = point;
  }

  private tellMotion(): void {
    const { latest, pressed } = this;
    this.latest = undefined;
    if (latest === undefined || this.hasLeft) return;
    if (pressed === undefined) return this.options.picker.onMove(latest);
    this.isDragging ||= isFar(pressed, latest);
    if (this.isDragging) this.options.picker.onDrag(span(pressed, latest), false);
  }

  private rest(): void {
    if (this.hasLeft) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.leave("rest"), longestPauseMs);
    this.timer.unref();
  }
}

function isFar(a: Point, b: Point): boolean {
  return Math.abs(a.x - b.x) >= dragPx || Math.abs(a.y - b.y) >= dragPx;
}

/** The rectangle spanned by two points, including both. */
function span(a: Point, b: Point): Bounds {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, width: Math.abs(a.x - b.x) + 1, height: Math.abs(a.y - b.y) + 1 };
}
