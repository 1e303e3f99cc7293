import { afterEach, beforeEach, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPlaces, makeStateFolder, type Places } from "../../src/guard/places.ts";
import { FileTurns, refuseUnlessTurnHolder } from "../../src/guard/turn.ts";
import { launcher } from "./terminal-session.ts";

let home = "";
let places: Places;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-stranger-"));
  places = findPlaces({ HOME: home });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("only a child of the turn holder serves the copied text", async () => {
  expect(refuseUnlessTurnHolder(places, process.pid)).toMatchObject({ code: "REFUSED" });
  const turn = await new FileTurns(places).take({ client: "test", tool: "clipboard" }, 1000);
  if (!turn.ok) throw new Error(turn.failure.message);
  expect(refuseUnlessTurnHolder(places, process.pid)).toBeUndefined();
  expect(refuseUnlessTurnHolder(places, process.ppid)).toMatchObject({ code: "REFUSED" });
  turn.value.end();
  expect(refuseUnlessTurnHolder(places, process.pid)).toMatchObject({ code: "REFUSED" });
});

test("a note in the turn file is not enough: no process holds it", () => {
  makeStateFolder(places);
  writeFileSync(places.turn, JSON.stringify({ client: "x", tool: "clipboard", pid: process.pid, startTicks: 0 }));
  expect(refuseUnlessTurnHolder(places, process.pid)).toMatchObject({ code: "REFUSED" });
});

test("started by hand it is refused, before its input is read", () => {
  const env = { PATH: process.env.PATH ?? "", HOME: home, DISPLAY: ":99999" };
  const { status, stderr } = spawnSync(launcher, ["serve-selection", "clipboard"], {
    env,
    input: "text",
    timeout: 20_000,
  });
  expect([status, JSON.parse(stderr.toString()).error.code]).toEqual([3, "REFUSED"]);
});
