import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PersonApprover } from "../../src/guard/approval/ask.ts";
import { removePin, savePin } from "../../src/guard/approval/pin.ts";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import { readingMs } from "../../src/inspector/activity.ts";
import { Answering } from "../../src/server/inspector/answering.ts";
import { aQuestion as question } from "../guard/sample-question.ts";
import { until } from "../guard/terminal-session.ts";

let home: string;
let places: Places;
let answering: Answering;
/** Whether time passes between a question and its answer. */
let isRead = true;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-answering-"));
  places = findPlaces({ HOME: home });
});
afterEach(() => {
  answering.close();
  rmSync(home, { recursive: true, force: true });
});

let nowMs = 0;
const tell = (): number => {
  nowMs += isRead ? readingMs : 0;
  return nowMs;
};

const ask = (words = question.words, expiryMs = 5000) =>
  new PersonApprover(places, expiryMs, () => undefined).ask({ ...question, words });

/** An open page of an inspector that was started this way. */
function open(isAtTerminal: boolean): void {
  answering = new Answering(places, () => isAtTerminal, tell);
  answering.enter();
}

async function findFirst() {
  await until("a question", () => answering.list().length > 0);
  const [first] = answering.list();
  if (first === undefined) throw new Error("there is none");
  return first;
}

describe("started from a person's terminal", () => {
  beforeEach(() => open(true));

  test("an answered action is done, or not, and the log names it", async () => {
    expect(answering.findPlace()).toBe("here");
    const asked = ask();
    const { nonce, digest, code, words, isHere } = await findFirst();
    expect([words, isHere]).toEqual([question.words, true]);
    expect(answering.answer(nonce, digest, "yes").ok).toBe(true);
    expect(await asked).toEqual({
      ok: true,
      value: { by: `deskmap inspect, process ${process.pid}, request ${code}` },
    });
    const again = ask();
    const second = await findFirst();
    expect(answering.answer(second.nonce, second.digest, "no").ok).toBe(true);
    expect(await again).toMatchObject({ ok: false, failure: { reason: "denied" } });
  });

  test("neither answer counts within 0.7 s after the question was first told to a page", async () => {
    answering.findPlace();
    const asked = ask();
    isRead = false;
    const { nonce, digest } = await findFirst();
    for (const laterMs of [0, 500, 199]) {
      nowMs += laterMs;
      answering.list();
      for (const verdict of ["yes", "no"] as const)
        expect(answering.answer(nonce, digest, verdict)).toMatchObject({ ok: false, failure: { code: "REFUSED" } });
    }
    nowMs += 1;
    expect(answering.answer(nonce, digest, "no").ok).toBe(true);
    isRead = true;
    expect((await asked).ok).toBe(false);
  });

  test("several wait in chronological order, and each is answered separately", async () => {
    answering.findPlace();
    const [first, second] = [ask("one", 4000), ask("two", 5000)];
    await until("both", () => answering.list().length === 2);
    const [one, two] = answering.list();
    expect([one?.words, two?.words]).toEqual(["one", "two"]);
    answering.answer(two?.nonce ?? "", two?.digest ?? "", "yes");
    answering.answer(one?.nonce ?? "", one?.digest ?? "", "no");
    expect([(await first).ok, (await second).ok]).toEqual([false, true]);
  });

  test("an answer to other words than those asked does not count, nor does a second one", async () => {
    answering.findPlace();
    const asked = ask();
    const { nonce, digest } = await findFirst();
    expect(answering.answer(nonce, "0".repeat(64), "yes")).toMatchObject({ ok: false });
    expect(answering.answer("other", digest, "yes")).toMatchObject({ ok: false });
    expect(answering.answer(nonce, digest, "no").ok).toBe(true);
    expect(answering.answer(nonce, digest, "yes")).toMatchObject({ ok: false });
    expect((await asked).ok).toBe(false);
  });

  test("an abandoned question is not shown, and cannot be answered", async () => {
    answering.findPlace();
    const asked = ask("late", 200);
    const { nonce, digest } = await findFirst();
    expect(await asked).toMatchObject({ ok: false, failure: { reason: "unanswered" } });
    expect(answering.list()).toEqual([]);
    expect(answering.answer(nonce, digest, "yes")).toMatchObject({ ok: false });
  });

  test("if a PIN is set the terminal is not enough", () => {
    savePin(places, "13579");
    expect(answering.findPlace()).toBe("pin");
    expect(answering.confirm(undefined)).toMatchObject({ ok: false });
    removePin(places);
    expect(answering.findPlace()).toBe("here");
    expect(answering.confirm(undefined).ok).toBe(true);
  });
});

describe("started by anything else", () => {
  beforeEach(() => open(false));

  test("nothing is asked, answered or resumed there", async () => {
    expect(answering.findPlace()).toBe("elsewhere");
    expect(await ask()).toMatchObject({ ok: false, failure: { reason: "unasked" } });
    expect(answering.answer("a", "b", "yes")).toMatchObject({ ok: false, failure: { reason: "unasked" } });
    expect(answering.unlock("1234")).toMatchObject({ ok: false });
    expect(answering.confirm("1234")).toMatchObject({ ok: false });
  });

  test("a question that is asked elsewhere is shown, but not answered there", async () => {
    const person = new Answering(places, () => true, tell);
    person.enter();
    person.findPlace();
    const asked = ask();
    const shown = await findFirst();
    person.list();
    expect(shown.isHere).toBe(false);
    expect(answering.answer(shown.nonce, shown.digest, "yes")).toMatchObject({ ok: false });
    expect(person.answer(shown.nonce, shown.digest, "no").ok).toBe(true);
    expect((await asked).ok).toBe(false);
    person.close();
  });

  test("a person who types the PIN may answer; wrong ones are counted, and then none is accepted for a while", async () => {
    savePin(places, "13579");
    expect(answering.findPlace()).toBe("pin");
    expect(await ask()).toMatchObject({ ok: false, failure: { reason: "unasked" } });
    expect(answering.unlock("00000")).toMatchObject({ ok: false });
    expect(answering.unlock("13579").ok).toBe(true);
    expect(answering.findPlace()).toBe("here");
    const asked = ask();
    const { nonce, digest } = await findFirst();
    answering.answer(nonce, digest, "yes");
    expect((await asked).ok).toBe(true);
    for (let tries = 0; tries < 3; tries += 1) expect(answering.confirm("00000").ok).toBe(false);
    expect(answering.confirm("13579")).toMatchObject({ ok: false, failure: { retryAfterMs: expect.any(Number) } });
    // A PIN other than the one it was opened with.
    savePin(places, "24680");
    expect(answering.findPlace()).toBe("pin");
  });
});
