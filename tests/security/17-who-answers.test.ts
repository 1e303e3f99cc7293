import { afterEach, beforeEach, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PersonApprover } from "../../src/guard/approval/ask.ts";
import { readPin, savePin, tryPin, vouch } from "../../src/guard/approval/pin.ts";
import { Surface } from "../../src/guard/approval/surface.ts";
import { Terminal } from "../../src/guard/approval/terminal.ts";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import { processes } from "../../src/os/index.ts";
import { aQuestion } from "../guard/sample-question.ts";
import { startAtTerminal, type TerminalSession, until } from "../guard/terminal-session.ts";

// Whose answer counts: a surface that knows the PIN, if one is set, and a command only while it is in the foreground.

let home: string;
let places: Places;
let session: TerminalSession | undefined;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-answers-"));
  places = findPlaces({ HOME: home });
});
afterEach(async () => {
  await session?.leave();
  session = undefined;
  rmSync(home, { recursive: true, force: true });
});

test("with a PIN, no surface counts that its knower has not vouched for", async () => {
  savePin(places, "13579");
  const pin = readPin(places);
  if (pin === undefined || pin === "damaged") throw new Error("no PIN");
  const { privateKey: foreign } = generateKeyPairSync("ed25519");
  const impostors = [
    Surface.open(places),
    Surface.open(places, () => "yes"),
    Surface.open(places, (publicKey) => vouch(foreign, publicKey)),
  ];
  const approver = new PersonApprover(places, 20_000, () => undefined);
  expect(await approver.ask(aQuestion)).toMatchObject({ ok: false, failure: { reason: "unasked" } });
  const key = tryPin(places, pin, "13579");
  if (!key.ok) throw new Error(key.failure.message);
  const own = Surface.open(places, (publicKey) => vouch(key.value, publicKey));
  const asking = approver.ask(aQuestion);
  await until("the question", () => own.listPending().length > 0);
  expect(impostors.map((one) => one.listPending().length)).toEqual([0, 0, 0]);
  for (const shown of own.listPending()) own.answer(shown, "yes");
  expect(await asking).toMatchObject({ ok: true });
  for (const one of [...impostors, own]) one.close();
});

test("what is typed after a command went to the background answers none of its questions", async () => {
  // Nobody else reads the terminal then: the answer would be there to take.
  const job = "echo pid $$; exec sleep 60";
  session = startAtTerminal(["bash", "-c", `set -m; bash -c '${job}'; echo stopped; exec tail -f /dev/null`], {
    ...process.env,
  });
  const [, pid = ""] = /pid (\d+)/.exec(await session.see(/pid \d+\r\n/)) ?? [];
  const row = processes.read(Number(pid));
  const terminal = row && Terminal.openOf(row);
  if (terminal === undefined) throw new Error("no terminal");
  try {
    let looksLeft = Number.POSITIVE_INFINITY;
    const isOver = (): boolean => {
      looksLeft -= 1;
      return looksLeft < 0;
    };
    const asking = terminal.ask("Allow? ", isOver);
    await session.see("Allow? ");
    session.type("\u001a");
    await session.see("stopped");
    session.type("y\n");
    await session.see("y\r\n");
    looksLeft = 10;
    expect(await asking).toBeUndefined();
  } finally {
    terminal.close();
    process.kill(Number(pid), "SIGKILL");
  }
});
