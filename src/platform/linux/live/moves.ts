/** The copy comes with the word of the move; what comes later was drawn. */
const copyMs = 10;
const maxPlaces = 1000;

interface Place {
  readonly position: number;
  readonly size: number;
}

/**
 * A window that is only moved is reported as if most of it had been drawn: the server copies it, and says so right after it
 * has told the new place. Nothing in it is another for that.
 */
export class Moves {
  private readonly places = new Map<number, Place>();
  private movedAtMs = Number.NEGATIVE_INFINITY;
  private readonly copied = new Set<number>();

  /** A window was configured. */
  hear(message: Buffer, nowMs: number): void {
    const id = message.readUInt32LE(8);
    const now = { position: message.readUInt32LE(16), size: message.readUInt32LE(20) };
    const before = this.places.get(id);
    if (this.places.size >= maxPlaces) this.places.clear();
    this.places.set(id, now);
    const isMove = before !== undefined && before.size === now.size && before.position !== now.position;
    this.movedAtMs = isMove ? nowMs : Number.NEGATIVE_INFINITY;
    this.copied.clear();
  }

  /** Whether what is reported as drawn was copied by a move; of each window once. */
  takeCopy(message: Buffer, nowMs: number): boolean {
    const id = message.readUInt32LE(4);
    if (nowMs - this.movedAtMs > copyMs || this.copied.has(id) || !isOfMost(message)) return false;
    this.copied.add(id);
    return true;
  }
}

/** Of a window that reaches beyond the screen what is on it is copied. */
function isOfMost(message: Buffer): boolean {
  const [drawn = 0, whole = 0] = [20, 28].map((at) => message.readUInt16LE(at) * message.readUInt16LE(at + 2));
  return drawn * 2 > whole;
}
