import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { act } from "../../src/desktop/index.ts";
import type { Entry } from "../../src/guard/audit/chain.ts";
import type { Gate } from "../../src/guard/gate.ts";
import type { Policy } from "../../src/guard/policy/policy.ts";
import { logRefusal } from "../../src/guard/refusals.ts";
import { describeStanding } from "../../src/guard/rules.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import { button, Desk, makeMapFolder } from "../map/desk.ts";
import { MemoryRecords, openGuard } from "./open-guard.ts";

const folder = makeMapFolder();
let store: SqliteStore;
let home: string;
beforeEach(() => {
  store = folder.open();
  home = mkdtempSync(join(tmpdir(), "deskmap-refused-"));
});
afterEach(() => {
  store.close();
  rmSync(home, { recursive: true, force: true });
});

/** A log that rejects one kind of line. */
class FullRecords extends MemoryRecords {
  constructor(private readonly refused: Entry["what"]) {
    super();
  }

  override write(entry: Entry): Result<number> {
    if (entry.what !== this.refused) return super.write(entry);
    return fail({ code: "REFUSED", reason: "audit", message: "the disk is full", done: nothingDone });
  }
}

const call = { tool: "click", isDryRun: false, timeoutMs: 100 };

function open(policy: Partial<Policy>, records = new MemoryRecords()) {
  const desk = new Desk(store, { title: "Home", children: [button("Refresh")] });
  const guard = openGuard(desk.fake, { policy, records });
  const press = () => {
    const desktop = { platform: desk.fake.open(), marks: store, guard };
    const order = { kind: "click", button: "left", count: 1 } as const;
    return act(desktop, { ...call, aim: { by: "words", words: "Refresh" }, order });
  };
  return { desk, guard, records, press, list: () => records.entries.map(({ what, effect }) => [what, effect]) };
}

function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error("it was done");
  return result.failure;
}

const blind = describeStanding("KeePassXC", "blind");

describe("a refusal is logged", () => {
  test("when an application may not be controlled", async () => {
    const { press, list, desk } = open({ standings: new Map([["*", "hands-off"]]) });
    expect(failureOf(await press()).reason).toBe("hands-off");
    expect(list()).toEqual([["refused", "hands-off"]]);
    expect(desk.fake.pressed).toEqual([]);
  });

  test("when the redacted view refused it, before any command was planned", async () => {
    const { guard, list } = open({});
    const outcome = await guard.run(call, () => Promise.resolve(fail(blind)));
    expect(failureOf(outcome)).toBe(blind);
    expect(list()).toEqual([["refused", "blind"]]);
  });

  test("when its target is unknown", async () => {
    const { guard, list, desk } = open({ standings: new Map([["x", "blind"]]) });
    const carryOut = async (gate: Gate): Promise<Result<never>> => {
      desk.fake.open = () => {
        throw new Error("not opened again");
      };
      const done = await gate.carryOut({ kind: "keys", combo: { modifiers: [], key: "a" } }, { tool: "type" });
      return done.ok ? fail(blind) : done;
    };
    const platform = Reflect.get(Reflect.get(guard, "options"), "platform");
    platform.listPopups = () => Promise.resolve(fail({ code: "UNAVAILABLE", message: "no answer", done: nothingDone }));
    expect(failureOf(await guard.run(call, carryOut)).message).toBe("no answer");
    expect(list()).toEqual([["refused", "UNAVAILABLE"]]);
  });

  test("once, however often it is passed on", async () => {
    const records = new MemoryRecords();
    const failure = { ...blind };
    const who = { client: "test", tool: "read" };
    expect(logRefusal(records, who, failure)).toBe(failure);
    logRefusal(records, who, failure);
    expect(records.entries).toMatchObject([{ what: "refused", tool: "read", effect: "blind" }]);
    logRefusal(records, who, { code: "NOT_FOUND", message: "nothing", done: nothingDone });
    expect(records.entries).toHaveLength(1);
  });

  test("and other failures, or dry runs, leave none", async () => {
    const { guard, list } = open({});
    await guard.run(call, () => Promise.resolve(fail({ code: "NOT_FOUND", message: "gone", done: nothingDone })));
    await guard.run({ ...call, isDryRun: true }, () => Promise.resolve(fail({ ...blind })));
    expect(list()).toEqual([]);
  });
});

describe("a log that accepts no more lines is reported", () => {
  test("when an action has ended: the effect is reported, and that its end is not logged", async () => {
    const { press, desk, records } = open({}, new FullRecords("end"));
    const failure = failureOf(await press());
    expect(failure).toMatchObject({ code: "REFUSED", reason: "audit" });
    expect(failure.message).toContain("how it ended is not in the log: the disk is full");
    expect(failure.done).not.toBe(nothingDone);
    expect(desk.fake.pressed).toHaveLength(1);
    expect(records.entries.map(({ what }) => what)).toEqual(["begin"]);
  });

  test("when an action was refused: why, and that it is not logged", async () => {
    const { press } = open({ standings: new Map([["*", "hands-off"]]) }, new FullRecords("refused"));
    const failure = failureOf(await press());
    expect(failure.reason).toBe("hands-off");
    expect(failure.message).toContain("not in the log: the disk is full");
  });

  test("and an action whose beginning cannot be logged does not begin", async () => {
    const { press, desk } = open({}, new FullRecords("begin"));
    expect(failureOf(await press()).reason).toBe("audit");
    expect(desk.fake.pressed).toEqual([]);
  });
});

test("pasting a blind application's copy is refused and logged", async () => {
  const { guard, records, desk } = open({ standings: new Map([["vault", "blind"]]) });
  const hands = desk.fake.openHands();
  hands.findClipboardOwner = () => Promise.resolve(succeed(["vault"]));
  desk.fake.openHands = () => hands;
  expect(failureOf(await guard.gate.readClipboard({ tool: "clipboard" }, "clipboard")).reason).toBe("blind");
  expect(records.entries).toMatchObject([{ what: "refused", effect: "blind", tool: "clipboard" }]);
});
