import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PersonApprover } from "../../src/guard/approval/ask.ts";
import { readPin, savePin, tryPin } from "../../src/guard/approval/pin.ts";
import { Surface } from "../../src/guard/approval/surface.ts";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import { toolEntries } from "../../src/tools/index.ts";
import { aQuestion } from "./sample-question.ts";
import { launcher, startAtTerminal, type TerminalSession } from "./terminal-session.ts";

let home: string;
let env: Record<string, string | undefined>;
let places: Places;
let terminals: TerminalSession[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-person-"));
  env = { PATH: process.env.PATH, HOME: home, TERM: "xterm" };
  places = findPlaces(env);
  terminals = [];
});
afterEach(async () => {
  await Promise.all(terminals.map((one) => one.leave()));
  rmSync(home, { recursive: true, force: true });
});

function openTerminal(...words: readonly string[]): TerminalSession {
  const terminal = startAtTerminal([launcher, ...words], env);
  terminals.push(terminal);
  return terminal;
}

function pipe(input: string, ...words: readonly string[]) {
  // A new session has no terminal, wherever the tests were started.
  const { status, stderr } = spawnSync("setsid", ["--wait", launcher, ...words], { env: { ...env }, input });
  return { status, error: JSON.parse(stderr.toString()).error };
}

const readLedger = (): { grants: { app?: string; client?: string; isSensitive: boolean; untilMs: number }[] } =>
  existsSync(places.ledger) ? JSON.parse(readFileSync(places.ledger, "utf8")) : { grants: [] };

test("person-only commands are not tools: no client and no batch reaches them", () => {
  const tools: readonly string[] = toolEntries.map(({ name }) => name);
  for (const name of ["approve", "allow", "pin", "resume", "policy"]) expect(tools).not.toContain(name);
  const batch = spawnSync(launcher, ["do", "-"], { env: { ...env }, input: '[{"tool":"allow","minutes":5}]' });
  expect(batch.status).not.toBe(0);
  expect(readLedger().grants).toEqual([]);
});

describe("deskmap allow", () => {
  test("allows a run for a while when a person types yes, and logs it", async () => {
    const robot = ["--client", "robot", "--pid", String(process.pid)];
    const person = openTerminal("allow", "--minutes", "5", "--app", "Mousepad", ...robot);
    await person.see("Type yes to allow it: ");
    person.type("yes\n");
    await person.see("allowed: ");
    expect(await person.ended).toBe(0);
    const [grant] = readLedger().grants;
    expect(grant).toMatchObject({ app: "Mousepad", client: "robot", isSensitive: false });
    expect(Math.abs((grant?.untilMs ?? 0) - Date.now() - 300_000)).toBeLessThan(60_000);
    expect(readFileSync(places.audit, "utf8")).toContain('"what":"allow"');
    const listed = spawnSync(launcher, ["allow", "list"], { env: { ...env } });
    expect(listed.stdout.toString()).toContain('the program "robot"');
    spawnSync(launcher, ["allow", "end"], { env: { ...env } });
    expect(readLedger().grants).toEqual([]);
  });

  test("asks twice, in different words, for sensitive actions", async () => {
    const half = openTerminal("allow", "--sensitive");
    await half.see("Type yes to allow it: ");
    half.type("yes\n");
    await half.see("Type allow everything to allow it: ");
    half.type("yes\n");
    expect(await half.ended).toBe(3);
    expect(readLedger().grants).toEqual([]);
    const person = openTerminal("allow", "--sensitive");
    await person.see("Type yes to allow it: ");
    person.type("yes\n");
    await person.see("Type allow everything to allow it: ");
    person.type("allow everything\n");
    expect(await person.ended).toBe(0);
    expect(readLedger().grants).toMatchObject([{ isSensitive: true }]);
  });

  test("accepts no other word, no empty line and no early input as a yes", async () => {
    for (const typed of ["\n", "y\n", "yes please\n", "\u0004"]) {
      const person = openTerminal("allow");
      await person.see("Type yes to allow it: ");
      person.type(typed);
      expect(await person.ended).toBe(3);
    }
    const early = openTerminal("allow");
    early.type("yes\n");
    await early.see("Type yes to allow it: ");
    early.type("no\n");
    expect(await early.ended).toBe(3);
    expect(readLedger().grants).toEqual([]);
  });

  test("is refused without a terminal, whatever is piped in", () => {
    const { status, error } = pipe("yes\nyes\n", "allow", "--minutes", "5");
    expect(status).toBe(3);
    expect(error).toMatchObject({ code: "REFUSED", reason: "unasked" });
    expect(readLedger().grants).toEqual([]);
  });

  test("rejects too long a duration", () => {
    for (const minutes of ["0", "481", "x", "1.5"]) {
      expect(pipe("", "allow", "--minutes", minutes)).toMatchObject({ status: 2, error: { code: "USAGE" } });
    }
  });
});

describe("deskmap policy accept", () => {
  const show = () => spawnSync(launcher, ["policy", "show"], { env: { ...env } });
  const write = (text: string): void => {
    mkdirSync(dirname(places.policy), { recursive: true, mode: 0o700 });
    writeFileSync(places.policy, text, { mode: 0o600 });
  };

  async function accept(): Promise<string> {
    const person = openTerminal("policy", "accept");
    await person.see("Type yes to allow it: ");
    person.type("yes\n");
    await person.see(/(is|are) in effect/);
    expect(await person.ended).toBe(0);
    return person.shown().replaceAll("\r\n", "\n");
  }

  test("shows what changes against the last accepted policy, loosening marked and last, and then takes effect", async () => {
    write(`{ "actionsPerMinute": 5, "apps": { "gimp": "blind", "xterm": "normal" } }`);
    expect(show().status).toBe(3);
    const first = await accept();
    expect(first).toContain("against the defaults, since none was accepted before");
    expect(first).toContain('looser? apps "xterm": "hands-off" → "normal"\n3 changes, of which 1 may');
    expect(show().status).toBe(0);
    write(`{ "sensitive": "allow", "actionsPerMinute": 5, "rules": [{ "tools": ["quit"], "decision": "deny" }] }`);
    expect(JSON.parse(show().stderr.toString()).error.message).toContain("was changed since it was accepted at 2");
    const second = await accept();
    expect(second).toContain('looser? sensitive: "ask" → "allow"\n');
    expect(second).toContain('looser? apps "gimp": "blind" → "normal"\n');
    expect(second).toContain('        apps "xterm": "normal" → "hands-off"\n');
    expect(second).toContain('rule new: {"decision":"deny","tools":["quit"]}\n');
    expect(second).not.toContain("actionsPerMinute");
    expect(show().status).toBe(0);
    expect(readFileSync(places.audit, "utf8")).toContain('"effect":"accepted"');
  });

  test("accepts the text that was shown: a change while the person reads does not take effect", async () => {
    write(`{ "sensitive": "deny" }`);
    const person = openTerminal("policy", "accept");
    await person.see("Type yes to allow it: ");
    write(`{ "sensitive": "allow" }`);
    person.type("yes\n");
    expect(await person.ended).toBe(0);
    expect(show().status).toBe(3);
  });

  test("accepts no other word as a yes, and asks for the PIN if one is set", async () => {
    write(`{ "sensitive": "allow" }`);
    const person = openTerminal("policy", "accept");
    await person.see("Type yes to allow it: ");
    person.type("y\n");
    expect(await person.ended).toBe(3);
    expect(show().status).toBe(3);
    savePin(places, "tulip-4711");
    const known = openTerminal("policy", "accept");
    await known.see("type the PIN of Deskmap, then Enter: ");
    known.type("tulip-4711\n");
    expect(await known.ended).toBe(0);
    expect(show().status).toBe(0);
  });

  test("shows no text of the file that could move the cursor or hide a line", async () => {
    write(
      JSON.stringify({
        words: { delete: ["a\u001b[2Jb", "c\u202ed\u000ae"] },
        rules: [{ apps: ["x\u2028y"], decision: "allow" }],
      }),
    );
    const person = openTerminal("policy", "accept");
    await person.see("Type yes to allow it: ");
    for (const hidden of ["\u001b[2J", "\u202e", "\u2028"]) expect(person.shown()).not.toContain(hidden);
    person.type("no\n");
    await person.ended;
  });

  test("restores the defaults if the file is gone, when a person says so", async () => {
    write(`{ "readOnly": true }`);
    await accept();
    rmSync(places.policy);
    expect(JSON.parse(show().stderr.toString()).error.message).toContain("is gone");
    expect(await accept()).toContain("looser? readOnly: true → false");
    expect(show().status).toBe(0);
    expect(spawnSync(launcher, ["policy", "accept"], { env: { ...env } }).stdout.toString()).toContain("false");
  });
});

describe("a PIN", () => {
  const word = "type the PIN of Deskmap, then Enter: ";

  async function setPin(pin: string): Promise<void> {
    const person = openTerminal("pin", "set");
    await person.see("Type the new PIN");
    await person.see(": ");
    person.type(`${pin}\n`);
    await person.see("Once more: ");
    person.type(`${pin}\n`);
    await person.see("the PIN is set");
    expect(await person.ended).toBe(0);
    expect(person.shown()).not.toContain(pin);
  }

  test("is stored only as a key, for its owner alone, and is not shown", async () => {
    await setPin("tulip-4711");
    expect(statSync(places.pin).mode & 0o777).toBe(0o600);
    expect(readFileSync(places.pin, "utf8")).not.toContain("tulip");
    expect(readFileSync(places.audit, "utf8")).not.toContain("tulip");
  });

  test("replaces yes, and only someone who knows it can remove it", async () => {
    savePin(places, "tulip-4711");
    const wrong = openTerminal("allow");
    await wrong.see(word);
    wrong.type("yes\n");
    await wrong.see("That is not the PIN");
    await wrong.see(word);
    wrong.type("\n");
    expect(await wrong.ended).toBe(3);
    const right = openTerminal("allow");
    await right.see(word);
    right.type("tulip-4711\n");
    expect(await right.ended).toBe(0);
    const gone = openTerminal("pin", "clear");
    await gone.see(word);
    gone.type("tulip-4711\n");
    expect(await gone.ended).toBe(0);
    expect(readPin(places)).toBeUndefined();
  });

  test("makes an answer count only from a surface that was opened with it", async () => {
    savePin(places, "tulip-4711");
    const forged = Surface.open(places);
    const approver = new PersonApprover(places, 20_000, () => undefined);
    expect(await approver.ask(aQuestion)).toMatchObject({ failure: { reason: "unasked" } });
    forged.close();
    const person = openTerminal("approve");
    await person.see(word);
    person.type("tulip-4711\n");
    await person.see("Deskmap asks here");
    const asked = approver.ask(aQuestion);
    await person.see("Type y or n, then Enter: ");
    person.type("y\n");
    expect((await asked).ok).toBe(true);
  });

  test("that is wrong three times makes everyone wait, longer each time, across processes", () => {
    savePin(places, "tulip-4711");
    const pin = readPin(places);
    if (pin === undefined || pin === "damaged") throw new Error("no PIN");
    const start = 1_000_000;
    const attempt = (typed: string, afterMs: number) => tryPin(places, pin, typed, start + afterMs);
    for (let tries = 0; tries < 3; tries += 1) expect(attempt("wrong", tries).ok).toBe(false);
    // Even the right PIN has to wait.
    expect(attempt("tulip-4711", 10)).toMatchObject({ failure: { retryAfterMs: 29_992 } });
    expect(attempt("wrong", 31_000)).toMatchObject({ failure: { message: "the PIN is wrong" } });
    expect(attempt("tulip-4711", 62_000)).toMatchObject({ failure: { retryAfterMs: 29_000 } });
    // Setting the clock back does not help.
    expect(attempt("tulip-4711", -1_000_000)).toMatchObject({ failure: { retryAfterMs: 60_000 } });
    expect(attempt("tulip-4711", 92_000).ok).toBe(true);
    expect(attempt("wrong", 92_001)).toMatchObject({ failure: { message: "the PIN is wrong" } });
  });

  test("whose file is damaged lets nobody through", async () => {
    mkdirSync(dirname(places.pin), { recursive: true });
    for (const text of ["", "{}", '{"salt":"00","publicKey":""}', "null"]) {
      writeFileSync(places.pin, text);
      const surface = Surface.open(places);
      const answer = await new PersonApprover(places, 1000, () => undefined).ask(aQuestion);
      expect(answer).toMatchObject({ ok: false, failure: { code: "REFUSED", reason: "denied" } });
      surface.close();
    }
    const person = openTerminal("allow");
    expect(await person.ended).toBe(3);
    expect(person.shown()).toContain("damaged");
  });
});
