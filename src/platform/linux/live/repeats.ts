import { codeOf, eventCode } from "../x11/wire.ts";

const maxKnown = 1000;
/** Where a ConfigureNotify has its fields. */
const [eventAt, windowAt, siblingAt, placeAt, sizeAt] = [4, 8, 12, 16, 20];

/**
 * Recognises ConfigureNotify events that tell what the last one did: GTK 3 asks for its place with every typed letter, and
 * the window manager answers. A window's own events tell its place; those of its parent also tell the order, which any
 * other window's may have changed.
 */
export class Repeats {
  private readonly own = new Map<string, string>();
  private readonly ordered = new Map<string, string>();

  has(message: Buffer): boolean {
    if (codeOf(message) !== eventCode.configure) {
      this.ordered.clear();
      return false;
    }
    const [event, window] = [eventAt, windowAt].map((at) => message.readUInt32LE(at));
    const isOwn = event === window;
    // What a window manager sends itself counts from the screen's corner, the server's from the frame's.
    const key = `${window} ${message[0]}`;
    const place = [placeAt, sizeAt].map((at) => message.readUInt32LE(at));
    const told = (isOwn ? place : [...place, message.readUInt32LE(siblingAt)]).join(" ");
    const known = isOwn ? this.own : this.ordered;
    if (known.get(key) === told) return true;
    if (!isOwn || known.size >= maxKnown) known.clear();
    known.set(key, told);
    return false;
  }
}
