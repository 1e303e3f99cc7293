import { type Bus, ErrorReply } from "../dbus/bus.ts";
import { type Peer, rootPath } from "./peer.ts";
import { type Quirks, quirksOf } from "./quirks.ts";

const known = new WeakMap<Bus, Map<string, Quirks>>();

/** An application's toolkit quirks. Bus names are never reused, so each is asked once. */
export async function findQuirks(peer: Peer): Promise<Quirks> {
  const ofBus = known.get(peer.bus) ?? new Map<string, Quirks>();
  known.set(peer.bus, ofBus);
  const remembered = ofBus.get(peer.name);
  if (remembered !== undefined) return remembered;
  const words = await Promise.all([readWord(peer, "Application", "ToolkitName"), readWord(peer, "Accessible", "Name")]);
  const quirks = quirksOf(...words);
  // An application that has just started may not report its toolkit yet.
  if (words[0] !== "") ofBus.set(peer.name, quirks);
  return quirks;
}

/** The toolkit of an application that was read before; empty if it was not. */
export function recallToolkit(bus: Bus, busName: string): string {
  return known.get(bus)?.get(busName)?.toolkit ?? "";
}

async function readWord(peer: Peer, interfaceName: string, property: string): Promise<string> {
  try {
    const name = await peer.getProperty(rootPath, interfaceName, property);
    return typeof name === "string" ? name : "";
  } catch (error) {
    if (error instanceof ErrorReply && !isGone(error)) return "";
    throw error;
  }
}

export function isGone(error: ErrorReply): boolean {
  return /\.(ServiceUnknown|NameHasNoOwner|NoReply|Disconnected)$/.test(error.code);
}
