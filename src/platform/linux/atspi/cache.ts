import type { Bus } from "../dbus/bus.ts";
import { ErrorReply } from "../dbus/errors.ts";
import type { Peer } from "./peer.ts";
import { type CacheItem, getCacheItems, getChildren, nullPath, type ObjectRef } from "./protocol.ts";

const registry = "org.a11y.atspi.Registry";
/** Rarely sent, so listening to it costs the application nothing. */
const cheapEvent = "Object:PropertyChange:AccessibleHelpText";

/**
 * All nodes of an application in one call. GTK 3 and the browsers offer it only once a client listens to an event. The
 * registry announces listeners to every application, and each builds its cache at once: a browser with a page of 50,000
 * nodes freezes for seconds. So only applications whose cache is read are notified, with the registry's own signal. A
 * missing or incompatible cache is no failure: the walk reads everything.
 */
export async function readCache(peer: Peer): Promise<readonly CacheItem[]> {
  listenOnce(peer.bus, peer.name);
  return (await unlessRefused(getCacheItems(peer))) ?? [];
}

const told = new WeakMap<Bus, Set<string>>();

/** Once per connection: an application remembers every listener until it leaves the bus. */
export function listenOnce(bus: Bus, name: string): void {
  const names = told.get(bus) ?? new Set();
  if (names.has(name)) return;
  told.set(bus, names.add(name));
  const args = [bus.name, cheapEvent, []];
  const path = "/org/a11y/atspi/registry";
  bus.signal({
    destination: name,
    path,
    interface: registry,
    member: "EventListenerRegistered",
    signature: "ssas",
    args,
  });
}

/** Requests the children of every object, level by level: afterwards the cache contains them. */
export async function askForAll(peer: Peer, refs: readonly ObjectRef[]): Promise<void> {
  await Promise.all(
    refs.map(async ([busName, path]) => {
      if (busName !== peer.name || path === nullPath) return;
      await askForAll(peer, (await unlessRefused(getChildren(peer, path))) ?? []);
    }),
  );
}

/** An error reply means that this object is gone or does not offer the call; the rest of the tree is read. */
export async function unlessRefused<T>(reply: Promise<T>): Promise<T | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ErrorReply) return undefined;
    throw error;
  }
}
