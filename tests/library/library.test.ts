import { describe, expect, test } from "bun:test";
import type { CallReply, CallRequest, Host } from "../../src/host/port.ts";
import { Desk } from "../../src/library/desk.ts";
import { DeskmapError, UnconfirmedError } from "../../src/library/error.ts";
import type { ChangeLine } from "../../src/model/change-line.ts";
import { type Failure, type Result, succeed } from "../../src/model/failure.ts";

/** A host with scripted answers that records its calls. */
function playHost(
  replies: readonly (Failure | { readonly json: Readonly<Record<string, unknown>>; readonly exitCode?: number })[],
) {
  const asked: CallRequest[] = [];
  const watched: unknown[] = [];
  const turns: string[] = [];
  let isClosed = false;
  let next = 0;
  const host: Host = {
    call: (request): Promise<CallReply> => {
      asked.push(request);
      const reply = replies[Math.min(next, replies.length - 1)];
      next += 1;
      if (reply === undefined) throw new Error("nothing to answer");
      if ("code" in reply) return Promise.resolve({ outputs: {}, failure: reply, exitCode: 1, warnings: [] });
      const { json, exitCode = 0 } = reply;
      return Promise.resolve({ outputs: { text: String(json) }, data: json, exitCode, warnings: [] });
    },
    watch: async function* ({ input }): AsyncGenerator<Result<readonly ChangeLine[]>> {
      watched.push(input);
      yield succeed([{ kind: "start", reason: "first" }]);
      yield succeed([{ kind: "token", token: "t-2", atMs: 1 }]);
    },
    async *observe() {},
    async *listen() {},
    async *send() {},
    recall: async () => succeed([]),
    ring: async () => succeed({ isOn: false, minutes: 0, steps: 0 }),
    begin: () => {
      turns.push(`begin ${turns.length / 2 + 1}`);
      return Promise.resolve(succeed({ turn: `turn-${(turns.length + 1) / 2}`, untilMs: 1 }));
    },
    end: (turn) => {
      turns.push(`end ${turn}`);
      return Promise.resolve(succeed(undefined));
    },
    close: async () => {
      isClosed = true;
    },
  };
  return { host, asked, watched, turns, hasClosed: () => isClosed };
}

const confirmed = {
  json: { effect: "confirmed", did: "click", target: "x", way: "action", delivered: true, retry: "safe" },
};
const missing: Failure = {
  code: "NOT_FOUND",
  message: 'no button named "Save"',
  nearest: ['button "Open" (3)'],
  done: "nothing was done.",
};

describe("a locator", () => {
  test("acts on the control by its words, its role and its application", async () => {
    const { host, asked } = playHost([confirmed]);
    const effect = await new Desk(host).app("Mousepad").button("Save").click();
    expect(effect.effect).toBe("confirmed");
    expect(asked.map(({ tool, input }) => ({ tool, input }))).toEqual([
      { tool: "click", input: { app: "Mousepad", on: "Save", role: "button,toggle" } },
    ]);
  });

  test("reads a text whole, and a field's value with its spaces", async () => {
    const found = { json: { matches: [{ i: 7, r: "input", t: "Notes", v: "a b", score: 9 }] } };
    const parts = [
      { json: { i: 7, start: 0, end: 2, length: 4, next: 2, text: "a " } },
      { json: { i: 7, start: 2, end: 4, length: 4, text: "b " } },
    ];
    expect(await new Desk(playHost([found, ...parts]).host).input("Notes").value()).toBe("a b ");
    expect(await new Desk(playHost(parts).host).mark(7).text()).toBe("a b ");
  });

  test("means the only one in its container, or one by its index", async () => {
    const last = playHost([confirmed]);
    await new Desk(last.host).button("Delete").nth(-1).click({ pointer: true });
    const deleting = { on: "Delete", role: "button,toggle" };
    expect(last.asked.map(({ input }) => input)).toEqual([{ ...deleting, nth: -1, pointer: true }]);
    const inside = playHost([confirmed]);
    const desk = new Desk(inside.host);
    await desk.within(desk.mark(20)).button("Delete").nth(0).click();
    expect(inside.asked.map(({ input }) => input)).toEqual([{ ...deleting, within: 20, nth: 1 }]);
  });

  test("lists the choices of a closed list", async () => {
    const option = (i: number, t: string) => ({ i, r: "menuitem", t });
    const list = { i: 5, r: "select", c: [{ i: 6, r: "menu", c: [option(7, "Red"), option(8, "Blue")] }] };
    const { host, asked } = playHost([{ json: { app: "a", pid: 1, window: "w", id: 1, elements: [list] } }]);
    expect(await new Desk(host).mark(5).options()).toEqual(["Red", "Blue"]);
    expect(asked[0]?.input).toEqual({ all: true });
  });

  test("keeps the words of a field separate from the text that goes into it", async () => {
    const { host, asked } = playHost([confirmed]);
    await new Desk(host).input("Name").fill("Ada");
    expect(asked[0]?.input).toEqual({ on: "Name", role: "input", text: "Ada" });
  });

  test("is pointed at by a point of the screen, and taught and pictured like any other", async () => {
    const { host, asked } = playHost([confirmed]);
    await new Desk(host).at(640, 400).click();
    expect(asked.at(-1)).toMatchObject({ tool: "click", input: { at: "640,400" } });
    await new Desk(host).at(640, 400).teach("the disk");
    expect(asked.at(-1)).toMatchObject({ tool: "teach", input: { at: "640,400", name: "the disk" } });
    await new Desk(host).app("Editor").button("Save").nth(-1).teach("the disk");
    expect(asked.at(-1)).toMatchObject({ tool: "teach", input: { app: "Editor", on: "Save", nth: -1 } });
    const pictured = playHost([{ json: { data: Buffer.from("png").toString("base64") } }]);
    const picture = await new Desk(pictured.host).app("Editor").button("Save").screenshot({ scale: 0.5 });
    expect(Buffer.from(picture).toString()).toBe("png");
    expect(pictured.asked[0]).toMatchObject({ tool: "screenshot", input: { app: "Editor", on: "Save", scale: 0.5 } });
  });

  test("waits for a control that is not there yet, and retries when something changes", async () => {
    const { host, asked, watched } = playHost([missing, missing, confirmed]);
    await new Desk(host).app("Mousepad").button("Save").click();
    expect(asked).toHaveLength(3);
    expect(watched).toEqual([{ app: "Mousepad" }, { app: "Mousepad" }]);
  });

  test("gives up in time, and says what is there instead", async () => {
    const { host } = playHost([missing]);
    const error = await new Desk(host)
      .button("Save")
      .click({ timeoutMs: 1 })
      .catch((one: unknown) => one);
    expect(error).toBeInstanceOf(DeskmapError);
    expect(error).toMatchObject({ code: "NOT_FOUND", nearest: ['button "Open" (3)'], done: "nothing was done." });
    expect(String(error)).toContain('nearest: button "Open" (3)');
  });

  test("does not retry a partly done action, though the control may come back", async () => {
    const { host, asked } = playHost([{ ...missing, done: "only this was done: the menu was opened." }, confirmed]);
    const error = await new Desk(host)
      .button("Save")
      .click()
      .catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "NOT_FOUND", done: "only this was done: the menu was opened." });
    expect(asked).toHaveLength(1);
  });

  test("does not retry a refused action", async () => {
    const { host, asked } = playHost([{ code: "REFUSED", reason: "denied", message: "no", done: "nothing was done." }]);
    const error = await new Desk(host)
      .button("Delete")
      .click()
      .catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "REFUSED", reason: "denied" });
    expect(asked).toHaveLength(1);
  });

  test("treats nothing as done that was not confirmed, unless told to", async () => {
    const unseen = { json: { ...confirmed.json, effect: "no-change", retry: "unsafe" }, exitCode: 4 };
    const first = await new Desk(playHost([unseen]).host)
      .button("Save")
      .click()
      .catch((one: unknown) => one);
    expect(first).toBeInstanceOf(UnconfirmedError);
    expect(String(first)).toContain("look before doing it again");
    const second = await new Desk(playHost([unseen]).host).button("Save").click({ allowUnconfirmed: true });
    expect(second.effect).toBe("no-change");
  });

  test("refuses to choose between two equal matches", async () => {
    const match = (i: number) => ({ i, r: "btn", t: "OK", score: 1 });
    const { host } = playHost([{ json: { words: "OK", matches: [match(1), match(2)] } }]);
    const error = await new Desk(host)
      .button("OK")
      .get()
      .catch((one: unknown) => one);
    expect(error).toMatchObject({ code: "AMBIGUOUS" });
  });

  test("describes a control in plain data", async () => {
    const match = { i: 7, r: "chk", t: "Wrap", v: "checked", b: [1, 2, 3, 4], f: true, score: 1 };
    const { host } = playHost([{ json: { words: "Wrap", matches: [match] } }]);
    const control = await new Desk(host).checkbox("Wrap").get();
    expect(control).toMatchObject({
      mark: 7,
      role: "checkbox",
      name: "Wrap",
      bounds: { x: 1, y: 2, width: 3, height: 4 },
    });
    expect([...control.states].sort()).toEqual(["checked", "focused"]);
  });

  test("names the only control of a role by that role", async () => {
    const { host, asked } = playHost([confirmed, { json: { matches: [{ i: 9, r: "input", t: "", score: 1 }] } }]);
    const field = new Desk(host).app("pad").only("input");
    await field.fill("x");
    expect(await field.mark()).toBe(9);
    expect(asked.map(({ tool, input }) => ({ tool, input }))).toEqual([
      { tool: "set-value", input: { app: "pad", role: "input", text: "x" } },
      { tool: "find", input: { app: "pad", role: "input", max: 2 } },
    ]);
  });

  test("says whether a control is there without waiting for it", async () => {
    const { host, asked } = playHost([missing]);
    expect(await new Desk(host).button("Save").isPresent()).toBe(false);
    expect(asked).toHaveLength(1);
  });
});

describe("a desk", () => {
  test("holds its turn for actions through the held desk, and for nothing beside or after", async () => {
    const { host, asked } = playHost([confirmed]);
    const desk = new Desk(host);
    await desk.hold(async (held) => {
      await held.button("A").click();
      await desk.button("Beside").click();
      await held.hold((same) => same.app("x").button("B").click());
    });
    await desk.button("After").click();
    expect(asked.map(({ turn }) => turn)).toEqual(["turn-1", undefined, "turn-1", undefined]);
  });

  test("holds one turn after the other, also when the first fails", async () => {
    const { host, asked, turns } = playHost([confirmed]);
    const desk = new Desk(host);
    const first = desk.hold(async (held) => {
      await held.button("A").click();
      await Bun.sleep(1);
      await held.button("A").click();
      throw new Error("of the work itself");
    });
    const second = desk.hold((held) => held.button("B").click());
    expect(await first.catch(String)).toContain("of the work itself");
    await second;
    expect(turns).toEqual(["begin 1", "end turn-1", "begin 2", "end turn-2"]);
    expect(asked.map(({ turn }) => turn)).toEqual(["turn-1", "turn-1", "turn-2"]);
  });

  test("joins an enclosing hold, and does not wait for itself", async () => {
    const { host, asked, turns } = playHost([confirmed]);
    const desk = new Desk(host);
    const click = (name: string) => desk.hold((held) => held.button(name).click());
    let later: Promise<unknown> = Promise.resolve();
    await desk.hold(async () => {
      await click("A");
      await desk.hold(() => click("B"));
      const begun = Promise.withResolvers<void>();
      later = begun.promise.then(() => click("C"));
      setTimeout(begun.resolve, 0);
    });
    // Work that outlives a hold gets its own turn.
    await later;
    expect(asked.map(({ turn }) => turn)).toEqual(["turn-1", "turn-1", "turn-2"]);
    expect(turns).toEqual(["begin 1", "end turn-1", "begin 2", "end turn-2"]);
  });

  test("is still connected when the desk of a hold is closed", async () => {
    const { host, hasClosed } = playHost([confirmed]);
    const desk = new Desk(host);
    await desk.hold(async (held) => {
      await using inner = held;
      await inner.button("A").click();
    });
    expect(hasClosed()).toBe(false);
  });

  test("watches until the loop is left", async () => {
    const { host, watched } = playHost([]);
    const kinds: string[] = [];
    for await (const line of new Desk(host).window("Save As").watch({ roles: ["button"], since: "t-1" }))
      kinds.push(line.kind);
    expect(kinds).toEqual(["start", "token"]);
    expect(watched).toEqual([{ window: "Save As", roles: "button", since: "t-1" }]);
  });

  test("closes its host when its block is left", async () => {
    const { host, hasClosed } = playHost([]);
    {
      await using desk = new Desk(host);
      expect(desk).toBeInstanceOf(Desk);
    }
    expect(hasClosed()).toBe(true);
  });
});
