import { type Bus, busCall, shape } from "../dbus/bus.ts";
import { ConnectionLost, DeadlinePassed, ErrorReply } from "../dbus/errors.ts";
import type { Signal } from "../dbus/message.ts";
import { knowToolkit } from "./know-toolkit.ts";
import { Peer } from "./peer.ts";
import { getProperty, rootPath } from "./protocol.ts";

const registry = "org.a11y.atspi.Registry";
const registryPath = "/org/a11y/atspi/registry";

/** What is told of a change. */
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
/** Opening one menu of GTK 3 reports 107 of them: only for those who keep all places. */
const movement = "Object:BoundsChanged:";
const interfaces = ["Object", "Window", "Document"].map((name) => `org.a11y.atspi.Event.${name}`);
/** Said of everything that moves a caret, by toolkits that do not ask what is wanted. */
const idle = new Set(["TextCaretMoved", "TextSelectionChanged", "TextAttributesChanged"]);

export interface Hearing {
  /** Whether an application tells; one that would pay dearly for it was not asked to. */
  isTelling(name: string): boolean;
  close(): void;
}

/**
 * Hears what some applications report of themselves. Registering with the registry would reach every application, and each
 * would build its cache there and then (see readCache): only these are told, in the registry's words, and none whose cache
 * is dear. Returns when those that answer know of it. What a signal carries is never read: it may be somebody's text.
 */
export async function hearEvents(
  bus: Bus,
  names: readonly string[],
  timeoutMs: number,
  withMovement: boolean,
  onEvent: (signal: Signal) => void,
): Promise<Hearing> {
  const wanted = new Set(names);
  const isWanted = ({ sender, interface: interfaceName, member }: Signal): boolean =>
    wanted.has(sender) &&
    interfaces.includes(interfaceName) &&
    !idle.has(member) &&
    (withMovement || member !== "BoundsChanged");
  const stopListening = bus.listen((signal) => isWanted(signal) && onEvent(signal));
  const rules = names.flatMap((name) => interfaces.map((one) => `type='signal',sender='${name}',interface='${one}'`));
  const told = withMovement ? [...kinds, movement] : kinds;
  const [answers] = await Promise.all([
    Promise.all(names.map((name) => tell(bus, name, told, timeoutMs))),
    ...rules.map((rule) => bus.call(busCall("AddMatch", "s", [rule]), shape<undefined>(""))),
  ]);
  const telling = new Set(answers.filter((name) => name !== undefined));
  return {
    isTelling: (name) => telling.has(name),
    close: () => {
      stopListening();
      if (!bus.isOpen) return;
      for (const rule of rules) ignoreEnd(bus.call(busCall("RemoveMatch", "s", [rule]), shape<undefined>("")));
      for (const name of telling) untell(bus, name, told);
    },
  };
}

/** An application handles in order what it gets: when it answers, it has heard what was said before. */
async function tell(bus: Bus, name: string, told: readonly string[], timeoutMs: number): Promise<string | undefined> {
  const peer = new Peer(bus, name, timeoutMs);
  let hasTold = false;
  try {
    const quirks = await knowToolkit(peer);
    if (!quirks.reportsCheaply) return undefined;
    hasTold = true;
    for (const kind of told) {
      if (countListeners(bus, name, kind, 1) === 1)
        signal(bus, name, "EventListenerRegistered", "ssas", [bus.name, kind, []]);
    }
    await getProperty(peer, rootPath, "Accessible", "ChildCount");
    return name;
  } catch (error) {
    // One that hangs or has gone is watched by its pixels alone.
    if (error instanceof DeadlinePassed || error instanceof ErrorReply) return hasTold ? name : undefined;
    throw error;
  } finally {
    peer.close();
  }
}

function untell(bus: Bus, name: string, told: readonly string[]): void {
  for (const kind of told) {
    if (countListeners(bus, name, kind, -1) === 0)
      signal(bus, name, "EventListenerDeregistered", "ss", [bus.name, kind]);
  }
}

const listeners = new WeakMap<Bus, Map<string, number>>();

/** An application knows a connection only once for each kind, however many listen behind it: the last one takes it back. */
function countListeners(bus: Bus, name: string, kind: string, change: 1 | -1): number {
  const counts = listeners.get(bus) ?? new Map<string, number>();
  listeners.set(bus, counts);
  const key = `${name} ${kind}`;
  const count = (counts.get(key) ?? 0) + change;
  if (count <= 0) counts.delete(key);
  else counts.set(key, count);
  return count;
}

function signal(
  bus: Bus,
  destination: string,
  member: string,
  signature: string,
  args: readonly (string | [])[],
): void {
  bus.signal({ destination, path: registryPath, interface: registry, member, signature, args });
}

function ignoreEnd(reply: Promise<unknown>): void {
  reply.catch((error: unknown) => {
    if (!(error instanceof ConnectionLost || error instanceof ErrorReply)) throw error;
  });
}
