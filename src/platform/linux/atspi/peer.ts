import { maskSecrets } from "../../../model/secrets-in-text.ts";
import type { Caret } from "../../../model/snapshot.ts";
import { type Bus, DeadlinePassed, type Shape, shape, unlessRefused } from "../dbus/bus.ts";
import type { Value, Variant } from "../dbus/reader.ts";
import type { StateBits } from "./vocabulary.ts";

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
export const controllerFor = 3;
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

/** Deeper than any window nests; ends a cyclic tree. */
const maxLevels = 60;

/** Enough to hide the latency, few enough not to delay the application's own events. */
const maxInFlight = 64;

/**
 * One application on the accessibility bus during one read: at most `maxInFlight` concurrent calls and a common
 * deadline, so that a hung application costs only its own time.
 */
export class Peer {
  private readonly queue: (() => void)[] = [];
  private readonly inFlight = new Set<number>();
  private deadline: DeadlinePassed | undefined;
  /** The number of calls sent. */
  questions = 0;
  private readonly timer: ReturnType<typeof setTimeout>;

  constructor(
    readonly bus: Bus,
    readonly name: string,
    timeoutMs: number,
    /** How much of a long text is searched for secrets, though less is shown. */
    readonly searchedLength = 0,
  ) {
    this.timer = setTimeout(() => this.expire(timeoutMs), timeoutMs);
  }

  get hasExpired(): boolean {
    return this.deadline !== undefined;
  }

  async call<T>(
    path: string,
    interfaceName: string,
    member: string,
    expected: Shape<T>,
    signature = "",
    args: readonly Value[] = [],
  ): Promise<T> {
    if (this.inFlight.size >= maxInFlight) await new Promise<void>((resolve) => this.queue.push(resolve));
    if (this.deadline !== undefined) throw this.deadline;
    const call = { destination: this.name, path, interface: interfaceName, member, signature, args };
    this.questions += 1;
    const { serial, reply } = this.bus.send(call, expected);
    this.inFlight.add(serial);
    try {
      return await reply;
    } finally {
      this.inFlight.delete(serial);
      this.queue.shift()?.();
    }
  }

  close(): void {
    clearTimeout(this.timer);
  }

  // One method per AT-SPI call that reads, with the type of its reply.

  getCacheItems(): Promise<readonly CacheItem[]> {
    return this.call(cachePath, `${atspi}Cache`, "GetItems", shapes.items);
  }

  getChildren(path: string): Promise<readonly ObjectRef[]> {
    return this.call(path, `${atspi}Accessible`, "GetChildren", shapes.refs);
  }

  getChildAt(path: string, index: number): Promise<ObjectRef> {
    return this.call(path, `${atspi}Accessible`, "GetChildAtIndex", shapes.ref, "i", [index]);
  }

  async getParent(path: string): Promise<ObjectRef | undefined> {
    const parent = await this.getProperty(path, "Accessible", "Parent");
    if (!Array.isArray(parent)) return undefined;
    const [busName, parentPath] = parent;
    return typeof busName === "string" && typeof parentPath === "string" ? [busName, parentPath] : undefined;
  }

  /** The paths of an object's ancestors, nearest first; not that of the application. */
  async *listAncestors(path: string): AsyncGenerator<string> {
    let current = path;
    for (let level = 0; level < maxLevels; level += 1) {
      const parent = await unlessRefused(this.getParent(current));
      if (parent === undefined || parent[0] !== this.name || parent[1] === rootPath || parent[1] === nullPath) return;
      current = parent[1];
      yield current;
    }
  }

  getRole(path: string): Promise<number> {
    return this.call(path, `${atspi}Accessible`, "GetRole", shapes.role);
  }

  async getStates(path: string): Promise<StateBits> {
    return toStateBits(await this.call(path, `${atspi}Accessible`, "GetState", shapes.states));
  }

  getInterfaces(path: string): Promise<readonly string[]> {
    return this.call(path, `${atspi}Accessible`, "GetInterfaces", shapes.names);
  }

  getRelations(path: string): Promise<readonly Relation[]> {
    return this.call(path, `${atspi}Accessible`, "GetRelationSet", shapes.relations);
  }

  async getAttributes(path: string): Promise<ReadonlyMap<string, string>> {
    const attributes = await this.call(path, `${atspi}Accessible`, "GetAttributes", shapes.attributes);
    return new Map([...attributes].map(([name, value]) => [name, maskSecrets(value)]));
  }

  async getProperty(path: string, interfaceName: string, name: string): Promise<Value> {
    const reply = await this.call(path, properties, "Get", shapes.variant, "ss", [atspi + interfaceName, name]);
    // Masks secrets in names and descriptions.
    return typeof reply.value === "string" ? maskSecrets(reply.value) : reply.value;
  }

  /** Unmasked: the caller must mask secrets, which may cross the ends of the range. */
  async getText(path: string, start: number, end: number): Promise<string> {
    return this.call(path, `${atspi}Text`, "GetText", shapes.text, "ii", [start, end]);
  }

  /** Where the caret is and what is selected; undefined without text. */
  async getCaret(path: string): Promise<Caret | undefined> {
    const [at, count] = await Promise.all([
      this.getProperty(path, "Text", "CaretOffset"),
      this.call(path, `${atspi}Text`, "GetNSelections", shapes.count),
    ]);
    if (typeof at !== "number" || at < 0) return undefined;
    if (count === 0) return { at, start: at, end: at };
    const [start, end] = await this.call(path, `${atspi}Text`, "GetSelection", shapes.range, "i", [0]);
    return { at, start, end };
  }

  getExtents(path: string, coordinates: CoordinateType): Promise<Extents> {
    return this.call(path, `${atspi}Component`, "GetExtents", shapes.extents, "u", [coordinates]);
  }

  getAccessibleAt(path: string, x: number, y: number, coordinates: CoordinateType): Promise<ObjectRef> {
    return this.call(path, `${atspi}Component`, "GetAccessibleAtPoint", shapes.ref, "iiu", [x, y, coordinates]);
  }

  getCellAt(path: string, row: number, column: number): Promise<ObjectRef> {
    return this.call(path, `${atspi}Table`, "GetAccessibleAt", shapes.ref, "ii", [row, column]);
  }

  getIndexInParent(path: string): Promise<number> {
    return this.call(path, `${atspi}Accessible`, "GetIndexInParent", shapes.count);
  }

  getActions(path: string): Promise<readonly NamedAction[]> {
    return this.call(path, `${atspi}Action`, "GetActions", shapes.actions);
  }

  getActionName(path: string, index: number): Promise<string> {
    return this.call(path, `${atspi}Action`, "GetName", shapes.text, "i", [index]);
  }

  /** The address for connections that bypass the bus. */
  getDirectAddress(): Promise<string> {
    return this.call(rootPath, `${atspi}Application`, "GetApplicationBusAddress", shapes.text);
  }

  /** The address of a page: Gecko's attribute is "DocURL", that of Chromium and WebKit "URI". Empty if there is none. */
  async getDocumentAddress(path: string): Promise<string> {
    const attributes = new Map(await this.call(path, `${atspi}Document`, "GetAttributes", shapes.attributes));
    return maskSecrets(attributes.get("DocURL") ?? attributes.get("URI") ?? "");
  }

  getSelectedChild(path: string, index: number): Promise<ObjectRef> {
    return this.call(path, `${atspi}Selection`, "GetSelectedChild", shapes.ref, "i", [index]);
  }

  getRangeExtents(path: string, start: number, end: number, coordinates: CoordinateType): Promise<Extents> {
    return this.call(path, `${atspi}Text`, "GetRangeExtents", shapes.rangeExtents, "iiu", [start, end, coordinates]);
  }

  private expire(timeoutMs: number): void {
    this.deadline = new DeadlinePassed(`no answer within ${timeoutMs} ms`);
    for (const serial of this.inFlight) this.bus.forget(serial, this.deadline);
    for (const wake of this.queue.splice(0)) wake();
  }
}

export function toStateBits(words: readonly number[]): StateBits {
  return [words[0] ?? 0, words[1] ?? 0];
}

export function isInterface(interfaces: readonly string[], name: string): boolean {
  return interfaces.includes(atspi + name);
}
