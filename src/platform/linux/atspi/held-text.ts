import type { Actor } from "../../../model/command.ts";
import type { Bus } from "../dbus/bus.ts";
import { DeadlinePassed } from "../dbus/errors.ts";
import { findAddress } from "./ask-again.ts";
import { unlessRefused } from "./cache.ts";
import { Peer } from "./peer.ts";
import { getText } from "./protocol.ts";

/** The text of a field, secret or not: for comparison only, never reported. "" if it does not answer. */
export async function readHeldText(bus: Bus, element: Actor, length: number, timeoutMs: number): Promise<string> {
  const address = findAddress(bus, element);
  if (address === undefined) return "";
  const peer = new Peer(bus, address.busName, timeoutMs);
  try {
    return (await unlessRefused(getText(peer, address.path, 0, length))) ?? "";
  } catch (error) {
    if (error instanceof DeadlinePassed) return "";
    throw error;
  } finally {
    peer.close();
  }
}
