/** A file of an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** How an archive begins. */
export const zipStart = "PK\x03\x04";

const utf8Names = 0x0800;
/** 1980-01-01: archives of the same content are the same. */
const [noTime, firstDay] = [0, 0x21];

/** An archive without compression (APPNOTE 6.3): pictures are packed already, and texts are short. */
export function makeZip(entries: readonly ZipEntry[]): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const title = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(utf8Names, 2);
    common.writeUInt16LE(noTime, 6);
    common.writeUInt16LE(firstDay, 8);
    common.writeUInt32LE(Bun.hash.crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(title.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, place, title]));
    const local = Buffer.concat([Buffer.from(zipStart, "latin1"), common, title]);
    parts.push(local, Buffer.from(bytes));
    offset += local.length + bytes.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
