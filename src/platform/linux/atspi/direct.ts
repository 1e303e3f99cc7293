import { Bus } from "../dbus/bus.ts";
import { ConnectionLost, ErrorReply } from "../dbus/errors.ts";
import type { Peer } from "./peer.ts";
import { getDirectAddress } from "./protocol.ts";

/** Runs work over a separate connection to the application; over the bus if the application offers none. */
export async function withDirectBus<T>(peer: Peer, timeoutMs: number, work: (bus: Bus) => Promise<T>): Promise<T> {
  const direct = await connect(peer, timeoutMs);
  try {
    return await work(direct ?? peer.bus);
  } finally {
    direct?.close();
  }
}

async function connect(peer: Peer, timeoutMs: number): Promise<Bus | undefined> {
  try {
    return await Bus.connect(await getDirectAddress(peer), timeoutMs, true);
  } catch (error) {
    if (error instanceof ErrorReply || error instanceof ConnectionLost) return undefined;
    throw error;
  }
}
