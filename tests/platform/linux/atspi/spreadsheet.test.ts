import { expect, test } from "bun:test";
import type { Walk } from "../../../../src/platform/linux/atspi/nodes.ts";
import { type Extents, type ObjectRef, Peer } from "../../../../src/platform/linux/atspi/peer.ts";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import { readSpreadsheet } from "../../../../src/platform/linux/atspi/spreadsheet.ts";
import { Bus, ErrorReply } from "../../../../src/platform/linux/dbus/bus.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

const texts: readonly string[] = ["Fruit", "pear", "12", ""];
const view: Extents = [0, 0, 60, 80];

/** A column of cells; each request of one makes a new object, as in LibreOffice. */
class Column extends Peer {
  requests = 0;
  readonly objects = new Map<string, number>();
  /** Rows with an error now: only objects made since then have no text. */
  readonly errors = new Map<number, { readonly formula: string; readonly since: number }>();

  constructor(bus: Bus) {
    super(bus, ":1.1", 60_000);
  }

  private make(row: number): ObjectRef {
    const path = `/cell/${this.objects.size}`;
    this.objects.set(path, row);
    return [this.name, path];
  }

  private rowOf(path: string): number {
    const row = this.objects.get(path) ?? -1;
    if (row < 0) throw new ErrorReply("org.freedesktop.DBus.Error.UnknownObject", path);
    return row;
  }

  override async getCellAt(_path: string, row: number): Promise<ObjectRef> {
    this.requests += 1;
    return this.make(row);
  }

  override async getAccessibleAt(_path: string, _x: number, y: number): Promise<ObjectRef> {
    return this.make(Math.floor(y / 20));
  }

  override async getExtents(): Promise<Extents> {
    return view;
  }

  override async call<T>(...[path, , member, , , args = []]: Parameters<Peer["call"]>): Promise<T> {
    const row = this.rowOf(path);
    const error = this.errors.get(row);
    const isNew = error !== undefined && Number(path.slice("/cell/".length)) >= error.since;
    const text = isNew ? "" : (texts[row] ?? "");
    const answers: Readonly<Record<string, unknown>> = {
      GetRole: 56,
      GetInterfaces: ["org.a11y.atspi.Text"],
      GetState: [0, 0],
      GetAttributes: new Map(error === undefined ? [] : [["Formula", error.formula]]),
      CurrentValue: { signature: "d", value: error === undefined ? Number(texts[row]) || 0 : 0 },
      Name: { signature: "s", value: `A${row + 1}` },
      CharacterCount: { signature: "i", value: text.length },
    };
    return answers[member === "Get" ? String(args[1]) : member] as T;
  }
}

function openSheet() {
  const bus: Bus = Object.create(Bus.prototype);
  const peer = new Column(bus);
  const sheet = makeNode("table", { name: "Sheet First", interfaces: ["Component"] });
  const cuts = new Map<string, string>();
  const read = async (): Promise<string[]> => {
    const walk: Walk = { peer, quirks: quirksOf("VCL"), includeHidden: false, nodes: new Map(), cuts };
    await readSpreadsheet(walk, sheet);
    return sheet.children.map(({ name }) => name);
  };
  return { peer, read, readNote: () => cuts.get(sheet.path) };
}

const full = ["A1", "A2", "A3"];

test("a cell whose object no longer answers is requested again, and no other is", async () => {
  const { peer, read } = openSheet();
  expect(await read()).toEqual(full);
  expect([await read(), peer.requests]).toEqual([full, texts.length]);
  for (const [path, row] of peer.objects) if (row === 1) peer.objects.set(path, -1);
  expect([await read(), peer.requests]).toEqual([full, texts.length + 1]);
  peer.close();
});

test("a cell that shows an error now is requested again, once, since its object goes on telling its former text", async () => {
  const { peer, read, readNote } = openSheet();
  await read();
  const show = (row: number, formula: string) => peer.errors.set(row, { formula, since: peer.objects.size });
  show(1, "=1/0");
  expect([await read(), peer.requests]).toEqual([full, texts.length + 1]);
  expect(readNote()).toEndWith("what the formula shows in A2, an error or nothing, is not told");
  // The number is gone, though the formula is the same as that of the object.
  show(2, "");
  expect([await read(), peer.requests]).toEqual([["A1", "A2"], texts.length + 2]);
  expect([await read(), peer.requests]).toEqual([["A1", "A2"], texts.length + 2]);
  peer.close();
});
