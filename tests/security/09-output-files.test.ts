import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findOutputFile } from "../../src/cli/output-file.ts";
import type { Demo } from "../../src/demo/file.ts";
import { printReport, reportFormats, reportStarts } from "../../src/demo/replay/print-report.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { setPolicy, tryCommand } from "../desktop/policy.ts";
import { openScene, type Scene } from "../desktop/scene.ts";

// Writing a picture is an action, and it goes neither into Deskmap's folders nor over anything else.

let scene: Scene;
let home: string;
beforeAll(async () => {
  scene = await openScene({ width: 200, height: 150 });
  home = scene.sandbox.env.HOME ?? "";
  setPolicy(scene, { actionsPerMinute: 2, hotkey: false });
  // Makes the folders.
  scene.deskmap("read", "--no-daemon");
});
afterAll(() => scene.close());

const shoot = (output: string, ...args: string[]) =>
  tryCommand(scene, ...args, "screenshot", "--no-daemon", "--output", output, "--format", "png");
const listWritten = (): string[] =>
  readFileSync(findPlaces(scene.sandbox.env).audit, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ tool, what }) => tool === "screenshot" && what !== "look")
    .map(({ what, effect = "", words = "" }) => `${what} ${effect}${words}`);

test("a client that may only read writes no file, and cannot stop the others by one", () => {
  const { stopped, state } = findPlaces(scene.sandbox.env);
  expect(shoot(join(home, "new.png"), "--read-only")).toMatchObject({ status: 3, reason: "read-only" });
  symlinkSync(state, join(home, "link"));
  for (const path of [stopped, join(home, "link", "stopped.json"), join(state, "..", "deskmap", "stopped.json")]) {
    expect(shoot(path).status).toBe(2);
    expect(shoot(path, "--read-only").status).not.toBe(0);
  }
  expect([existsSync(stopped), existsSync(join(home, "new.png"))]).toEqual([false, false]);
});

test("it is written over nothing but a picture, for its user alone, counted and logged", () => {
  const notes = join(home, "notes.txt");
  writeFileSync(notes, "mine");
  expect(shoot(notes)).toMatchObject({ status: 2, message: expect.stringContaining("is not a picture") });
  expect(readFileSync(notes, "utf8")).toBe("mine");
  const picture = join(home, "screen.png");
  expect([shoot(picture).status, shoot(picture).status]).toEqual([0, 0]);
  expect(statSync(picture).mode & 0o777).toBe(0o600);
  expect(shoot(picture)).toMatchObject({ status: 3, reason: "rate" });
  // Without a file it is a look, which no limit concerns.
  expect(scene.deskmap("screenshot", "--no-daemon").status).toBe(0);
  const done = [`begin ${picture}`, "end written"];
  expect(listWritten().filter((line) => !line.startsWith("refuse"))).toEqual([...done, ...done]);
});

test("no other command writes a file into Deskmap's folders, nor over a file of another kind", () => {
  const { state, stopped, secrets, pin } = findPlaces(scene.sandbox.env);
  const letter = join(home, "letter.txt");
  writeFileSync(letter, "Dear Ada");
  symlinkSync(join(state, "..", "deskmap"), join(home, "other"));
  for (const args of [
    ["--read-only", "list", "--no-daemon", "--trace", stopped],
    ["--read-only", "list", "--no-daemon", "--trace", join(home, "other", "stopped.json")],
    ["doctor", "--bundle", secrets],
    ["map", "export", pin],
    ["map", "export", letter],
    ["demo", "export", "any", pin, "--force"],
    ["demo", "export", "any", join(home, "other", "new"), "--format", "som"],
    ["screenshot", "--no-daemon", "--output", join(home, ".cache/deskmap/x.png")],
  ])
    expect([args, scene.deskmap(...args).status]).toEqual([args, 2]);
  expect([stopped, secrets, pin, join(state, "new")].filter((path) => existsSync(path))).toEqual([]);
  expect(readFileSync(letter, "utf8")).toBe("Dear Ada");
  const trace = join(home, "trace.json");
  for (const _ of [1, 2]) expect(scene.deskmap("list", "--no-daemon", "--trace", trace).status).toBe(0);
  expect(statSync(trace).mode & 0o777).toBe(0o600);
});

test("a report and an archive of a replay replace only their own kind", () => {
  const letter = join(home, "report.xml");
  writeFileSync(letter, "<?xml version='1.0'?><letter/>");
  const report = { what: "a report", start: reportStarts.junit };
  expect(findOutputFile("--report", letter, report)).toMatchObject({ ok: false });
  writeFileSync(letter, `${reportStarts.junit}"x">`);
  expect(findOutputFile("--report", letter, report)).toMatchObject({ ok: true });
  for (const format of reportFormats)
    expect(printReport(format, { name: "x" } as Demo, []).startsWith(reportStarts[format])).toBe(true);
});
