import { type Bus, DeadlinePassed, ErrorReply } from "../dbus/bus.ts";
import type { Signal } from "../dbus/message.ts";
import { announceListener } from "./cache.ts";
import { Peer, rootPath } from "./peer.ts";
import { findQuirks } from "./toolkit.ts";

const kinds = [
  "Object:ChildrenChanged:",
  "Object:StateChanged:",
  "Object:PropertyChange:",
  "Object:TextChanged:",
  "Object:SelectionChanged:",
  "Object:VisibleDataChanged:",
  "Object:ActiveDescendantChanged:",
  "Object:RowReordered:",
  "Object:ColumnReordered:",
  "Document:LoadComplete:",
  "Window:",
];
/** Opening one GTK 3 menu sends 107 of them: only for listeners that track all positions. */
const movement = "Object:BoundsChanged:";
const interfaces = ["Object", "Window", "Document"].map((name) => `org.a11y.atspi.Event.${name}`);
/** Sent on every caret movement by toolkits that ignore registrations. */
const idle = new Set(["TextCaretMoved", "TextSelectionChanged", "TextAttributesChanged"]);

export interface EventListening {
  /** Whether an application sends events; expensive ones were not asked to. */
  isReporting(name: string): boolean;
  close(): void;
}

/**
 * Listens to events of some applications. Registering with the registry would notify every application, and each would
 * build its cache at once (see readCache): only these are notified, with the registry's own signal, and none whose
 * cache is expensive. Resolves when those that answer are listening. The content of a signal is never read: it may be
 * private text.
 */
export async function listenToEvents(
  bus: Bus,
  names: readonly string[],
  timeoutMs: number,
  withMovement: boolean,
  onEvent: (signal: Signal) => void,
): Promise<EventListening> {
  const wanted = new Set(names);
  const isWanted = ({ sender, interface: interfaceName, member }: Signal): boolean =>
    wanted.has(sender) &&
    interfaces.includes(interfaceName) &&
    !idle.has(member) &&
    (withMovement || member !== "BoundsChanged");
  const spoken = new SpokenNames();
  const stopListening = bus.listen((signal) => isWanted(signal) && spoken.isNew(signal) && onEvent(signal));
  const rules = names.flatMap((name) => interfaces.map((one) => `type='signal',sender='${name}',interface='${one}'`));
  const announced = withMovement ? [...kinds, movement] : kinds;
  const [answers] = await Promise.all([
    Promise.all(names.map((name) => register(bus, name, announced, timeoutMs))),
    ...rules.map((rule) => bus.addMatch(rule)),
  ]);
  const reporting = new Set(answers.filter((name) => name !== undefined));
  return {
    isReporting: (name) => reporting.has(name),
    close: () => {
      stopListening();
      if (!bus.isOpen) return;
      for (const rule of rules) bus.removeMatch(rule);
      for (const name of reporting) unregister(bus, name, announced);
    },
  };
}

/**
 * Thunar sets the name of its view whenever that is asked for, and says so: a read would cause an event, and the event
 * the next read. A name or description that is said again unchanged is no event.
 */
export class SpokenNames {
  private readonly digests = new Map<string, number | bigint>();

  isNew({ sender, path, member, body }: Signal): boolean {
    const what = member === "PropertyChange" ? readDetail(body) : "";
    if (!namings.has(what) || !isTextValue(body, what)) return true;
    const key = `${sender} ${path} ${what}`;
    const digest = Bun.hash(body);
    if (this.digests.get(key) === digest) return false;
    if (this.digests.size >= maxSpoken) this.digests.clear();
    this.digests.set(key, digest);
    return true;
  }
}

const namings: ReadonlySet<string> = new Set(["accessible-name", "accessible-description"]);
const maxSpoken = 1000;

/** The first text of an event: which property changed. */
export function readDetail(body: Uint8Array): string {
  const end = body.indexOf(0, 4);
  return end < 0 ? "" : Buffer.from(body.subarray(4, end)).toString("latin1");
}

/** Whether the new value is in the event, as a text: after the detail, two numbers and the variant's signature. */
function isTextValue(body: Uint8Array, detail: string): boolean {
  const at = Math.ceil((4 + detail.length + 1) / 4) * 4 + 8;
  return body[at] === 1 && body[at + 1] === "s".charCodeAt(0);
}

/** An application handles messages in order: its answer means that it has processed the signals before. */
async function register(
  bus: Bus,
  name: string,
  announced: readonly string[],
  timeoutMs: number,
): Promise<string | undefined> {
  const peer = new Peer(bus, name, timeoutMs);
  let hasAnnounced = false;
  try {
    const quirks = await findQuirks(peer);
    if (!quirks.reportsCheaply) return undefined;
    hasAnnounced = true;
    for (const kind of announced) {
      if (countListeners(bus, name, kind, 1) === 1) announceListener(bus, name, kind);
    }
    await peer.getProperty(rootPath, "Accessible", "ChildCount");
    return name;
  } catch (error) {
    // One that hangs or is gone is watched by its pixels alone.
    if (error instanceof DeadlinePassed || error instanceof ErrorReply) return hasAnnounced ? name : undefined;
    throw error;
  } finally {
    peer.close();
  }
}

function unregister(bus: Bus, name: string, announced: readonly string[]): void {
  for (const kind of announced) {
    if (countListeners(bus, name, kind, -1) === 0) announceListener(bus, name, kind, false);
  }
}

const listeners = new WeakMap<Bus, Map<string, number>>();

/**
 * An application registers a connection once per event type, however many listeners share it: the last one unregisters.
 */
function countListeners(bus: Bus, name: string, kind: string, change: 1 | -1): number {
  const counts = listeners.get(bus) ?? new Map<string, number>();
  listeners.set(bus, counts);
  const key = `${name} ${kind}`;
  const count = (counts.get(key) ?? 0) + change;
  if (count <= 0) counts.delete(key);
  else counts.set(key, count);
  return count;
}
