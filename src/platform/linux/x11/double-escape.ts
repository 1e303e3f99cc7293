/** A key or a button that was pressed or let go of, on whichever device. */
export interface Stroke {
  readonly kind: "press" | "release" | "button";
  readonly source: number;
  readonly keycode: number;
  readonly isEscape: boolean;
  readonly timeMs: number;
}

/** Two Escapes so soon one after the other are meant. */
const longestGapMs = 400;
/** A note of an own Escape is followed by it at once. */
const longestNoteMs = 1000;

interface Device {
  readonly held: Set<number>;
  escapeMs: number | undefined;
  /** Whether something else was pressed since. */
  hasOther: boolean;
}

/** What two Escapes mean: nothing, a stop, or a stop only if what was pressed between them was Deskmap's own typing. */
export type Meaning = "nothing" | "stop" | "stop-while-typing";

/**
 * Tells when a person presses Escape twice: on one device, with nothing else held or pressed. Programs' keys all come from
 * one device, Deskmap's own among them: own Escapes are announced, and own typing does not come between.
 */
export class DoubleEscape {
  private readonly devices = new Map<number, Device>();
  private notes: number[] = [];

  constructor(private readonly isProgrammed: (source: number) => boolean) {}

  /** The next Escape that a program sends is Deskmap's own. */
  expectOwn(timeMs: number): void {
    this.notes.push(timeMs);
  }

  hear({ kind, source, keycode, isEscape, timeMs }: Stroke): Meaning {
    const device = this.findDevice(source);
    if (kind === "release") device.held.delete(keycode);
    if (kind === "button") device.hasOther = true;
    if (kind !== "press" || device.held.has(keycode)) return "nothing";
    const isAlone = device.held.size === 0;
    device.held.add(keycode);
    if (isEscape && this.isProgrammed(source) && this.takeNote(timeMs)) return "nothing";
    if (!isEscape || !isAlone) {
      device.hasOther = true;
      return "nothing";
    }
    return this.judge(device, source, timeMs);
  }

  private judge(device: Device, source: number, timeMs: number): Meaning {
    const isSecond = device.escapeMs !== undefined && timeMs - device.escapeMs <= longestGapMs;
    const { hasOther } = device;
    const isMeant = isSecond && (!hasOther || this.isProgrammed(source));
    device.escapeMs = isMeant && !hasOther ? undefined : timeMs;
    device.hasOther = false;
    if (!isMeant) return "nothing";
    return hasOther ? "stop-while-typing" : "stop";
  }

  private takeNote(timeMs: number): boolean {
    this.notes = this.notes.filter((atMs) => Math.abs(timeMs - atMs) <= longestNoteMs);
    return this.notes.shift() !== undefined;
  }

  private findDevice(source: number): Device {
    const known = this.devices.get(source) ?? { held: new Set<number>(), escapeMs: undefined, hasOther: false };
    this.devices.set(source, known);
    return known;
  }
}
