import type { XConnection } from "./connection.ts";
import { changeTextProperty } from "./wire.ts";

/** A key or button event of any device. */
export interface Stroke {
  readonly kind: "press" | "release" | "button";
  readonly source: number;
  readonly keycode: number;
  readonly isEscape: boolean;
  readonly timeMs: number;
}

const longestGapMs = 400;
/** An announced Escape of our own follows at once. */
const longestNoteMs = 1000;

interface Device {
  readonly held: Set<number>;
  escapeMs: number | undefined;
  /** Whether another key was pressed since. */
  hasOther: boolean;
}

/** The result of two Escapes: nothing, a stop, or a stop only if the keys between were Deskmap's own typing. */
export type Meaning = "nothing" | "stop" | "stop-while-typing";

/**
 * Detects a person pressing Escape twice on one device with nothing else held or pressed. All programs share one
 * device, including Deskmap: its own Escapes are announced, and its own typing does not count as between.
 */
export class DoubleEscape {
  private readonly devices = new Map<number, Device>();
  private notes: number[] = [];

  constructor(private readonly isProgrammed: (source: number) => boolean) {}

  /** The next Escape sent by a program is Deskmap's. */
  expectOwn(timeMs: number): void {
    this.notes.push(timeMs);
  }

  judge({ kind, source, keycode, isEscape, timeMs }: Stroke): Meaning {
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
    return this.judgeEscape(device, source, timeMs);
  }

  private judgeEscape(device: Device, source: number, timeMs: number): Meaning {
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

/** Changed right before Deskmap presses Escape, so that it is not taken for a person's. */
export const ownEscapeProperty = "_DESKMAP_ESCAPE";

/** The request to send before an Escape of our own, in the same write. */
export async function openEscapeNote(x: XConnection): Promise<() => Buffer> {
  const { [ownEscapeProperty]: atom } = await x.internAtoms([ownEscapeProperty]);
  return () => changeTextProperty(x.root, atom, "1");
}
