import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Answered } from "../../src/guard/approval/surface.ts";
import { FolderWatch } from "../../src/server/inspector/folder-watch.ts";

let home: string;
let ending: AbortController;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-folders-"));
  ending = new AbortController();
});
afterEach(() => {
  ending.abort();
  rmSync(home, { recursive: true, force: true });
});

const never = 600_000;

test("a write to a folder is reported, however rarely it is polled", async () => {
  const watch = new FolderWatch([home, join(home, "none")], ending.signal, never);
  for (const name of ["one", "two", "one"]) {
    const next = watch.next();
    writeFileSync(join(home, name), String(Math.random()));
    await next;
  }
});

test("a folder that did not exist yet is found at the next poll", async () => {
  const later = join(home, "later");
  const watch = new FolderWatch([later], ending.signal, 5);
  await watch.next();
  mkdirSync(later);
  await watch.next();
  const patient = new FolderWatch([later], ending.signal, never);
  const next = patient.next();
  writeFileSync(join(later, "x"), "");
  await next;
});

test("it ends with its page", async () => {
  const watch = new FolderWatch([home], ending.signal, never);
  const next = watch.next();
  ending.abort();
  await next;
  await watch.next();
});

test("an answered question is remembered as long as it could be asked, and no longer", () => {
  const answered = new Answered();
  for (let at = 0; at < 1000; at += 1) answered.add(`n${at}`, at + 10, at);
  expect(answered.size).toBe(10);
  expect([answered.has("n999"), answered.has("n0")]).toEqual([true, false]);
});
