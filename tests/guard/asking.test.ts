import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { act } from "../../src/desktop/index.ts";
import { type Approval, nobody, type Question } from "../../src/guard/approval/approver.ts";
import { PersonApprover } from "../../src/guard/approval/ask.ts";
import { listSurfaces, Surface, surfacePath } from "../../src/guard/approval/surface.ts";
import { emptyLedger } from "../../src/guard/audit/ledger.ts";
import { Guard } from "../../src/guard/guard.ts";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import { type Policy, restrictToRecipient, sandboxPolicy } from "../../src/guard/policy/policy.ts";
import { FileTurns } from "../../src/guard/turn.ts";
import type { SqliteStore } from "../../src/map/store/sqlite.ts";
import type { Effect } from "../../src/model/effect.ts";
import { type Failure, fail, type Result, succeed } from "../../src/model/failure.ts";
import type { Order } from "../../src/model/order.ts";
import { processes } from "../../src/os/index.ts";
import { button, Desk, makeMapFolder } from "../map/desk.ts";
import { MemoryRecords } from "./open-guard.ts";
import { until } from "./terminal-session.ts";

const folder = makeMapFolder();
afterAll(() => folder.remove());
const click: Order = { kind: "click", button: "left", count: 1 };
let store: SqliteStore;
let home: string;
let places: Places;
beforeEach(() => {
  store = folder.open();
  home = mkdtempSync(join(tmpdir(), "deskmap-asking-"));
  places = findPlaces({ HOME: home });
});
afterEach(() => {
  store.close();
  rmSync(home, { recursive: true, force: true });
});

/** A person simulated in memory, and the questions they were asked. */
class Person {
  readonly questions: Question[] = [];
  answer: Result<Approval> = succeed({ by: "a test" });
  /** Runs while they decide. */
  meanwhile: () => void | Promise<void> = () => undefined;

  async ask(question: Question): Promise<Result<Approval>> {
    this.questions.push(question);
    await this.meanwhile();
    return this.answer;
  }
}

function open(approver: Pick<Person, "ask"> = new Person(), own: Partial<Policy> = {}) {
  const desk = new Desk(store, { title: "Home", children: [button("Delete"), button("Refresh"), button("Send")] });
  const records = new MemoryRecords();
  const policy: Policy = { ...sandboxPolicy, sensitive: "ask", ...own };
  const start = (client: string) => {
    const guard = new Guard(
      {
        platform: desk.fake.open(),
        policy,
        records,
        approver,
        client: { name: client, process: processes.own() },
        openHands: () => Promise.resolve(succeed(desk.fake.openHands())),
      },
      new FileTurns(places),
    );
    const desktop = { platform: desk.fake.open(), marks: store, guard };
    return (words: string, timeoutMs = 1000): Promise<Result<Effect>> =>
      act(desktop, { tool: "click", aim: { by: "words", words }, order: click, isDryRun: false, timeoutMs });
  };
  const listPressed = () => desk.fake.pressed.map(({ name }) => name);
  return { desk, records, start, press: start("first"), listPressed };
}

function failureOf(result: Result<unknown>): Failure {
  if (result.ok) throw new Error("it was done");
  return result.failure;
}

describe("a sensitive press", () => {
  test("is done once when a person allows it: the next one asks again", async () => {
    const person = new Person();
    const { press, listPressed, records } = open(person);
    expect((await press("Delete")).ok).toBe(true);
    expect(listPressed()).toEqual(["Delete"]);
    await press("Delete");
    expect(person.questions).toHaveLength(2);
    const [question] = person.questions;
    expect(question?.words).toMatch(/^click, by its action "\w+": btn "Delete" \(\d+\) in "App\d+"$/);
    expect(question?.why).toBe('delete: it says "Delete"');
    const lines = records.entries.map(({ what, effect, approval }) => [what, effect, approval]);
    expect(lines.slice(0, 3)).toEqual([
      ["ask", undefined, undefined],
      ["answer", "yes", "a test"],
      ["begin", undefined, "a test"],
    ]);
  });

  test("is not done if no person can be asked, or a person refuses", async () => {
    for (const approver of [nobody, { ask: async () => fail<Approval>(denied) }]) {
      const { press, listPressed } = open(approver);
      expect(["unasked", "denied"]).toContain(failureOf(await press("Delete")).reason ?? "");
      expect(listPressed()).toEqual([]);
    }
  });

  test("is not asked about if the policy allows or forbids it, or if it is harmless", async () => {
    const person = new Person();
    const { press } = open(person);
    expect((await press("Refresh")).ok).toBe(true);
    expect((await open(person, { sensitive: "allow" }).press("Delete")).ok).toBe(true);
    expect(failureOf(await open(person, { sensitive: "deny" }).press("Delete")).reason).toBe("rule");
    expect(person.questions).toEqual([]);
  });

  test("that a person allowed is not delayed by the rate limit", async () => {
    const { press } = open(new Person(), { actionsPerMinute: 1 });
    expect((await press("Refresh")).ok).toBe(true);
    expect(failureOf(await press("Refresh")).reason).toBe("rate");
    expect((await press("Delete")).ok).toBe(true);
  });

  test("is not done if everything was stopped while the person decided", async () => {
    const person = new Person();
    const { press, records, listPressed } = open(person);
    person.meanwhile = () => {
      records.stop = { atMs: 1, by: "a test" };
    };
    expect(failureOf(await press("Delete")).reason).toBe("stopped");
    expect(listPressed()).toEqual([]);
  });

  test("is not done if its target has changed since the question", async () => {
    const person = new Person();
    const { press, desk, listPressed } = open(person);
    person.meanwhile = () => desk.find("Refresh").rename("Delete 2");
    expect((await press("Delete")).ok).toBe(true);
    person.meanwhile = () => desk.find("Send").rename("Send everything");
    expect(failureOf(await press("Send")).message).toContain("it has changed since it was asked");
    expect(listPressed()).toEqual(["Delete"]);
  });
});

describe("while a person is asked", () => {
  test("all other input waits, and other clients are told why", async () => {
    const surface = Surface.open(places);
    const { start, listPressed } = open(new PersonApprover(places, 20_000));
    const pending = start("first")("Delete");
    await until("a question", () => surface.listPending().length > 0);
    const refused = failureOf(await start("second")("Refresh", 50));
    expect(refused.reason).toBe("turn");
    expect(refused.message).toContain('"first"');
    expect(refused.message).toContain("waits for a person's answer");
    expect(listPressed()).toEqual([]);
    const [shown] = surface.listPending();
    if (shown === undefined) throw new Error("nothing is pending");
    surface.answer(shown, "yes");
    expect((await pending).ok).toBe(true);
    expect((await start("second")("Refresh")).ok).toBe(true);
    expect(listPressed()).toEqual(["Delete", "Refresh"]);
    surface.close();
  });

  test("without an answer in time, nothing is done", async () => {
    const surface = Surface.open(places);
    const { press, listPressed } = open(new PersonApprover(places, 300));
    expect(failureOf(await press("Delete")).reason).toBe("unanswered");
    expect(listPressed()).toEqual([]);
    surface.close();
  });
});

describe("a run allowed by a person", () => {
  const grant = (records: MemoryRecords, isSensitive: boolean, app?: string, client?: string): void => {
    const own = client === undefined ? undefined : processes.identify(process.pid);
    records.ledger = {
      ...emptyLedger,
      grants: [{ app, client, process: own, isSensitive, untilMs: Date.now() + 60_000 }],
    };
  };

  test("covers sensitive actions only if it says so, and is logged as their approval", async () => {
    const { press, records } = open(nobody);
    grant(records, false);
    expect(failureOf(await press("Delete")).reason).toBe("unasked");
    grant(records, true);
    expect((await press("Delete")).ok).toBe(true);
    expect(records.entries.find(({ what }) => what === "begin")?.approval).toContain("deskmap allow");
  });

  test("applies to the application under any of its names, and to the named client", async () => {
    const { start, desk, records } = open(nobody);
    const list = await desk.fake.open().listWindows();
    const window = list.ok ? list.value.windows[0] : undefined;
    for (const name of [window?.app, window?.class, ...(window?.aliases ?? [])]) {
      grant(records, true, name?.toUpperCase());
      expect((await start("first")("Delete")).ok).toBe(true);
    }
    grant(records, true, "another");
    expect(failureOf(await start("first")("Delete")).reason).toBe("unasked");
    grant(records, true, undefined, "second");
    expect(failureOf(await start("first")("Delete")).reason).toBe("unasked");
    expect((await start("Second")("Delete")).ok).toBe(true);
  });

  test("does not cover what a model proposes, whoever wrote what it has read", async () => {
    const rules = [{ actions: ["delete"], decision: "allow" }] as const;
    const forModel = restrictToRecipient({ ...sandboxPolicy, rules }, { origin: "https://x.example" });
    const { press, records } = open(nobody, forModel);
    grant(records, true);
    expect(failureOf(await press("Delete")).reason).toBe("unasked");
    expect((await press("Refresh")).ok).toBe(true);
  });

  test("expires", async () => {
    const { press, records } = open(nobody);
    records.ledger = { ...emptyLedger, grants: [{ isSensitive: true, untilMs: Date.now() - 1 }] };
    expect(failureOf(await press("Delete")).reason).toBe("unasked");
  });
});

const denied: Failure = { code: "REFUSED", reason: "denied", message: "no", done: "nothing was done." };

test("a surface that no known command has opened is not asked", () => {
  const surface = Surface.open(places);
  const path = surfacePath(places, surface.id);
  expect(listSurfaces(places).map(({ id, command }) => [id, command])).toEqual([[surface.id, "approve"]]);
  writeFileSync(path, readFileSync(path, "utf8").replace('"approve"', '"assist"'));
  expect(listSurfaces(places)).toEqual([]);
  surface.close();
});
