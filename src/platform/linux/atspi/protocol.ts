import { maskSecrets } from "../../../model/secrets-in-text.ts";
import type { Caret } from "../../../model/snapshot.ts";
import { shape } from "../dbus/bus.ts";
import { unlessRefused } from "../dbus/errors.ts";
import type { Value, Variant } from "../dbus/reader.ts";
import type { Peer } from "./peer.ts";
import type { StateBits } from "./vocabulary.ts";

/** The AT-SPI calls used for reading; one function per call, with the type of its reply. */
const atspi = "org.a11y.atspi.";
const properties = "org.freedesktop.DBus.Properties";
export const rootPath = "/org/a11y/atspi/accessible/root";
export const nullPath = "/org/a11y/atspi/null";
const cachePath = "/org/a11y/atspi/cache";

export type ObjectRef = readonly [busName: string, path: string];

export type CacheItem = readonly [
  ref: ObjectRef,
  application: ObjectRef,
  parent: ObjectRef,
  indexInParent: number,
  childCount: number,
  interfaces: readonly string[],
  name: string,
  role: number,
  description: string,
  states: readonly number[],
];

export const screenCoordinates = 0;
export const windowCoordinates = 1;
export type CoordinateType = typeof screenCoordinates | typeof windowCoordinates;
export type Extents = readonly [x: number, y: number, width: number, height: number];
export type NamedAction = readonly [name: string, description: string, keyBinding: string];
export type Relation = readonly [type: number, targets: readonly ObjectRef[]];
export const labelledBy = 2;
export const embeds = 13;

const shapes = {
  items: shape<readonly CacheItem[]>("a((so)(so)(so)iiassusau)"),
  refs: shape<readonly ObjectRef[]>("a(so)"),
  ref: shape<ObjectRef>("(so)"),
  role: shape<number>("u"),
  states: shape<readonly number[]>("au"),
  names: shape<readonly string[]>("as"),
  extents: shape<Extents>("(iiii)"),
  rangeExtents: shape<Extents>("iiii"),
  actions: shape<readonly NamedAction[]>("a(sss)"),
  relations: shape<readonly Relation[]>("a(ua(so))"),
  text: shape<string>("s"),
  count: shape<number>("i"),
  range: shape<readonly [start: number, end: number]>("ii"),
  variant: shape<Variant>("v"),
  attributes: shape<readonly (readonly [string, string])[]>("a{ss}"),
};

export function getCacheItems(peer: Peer): Promise<readonly CacheItem[]> {
  return peer.call(cachePath, `${atspi}Cache`, "GetItems", shapes.items);
}

export function getChildren(peer: Peer, path: string): Promise<readonly ObjectRef[]> {
  return peer.call(path, `${atspi}Accessible`, "GetChildren", shapes.refs);
}

export function getChildAt(peer: Peer, path: string, index: number): Promise<ObjectRef> {
  return peer.call(path, `${atspi}Accessible`, "GetChildAtIndex", shapes.ref, "i", [index]);
}

export async function getParent(peer: Peer, path: string): Promise<ObjectRef | undefined> {
  const parent = await getProperty(peer, path, "Accessible", "Parent");
  if (!Array.isArray(parent)) return undefined;
  const [busName, parentPath] = parent;
  return typeof busName === "string" && typeof parentPath === "string" ? [busName, parentPath] : undefined;
}

/** Deeper than any window nests; ends a cyclic tree. */
const maxLevels = 60;

/** The paths of an object's ancestors, nearest first; not that of the application. */
export async function* listAncestors(peer: Peer, path: string): AsyncGenerator<string> {
  let current = path;
  for (let level = 0; level < maxLevels; level += 1) {
    const parent = await unlessRefused(getParent(peer, current));
    if (parent === undefined || parent[0] !== peer.name || parent[1] === rootPath || parent[1] === nullPath) return;
    current = parent[1];
    yield current;
  }
}

export function getRole(peer: Peer, path: string): Promise<number> {
  return peer.call(path, `${atspi}Accessible`, "GetRole", shapes.role);
}

export async function getStates(peer: Peer, path: string): Promise<StateBits> {
  return toStateBits(await peer.call(path, `${atspi}Accessible`, "GetState", shapes.states));
}

export function getInterfaces(peer: Peer, path: string): Promise<readonly string[]> {
  return peer.call(path, `${atspi}Accessible`, "GetInterfaces", shapes.names);
}

export function getRelations(peer: Peer, path: string): Promise<readonly Relation[]> {
  return peer.call(path, `${atspi}Accessible`, "GetRelationSet", shapes.relations);
}

export async function getAttributes(peer: Peer, path: string): Promise<ReadonlyMap<string, string>> {
  const attributes = await peer.call(path, `${atspi}Accessible`, "GetAttributes", shapes.attributes);
  return new Map([...attributes].map(([name, value]) => [name, maskSecrets(value)]));
}

export async function getProperty(peer: Peer, path: string, interfaceName: string, name: string): Promise<Value> {
  const reply = await peer.call(path, properties, "Get", shapes.variant, "ss", [atspi + interfaceName, name]);
  // Masks secrets in names and descriptions.
  return typeof reply.value === "string" ? maskSecrets(reply.value) : reply.value;
}

/** Unmasked: the caller must mask secrets, which may cross the ends of the range. */
export async function getText(peer: Peer, path: string, start: number, end: number): Promise<string> {
  return peer.call(path, `${atspi}Text`, "GetText", shapes.text, "ii", [start, end]);
}

/** Where the caret is and what is selected; undefined without text. */
export async function getCaret(peer: Peer, path: string): Promise<Caret | undefined> {
  const [at, count] = await Promise.all([
    getProperty(peer, path, "Text", "CaretOffset"),
    peer.call(path, `${atspi}Text`, "GetNSelections", shapes.count),
  ]);
  if (typeof at !== "number" || at < 0) return undefined;
  if (count === 0) return { at, start: at, end: at };
  const [start, end] = await peer.call(path, `${atspi}Text`, "GetSelection", shapes.range, "i", [0]);
  return { at, start, end };
}

export function getExtents(peer: Peer, path: string, coordinates: CoordinateType): Promise<Extents> {
  return peer.call(path, `${atspi}Component`, "GetExtents", shapes.extents, "u", [coordinates]);
}

export function getAccessibleAt(
  peer: Peer,
  path: string,
  x: number,
  y: number,
  coordinates: CoordinateType,
): Promise<ObjectRef> {
  return peer.call(path, `${atspi}Component`, "GetAccessibleAtPoint", shapes.ref, "iiu", [x, y, coordinates]);
}

export function getCellAt(peer: Peer, path: string, row: number, column: number): Promise<ObjectRef> {
  return peer.call(path, `${atspi}Table`, "GetAccessibleAt", shapes.ref, "ii", [row, column]);
}

export function getIndexInParent(peer: Peer, path: string): Promise<number> {
  return peer.call(path, `${atspi}Accessible`, "GetIndexInParent", shapes.count);
}

export function getActions(peer: Peer, path: string): Promise<readonly NamedAction[]> {
  return peer.call(path, `${atspi}Action`, "GetActions", shapes.actions);
}

export function getActionName(peer: Peer, path: string, index: number): Promise<string> {
  return peer.call(path, `${atspi}Action`, "GetName", shapes.text, "i", [index]);
}

/** The address for connections that bypass the bus. */
export function getDirectAddress(peer: Peer): Promise<string> {
  return peer.call(rootPath, `${atspi}Application`, "GetApplicationBusAddress", shapes.text);
}

export function getDocumentAttribute(peer: Peer, path: string, name: string): Promise<string> {
  return peer.call(path, `${atspi}Document`, "GetAttributeValue", shapes.text, "s", [name]);
}

export function getSelectedChild(peer: Peer, path: string, index: number): Promise<ObjectRef> {
  return peer.call(path, `${atspi}Selection`, "GetSelectedChild", shapes.ref, "i", [index]);
}

export function getRangeExtents(
  peer: Peer,
  path: string,
  start: number,
  end: number,
  coordinates: CoordinateType,
): Promise<Extents> {
  return peer.call(path, `${atspi}Text`, "GetRangeExtents", shapes.rangeExtents, "iiu", [start, end, coordinates]);
}

export function toStateBits(words: readonly number[]): StateBits {
  return [words[0] ?? 0, words[1] ?? 0];
}

export function isInterface(interfaces: readonly string[], name: string): boolean {
  return interfaces.includes(atspi + name);
}
