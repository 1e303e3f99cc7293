import { expect, test } from "bun:test";
import { readDetails } from "../../../../src/platform/linux/atspi/details.ts";
import { Peer } from "../../../../src/platform/linux/atspi/peer.ts";
import { quirksOf } from "../../../../src/platform/linux/atspi/quirks.ts";
import { Bus } from "../../../../src/platform/linux/dbus/bus.ts";
import { makeNode } from "../../../fixtures/nodes.ts";

/** Answers with the texts given, one after the other, and as Firefox does with nothing for a range past the end. */
class ChangingText extends Peer {
  constructor(private readonly texts: string[]) {
    super(Object.create(Bus.prototype), ":1.1", 1000);
  }

  override async call<T>(...[, , member, , , args = []]: Parameters<Peer["call"]>): Promise<T> {
    const text = (this.texts.length > 1 ? this.texts.shift() : this.texts[0]) ?? "";
    const end = Number(args[1]);
    const isText = member === "GetText";
    return (isText ? text.slice(0, end > text.length ? 0 : end) : { signature: "i", value: text.length }) as T;
  }
}

async function readWhileChanging(...texts: string[]): Promise<string | undefined> {
  const peer = new ChangingText(texts);
  const details = { attributes: new Map(), actions: [], labelPaths: [] };
  const node = makeNode("paragraph", { interfaces: ["Text"], details });
  await readDetails(peer, quirksOf("Gecko"), [node], new Map([[node.path, node]]));
  peer.close();
  return node.details.text;
}

test("a text that became shorter between its length and its words is read as it is now", async () => {
  expect(await readWhileChanging("10 seconds left", "9 seconds left")).toBe("9 seconds left");
});

test("a text that was emptied meanwhile is empty", async () => {
  expect(await readWhileChanging("10 seconds left", "")).toBe("");
});

test("a text that stays, or became longer, is read once", async () => {
  expect(await readWhileChanging("9 seconds left")).toBe("9 seconds left");
  expect(await readWhileChanging("9 seconds", "10 seconds")).toBe("10 second");
});
