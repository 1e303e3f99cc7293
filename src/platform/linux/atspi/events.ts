import { type Bus, busCall, shape } from "../dbus/bus.ts";
import { ConnectionLost, DeadlinePassed, ErrorReply } from "../dbus/errors.ts";
import { runtimeIdOf } from "./ask-again.ts";
import { knowToolkit } from "./know-toolkit.ts";
import { Peer } from "./peer.ts";
import { getProperty, rootPath } from "./protocol.ts";

const registry = "org.a11y.atspi.Registry";
const registryPath = "/org/a11y/atspi/registry";

/** What is told of a change. Moves and sizes are left out: opening one menu of GTK 3 reports 107 of them. */
const kinds = [
  "Object:ChildrenChanged:",
  "Object:StateChanged:",
  "Object:PropertyChange:",
  "Object:TextChanged:",
  "Object:SelectionChanged:",
  "Object:VisibleDataChanged:",
  "Object:ActiveDescendantChanged:",
  "Document:LoadComplete:",
  "Window:",
];
const interfaces = ["Object", "Window", "Document"].map((name) => `org.a11y.atspi.Event.${name}`);
/** Said of everything that takes part in a layout or moves a caret, by toolkits that do not ask what is wanted. */
const idle = new Set(["BoundsChanged", "TextCaretMoved", "TextSelectionChanged", "TextAttributesChanged"]);

/**
 * Hears what some applications report of themselves. Registering with the registry would reach every application, and each
 * would build its cache there and then (see readCache): only these are told, in the registry's words, and none whose cache
 * is dear. Returns when those that answer know of it; what it returns ends it.
 */
export async function hearEvents(
  bus: Bus,
  names: readonly string[],
  timeoutMs: number,
  onEvent: (runtimeId: string) => void,
): Promise<() => void> {
  const wanted = new Set(names);
  const stopListening = bus.listen(({ sender, path, interface: interfaceName, member }) => {
    if (wanted.has(sender) && interfaces.includes(interfaceName) && !idle.has(member))
      onEvent(runtimeIdOf(bus, sender, path));
  });
  const rules = names.flatMap((name) => interfaces.map((one) => `type='signal',sender='${name}',interface='${one}'`));
  const [told] = await Promise.all([
    Promise.all(names.map((name) => tell(bus, name, timeoutMs))),
    ...rules.map((rule) => bus.call(busCall("AddMatch", "s", [rule]), shape<undefined>(""))),
  ]);
  return () => {
    stopListening();
    if (!bus.isOpen) return;
    for (const rule of rules) ignoreEnd(bus.call(busCall("RemoveMatch", "s", [rule]), shape<undefined>("")));
    for (const name of told) if (name !== undefined) untell(bus, name);
  };
}

/** An application handles in order what it gets: when it answers, it has heard what was said before. */
async function tell(bus: Bus, name: string, timeoutMs: number): Promise<string | undefined> {
  const peer = new Peer(bus, name, timeoutMs);
  try {
    const quirks = await knowToolkit(peer);
    if (!quirks.reportsCheaply) return undefined;
    for (const kind of kinds) signal(bus, name, "EventListenerRegistered", "ssas", [bus.name, kind, []]);
    await getProperty(peer, rootPath, "Accessible", "ChildCount");
    return name;
  } catch (error) {
    // One that hangs or has gone is watched by its pixels alone.
    if (error instanceof DeadlinePassed || error instanceof ErrorReply) return name;
    throw error;
  } finally {
    peer.close();
  }
}

function untell(bus: Bus, name: string): void {
  for (const kind of kinds) signal(bus, name, "EventListenerDeregistered", "ss", [bus.name, kind]);
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
