import type { XConnection } from "./connection.ts";
import { internAtoms } from "./requests.ts";

/** Changed right before Deskmap presses Escape, so that it is not taken for a person's. */
export const ownEscapeProperty = "_DESKMAP_ESCAPE";

const changeProperty = 18;
const stringType = 31;

/** The request to send before an own Escape, in the same write. */
export async function openEscapeNote(x: XConnection): Promise<() => Buffer> {
  const { [ownEscapeProperty]: atom } = await internAtoms(x, [ownEscapeProperty]);
  return () => {
    const bytes = Buffer.alloc(28);
    bytes[0] = changeProperty;
    bytes.writeUInt32LE(x.root, 4);
    bytes.writeUInt32LE(atom, 8);
    bytes.writeUInt32LE(stringType, 12);
    bytes[16] = 8;
    bytes.writeUInt32LE(1, 20);
    bytes.write("1", 24, "latin1");
    return bytes;
  };
}
