/** The copy is reported together with the move; later damage was drawn. */
const copyMs = 10;
const maxPlaces = 1000;

interface Place {
  readonly position: number;
  readonly size: number;
}

/**
 * A moved window is reported as mostly redrawn: the server copies it and reports damage right after the new position.
 * Its content is unchanged.
 */
export class Moves {
  private readonly places = new Map<number, Place>();
  private movedAtMs = Number.NEGATIVE_INFINITY;
  private readonly copied = new Set<number>();

  /** A window was configured. */
  processConfigure(message: Buffer, nowMs: number): void {
    const id = message.readUInt32LE(8);
    const now = { position: message.readUInt32LE(16), size: message.readUInt32LE(20) };
    const before = this.places.get(id);
    if (this.places.size >= maxPlaces) this.places.clear();
    this.places.set(id, now);
    const isMove = before !== undefined && before.size === now.size && before.position !== now.position;
    this.movedAtMs = isMove ? nowMs : Number.NEGATIVE_INFINITY;
    this.copied.clear();
  }

  /** Whether reported damage is the copy made by a move; once per window. */
  takeCopy(message: Buffer, nowMs: number): boolean {
    const id = message.readUInt32LE(4);
    if (nowMs - this.movedAtMs > copyMs || this.copied.has(id) || !isOfMost(message)) return false;
    this.copied.add(id);
    return true;
  }
}

/** Only the on-screen part of a window is copied. */
function isOfMost(message: Buffer): boolean {
  const [drawn = 0, whole = 0] = [20, 28].map((at) => message.readUInt16LE(at) * message.readUInt16LE(at + 2));
  return drawn * 2 > whole;
}
