/** X11 core requests that grab pointer and keyboard. */
const opcode = {
  grabPointer: 26,
  ungrabPointer: 27,
  grabKeyboard: 31,
  ungrabKeyboard: 32,
  openFont: 45,
  createGlyphCursor: 94,
  freeCursor: 95,
  getKeyboardMapping: 101,
};
const asynchronous = 1;
const [firstKeycode, keycodeCount] = [8, 248];
const escapeKeysym = 0xff1b;

export function encodeGrabPointer(window: number, events: number, cursor: number): Buffer {
  const bytes = Buffer.alloc(24);
  bytes[0] = opcode.grabPointer;
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt16LE(events, 8);
  bytes[10] = asynchronous;
  bytes[11] = asynchronous;
  bytes.writeUInt32LE(cursor, 16);
  return bytes;
}

export function encodeGrabKeyboard(window: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes[0] = opcode.grabKeyboard;
  bytes.writeUInt32LE(window, 4);
  bytes[12] = asynchronous;
  bytes[13] = asynchronous;
  return bytes;
}

export function encodeUngrab(): Buffer[] {
  return [opcode.ungrabPointer, opcode.ungrabKeyboard].map((one) => {
    const bytes = Buffer.alloc(8);
    bytes[0] = one;
    return bytes;
  });
}

export function encodeFont(font: number, name: string): Buffer {
  const bytes = Buffer.alloc(12 + Math.ceil(name.length / 4) * 4);
  bytes[0] = opcode.openFont;
  bytes.writeUInt32LE(font, 4);
  bytes.writeUInt16LE(name.length, 8);
  bytes.write(name, 12, "latin1");
  return bytes;
}

/** A cursor of the cursor font, black with a white edge: its mask is the next glyph. */
export function encodeGlyphCursor(cursor: number, font: number, glyph: number): Buffer {
  const bytes = Buffer.alloc(32);
  bytes[0] = opcode.createGlyphCursor;
  [cursor, font, font].forEach((value, index) => void bytes.writeUInt32LE(value, 4 + index * 4));
  [glyph, glyph + 1, 0, 0, 0, 0xffff, 0xffff, 0xffff].forEach((value, index) => {
    bytes.writeUInt16LE(value, 16 + index * 2);
  });
  return bytes;
}

export function encodeFreeCursor(cursor: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes[0] = opcode.freeCursor;
  bytes.writeUInt32LE(cursor, 4);
  return bytes;
}

export function encodeKeyboardMapping(): Buffer {
  const bytes = Buffer.alloc(8);
  bytes[0] = opcode.getKeyboardMapping;
  bytes[4] = firstKeycode;
  bytes[5] = keycodeCount;
  return bytes;
}

/** The keys that produce Escape, in any group and on any level. */
export function parseEscapes(reply: Buffer): ReadonlySet<number> {
  const width = Math.max(1, reply[1] ?? 1);
  const escapes = new Set<number>();
  for (let at = 32, index = 0; at + 4 <= reply.length; at += 4, index += 1) {
    if (reply.readUInt32LE(at) === escapeKeysym) escapes.add(firstKeycode + Math.floor(index / width));
  }
  return escapes;
}
