import type { Shift } from "../../port.ts";
import { readDetail } from "../atspi/events.ts";
import type { Signal } from "../dbus/message.ts";

/** Events that tell a new state, value or name: what was under a point stays there. */
const inPlace: ReadonlySet<string> = new Set(["TextChanged", "PropertyChange"]);
const inPlaceStates: ReadonlySet<string> = new Set([
  ...["focused", "active", "armed", "pressed", "checked", "indeterminate", "enabled", "sensitive"],
  ...["selected", "editable", "busy", "required", "invalid-entry", "checkable", "focusable", "selectable"],
  "has-tooltip",
]);
const parents: ReadonlySet<string> = new Set(["accessible-parent", "accessible-role"]);

/** Whether an event tells a place. GTK 3 does so whenever it lays something out, and a typed letter may lay out a window. */
function isMove({ member }: Signal): boolean {
  return member === "BoundsChanged";
}

/** Whether what an event tells may have hidden or covered something. */
function isShift(signal: Signal): boolean {
  const { interface: interfaceName, member, body } = signal;
  if (isMove(signal)) return false;
  if (interfaceName.endsWith(".Window")) return true;
  if (member === "StateChanged") return !inPlaceStates.has(readDetail(body));
  return !inPlace.has(member) || (member === "PropertyChange" && parents.has(readDetail(body)));
}

/** Since when something was reported that is not in the kept tree yet, by the wall clock. */
class Unread {
  private reportedMs = Number.POSITIVE_INFINITY;
  private readingMs = Number.POSITIVE_INFINITY;

  note(): void {
    this.reportedMs = Math.min(this.reportedMs, Date.now());
  }

  beginReading(): void {
    this.readingMs = this.reportedMs;
    this.reportedMs = Number.POSITIVE_INFINITY;
  }

  endReading(): void {
    this.readingMs = Number.POSITIVE_INFINITY;
  }

  /** Infinite if everything is read. */
  get sinceMs(): number {
    return Math.min(this.readingMs, this.reportedMs);
  }
}

/** More are not told apart. */
const mostPaths = 100;

/** The same, with the nodes that have reported it. */
class Shifts {
  private readonly since = new Unread();
  private reported: Set<string> | undefined = new Set();
  private reading: ReadonlySet<string> | undefined = new Set();

  /** Without a path: whatever is shown may be elsewhere. */
  note(path?: string): void {
    this.since.note();
    if (path === undefined || (this.reported?.size ?? 0) >= mostPaths) this.reported = undefined;
    else this.reported?.add(path);
  }

  beginReading(): void {
    this.since.beginReading();
    this.reading = this.reported;
    this.reported = new Set();
  }

  endReading(): void {
    this.since.endReading();
    this.reading = new Set();
  }

  get sinceMs(): number {
    return this.since.sinceMs;
  }

  get paths(): ReadonlySet<string> | undefined {
    return this.reading === undefined || this.reported === undefined ? undefined : this.reading.union(this.reported);
  }
}

/** What was reported and is not in the kept tree yet: anything, and what may have moved. */
export class Reported {
  private readonly any = new Unread();
  private readonly shifts = new Shifts();
  private readonly moves = new Shifts();

  noteEvent(signal: Signal): void {
    this.any.note();
    if (isMove(signal)) this.moves.note(signal.path);
    else if (isShift(signal)) this.shifts.note(signal.path);
  }

  noteWindows(areMoved: boolean): void {
    this.any.note();
    if (areMoved) this.shifts.note();
  }

  beginReading(): void {
    this.any.beginReading();
    this.shifts.beginReading();
    this.moves.beginReading();
  }

  endReading(): void {
    this.any.endReading();
    this.shifts.endReading();
    this.moves.endReading();
  }

  /** If everything must be read again, nothing is known. */
  describe(
    isLost: boolean,
    findAreas: (paths: ReadonlySet<string>) => Shift["areas"],
  ): { readonly unreadSinceMs: number; readonly shifted: Shift; readonly moved: Shift } {
    const anywhere = { sinceMs: 0, areas: undefined };
    if (isLost) return { unreadSinceMs: 0, shifted: anywhere, moved: anywhere };
    const place = ({ sinceMs, paths }: Shifts): Shift => {
      const areas = paths === undefined || !Number.isFinite(sinceMs) ? undefined : findAreas(paths);
      return { sinceMs, areas };
    };
    return { unreadSinceMs: this.any.sinceMs, shifted: place(this.shifts), moved: place(this.moves) };
  }
}
