import type { Bounds, Point } from "../../../../model/bounds.ts";
import type { LeaveReason, Picker } from "../../../port.ts";
import type { XConnection } from "../connection.ts";
import {
  createWindow,
  destroyWindow,
  encodeRequest,
  encodeWithBytes,
  eventCode,
  eventMask,
  mapWindow,
  pack,
} from "../wire.ts";

/** X11 core requests that grab pointer and keyboard. */
const opcode = {
  grabPointer: 26,
  ungrabPointer: 27,
  grabKeyboard: 31,
  ungrabKeyboard: 32,
  openFont: 45,
  createGlyphCursor: 94,
  freeCursor: 95,
};
const asynchronous = 1;

const pointerEvents = eventMask.buttonPress | eventMask.buttonRelease | eventMask.motion;
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
    await x.sendAll([
      createWindow(this.window, x.root, screen, pointerEvents | eventMask.structure),
      mapWindow(this.window),
    ]);
    const hasCursor = await this.makeCursor();
    this.stopListening = x.listen((message) => this.handleEvent(message));
    for (let attempt = 1; attempt <= grabTries; attempt += 1) {
      const cursor = hasCursor ? this.cursor : 0;
      const modes = asynchronous | (asynchronous << 8);
      const [pointer, keyboard] = await Promise.all([
        x.request(encodeRequest(opcode.grabPointer, 0, [this.window, pack(pointerEvents, modes), 0, cursor, 0])),
        x.request(encodeRequest(opcode.grabKeyboard, 0, [this.window, 0, modes])),
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
    const ungrab = [opcode.ungrabPointer, opcode.ungrabKeyboard].map((one) => encodeRequest(one, 0, [0]));
    x.sendAll([...ungrab, destroyWindow(this.window)]).catch(() => undefined);
    x.send(encodeRequest(opcode.freeCursor, 0, [this.cursor])).catch(() => undefined);
    onEnd();
  }

  private async makeCursor(): Promise<boolean> {
    const { x } = this.options;
    const font = x.allotId();
    try {
      await x.sendAll(encodeCursor(this.cursor, font, crosshair));
      return true;
    } catch {
      // A server without fonts: the arrow stays.
      return false;
    }
  }

  private handleEvent(message: Buffer): void {
    // The highest bit marks events sent by clients, not by a person.
    const kind = message[0] ?? 0;
    const isOwn = message.readUInt32LE(8) === this.window;
    if ((kind === eventCode.unmap || kind === eventCode.destroy) && isOwn) {
      this.leave("screen");
      this.end();
      return;
    }
    if (kind < eventCode.keyPress || kind > eventCode.motion || message.readUInt32LE(12) !== this.window) return;
    this.rest();
    const code = message[1] ?? 0;
    const point = { x: message.readInt16LE(20), y: message.readInt16LE(22) };
    if (kind === eventCode.motion) this.handleMotion(point);
    if (kind === eventCode.keyPress) this.hold(`key ${code}`, true);
    if (kind === eventCode.buttonPress && code >= main) this.hold(`button ${code}`, true);
    if (kind === eventCode.keyPress && this.options.escapes.has(code)) this.leave("person");
    if (kind === eventCode.buttonPress) this.handlePress(code, point);
    if (kind === eventCode.buttonRelease) this.handleRelease(code, point);
    if (kind === eventCode.keyRelease) this.hold(`key ${code}`, false);
    if (kind === eventCode.buttonRelease) this.hold(`button ${code}`, false);
  }

  private hold(what: string, isDown: boolean): void {
    if (isDown) this.held.add(what);
    else this.held.delete(what);
    if (this.hasLeft && this.held.size === 0) this.end();
  }

  private handlePress(button: number, point: Point): void {
    if (this.hasLeft || button >= firstWheel) return;
    if (button !== main) return this.leave("person");
    this.pressed = point;
    this.isDragging = false;
  }

  private handleRelease(button: number, point: Point): void {
    const { pressed, isDragging } = this;
    if (this.hasLeft || button !== main || pressed === undefined) return;
    this.pressed = undefined;
    this.latest = undefined;
    this.held.delete(`button ${button}`);
    if (isDragging || isFar(pressed, point)) this.options.picker.onDrag(span(pressed, point), true);
    else this.options.picker.onPress(pressed);
  }

  /** Only the last of several queued motions is reported. */
  private handleMotion(point: Point): void {
    if (this.latest === undefined) queueMicrotask(() => this.reportMotion());
    this.latest = point;
  }

  private reportMotion(): void {
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

/** A cursor of the cursor font, black with a white edge: its mask is the next glyph. */
function encodeCursor(cursor: number, font: number, glyph: number): Buffer[] {
  const [black, white] = [0, 0xffff];
  const colours = [pack(black, black), pack(black, white), pack(white, white)];
  return [
    encodeWithBytes(opcode.openFont, 0, [font, "cursor".length], Buffer.from("cursor", "latin1")),
    encodeRequest(opcode.createGlyphCursor, 0, [cursor, font, font, pack(glyph, glyph + 1), ...colours]),
  ];
}
