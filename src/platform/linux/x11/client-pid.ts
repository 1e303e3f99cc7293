import type { XConnection } from "./connection.ts";

/** X-Resource 1.2, QueryClientIds; the mask selects the process id known to the server. */
const queryClientIds = 4;
const localClientPid = 2;

/** The process that owns a window, according to the server; the window's own property may be false. */
export async function findClientPid(x: XConnection, window: number): Promise<number | undefined> {
  const extension = await x.findExtension("X-Resource");
  if (extension === undefined) return undefined;
  const bytes = Buffer.alloc(16);
  bytes[0] = extension.opcode;
  bytes[1] = queryClientIds;
  bytes.writeUInt32LE(1, 4);
  bytes.writeUInt32LE(window, 8);
  bytes.writeUInt32LE(localClientPid, 12);
  const reply = await x.request(bytes).catch(() => undefined);
  // One entry: client, mask, length, value.
  const hasPid = reply !== undefined && reply.length >= 48 && reply.readUInt32LE(8) > 0 && reply.readUInt32LE(40) >= 4;
  return hasPid ? reply.readUInt32LE(44) : undefined;
}
