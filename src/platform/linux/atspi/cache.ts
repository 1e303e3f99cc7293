import { readFileSync } from "node:fs";
import { type Bus, unlessRefused } from "../dbus/bus.ts";
import { type CacheItem, nullPath, type ObjectRef, type Peer } from "./peer.ts";

export const registry = "org.a11y.atspi.Registry";
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
  return (await unlessRefused(peer.getCacheItems())) ?? [];
}

const notified = new WeakMap<Bus, Set<string>>();

/** Once per connection: an application remembers every listener until it leaves the bus. */
export function listenOnce(bus: Bus, name: string): void {
  const names = notified.get(bus) ?? new Set();
  if (names.has(name)) return;
  notified.set(bus, names.add(name));
  announceListener(bus, name, cheapEvent);
}

/** Sends one application the registry's signal that this connection listens to an event, or no longer does. */
export function announceListener(bus: Bus, destination: string, event: string, isListening = true): void {
  const signal = isListening
    ? { member: "EventListenerRegistered", signature: "ssas", args: [bus.name, event, []] }
    : { member: "EventListenerDeregistered", signature: "ss", args: [bus.name, event] };
  bus.signal({ destination, path: "/org/a11y/atspi/registry", interface: registry, ...signal });
}

/** Requests the children of every object, level by level: afterwards the cache contains them. */
export async function askForAll(peer: Peer, refs: readonly ObjectRef[]): Promise<void> {
  await Promise.all(
    refs.map(async ([busName, path]) => {
      if (busName !== peer.name || path === nullPath) return;
      await askForAll(peer, (await unlessRefused(peer.getChildren(path))) ?? []);
    }),
  );
}

const pageBytes = 4096;
/** D-Bus specification: arrays are limited to 64 MiB. */
const maxArrayBytes = 64 * 1024 * 1024;

/**
 * Whether a process is large enough to exceed that limit with its names and descriptions. Its reply to Cache.GetItems
 * would then be invalid and the bus would disconnect it: no assistive technology could read it until it is restarted.
 */
export function mayOverflowCache(pid: number): boolean {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ").map(Number);
    return (resident - shared) * pageBytes > maxArrayBytes;
  } catch {
    // Another user's process, or gone: treated like all others.
    return false;
  }
}
