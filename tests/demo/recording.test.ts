import { afterAll, beforeEach, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RecordingFolder } from "../../src/demo/recording.ts";
import { makeAction } from "./actions.ts";

const top = mkdtempSync(join(tmpdir(), "deskmap-recording-"));
const place = join(top, "recording");
afterAll(() => rmSync(top, { recursive: true, force: true }));
beforeEach(() => rmSync(place, { recursive: true, force: true }));

const started = { name: "form", startedMs: 1000, client: "claude", kind: "agent" as const };
const append = (line: object | string): void =>
  appendFileSync(join(place, "steps.jsonl"), typeof line === "string" ? line : `${JSON.stringify(line)}\n`);

test("a recording is a file that whoever acts looks for, and its lines are the actions of its client", () => {
  const folder = new RecordingFolder(place);
  expect(folder.status()).toBeUndefined();
  expect(folder.start(started).ok).toBe(true);
  const file = join(place, "recording.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(started);
  expect([statSync(place).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  append(makeAction({ atMs: 3000 }));
  append(makeAction({ client: "other" }));
  append(makeAction({ atMs: 2000 }));
  append('{"half a li');
  expect(folder.status()).toMatchObject({ name: "form", isPaused: false, actions: 2 });
  const ended = folder.end();
  expect(ended.ok && ended.value.actions.map(({ atMs }) => atMs)).toEqual([2000, 3000]);
  // Until the demo is saved, nothing is lost.
  expect(folder.end().ok).toBe(true);
  folder.finish();
  expect(folder.status()).toBeUndefined();
});

test("one at a time, and while it is paused there is no file to look for", () => {
  const folder = new RecordingFolder(place);
  folder.start(started);
  expect(folder.start({ ...started, name: "second" })).toMatchObject({ failure: { code: "USAGE" } });
  expect(folder.pause(false)).toMatchObject({ failure: { message: "it is not paused" } });
  expect(folder.pause(true)).toMatchObject({ value: { isPaused: true } });
  expect(existsSync(join(place, "recording.json"))).toBe(false);
  expect(folder.start(started).ok).toBe(false);
  expect(folder.pause(false).ok && existsSync(join(place, "recording.json"))).toBe(true);
});

test("what a recording left that was saved is not in the next one", () => {
  const folder = new RecordingFolder(place);
  folder.start(started);
  append(makeAction());
  rmSync(join(place, "recording.json"));
  folder.start(started);
  expect(folder.status()?.actions).toBe(0);
  expect(new RecordingFolder(join(top, "none")).end()).toMatchObject({ failure: { code: "NOT_FOUND" } });
});
