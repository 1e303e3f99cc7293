import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listPageTitles, publishPage } from "../../src/guard/approval/pages.ts";
import { FileRecords } from "../../src/guard/audit/file-records.ts";
import { LogFollower } from "../../src/guard/audit/log-files.ts";
import { readEvents, readLastEvents } from "../../src/guard/audit/read.ts";
import { verifyLog, verifyLogInPieces } from "../../src/guard/audit/verify.ts";
import { findPlaces, type Places } from "../../src/guard/places.ts";

let home: string;
let places: Places;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-pages-"));
  places = findPlaces({ HOME: home });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("a page is known while it is served, and no longer; a killed process leaves none", () => {
  expect(listPageTitles(places)).toEqual([]);
  const unpublish = publishPage(places, ["Deskmap inspector", "127.0.0.1:8300"]);
  expect(listPageTitles(places)).toEqual(["Deskmap inspector", "127.0.0.1:8300"]);
  unpublish();
  expect(listPageTitles(places)).toEqual([]);
  mkdirSync(places.surfaces, { recursive: true });
  writeFileSync(join(places.surfaces, "left.page"), '{"titles":["Mail"]}');
  expect(listPageTitles(places)).toEqual([]);
});

test("new log lines are reported once, whoever wrote them, even across a new file", () => {
  const before = new FileRecords(places);
  before.write({ what: "look", client: "early" });
  const follower = new LogFollower(places);
  expect(follower.take()).toEqual([]);
  before.write({ what: "begin", client: "one", tool: "click" });
  new FileRecords(places).write({ what: "end", client: "two", begin: 2 });
  expect(follower.take().map(({ n, client }) => [n, client])).toEqual([
    [2, "one"],
    [3, "two"],
  ]);
  expect(follower.take()).toEqual([]);
  // So short that every line begins a new file.
  const short = new FileRecords(places, 10);
  for (const client of ["three", "four"]) {
    short.write({ what: "look", client });
    expect(follower.take().map((line) => line.client)).toEqual([client]);
  }
  follower.close();
});

test("a log that does not exist yet is followed from its first line", () => {
  const follower = new LogFollower(places);
  expect(follower.take()).toEqual([]);
  new FileRecords(places).write({ what: "stop", client: "person" });
  expect(follower.take().map(({ what }) => what)).toEqual(["stop"]);
  follower.close();
});

test("the last entries read from the end equal those of a full read", async () => {
  // Several files, and lines longer than a chunk between short ones.
  const records = new FileRecords(places, 400_000);
  const begun: number[] = [];
  for (let at = 0; at < 120; at += 1) {
    const written = records.write({ what: "begin", client: `c${at % 3}`, tool: "click", words: "x".repeat(at * 160) });
    begun.push(written.ok ? written.value : 0);
    if (at % 5 === 4) records.write({ what: "look", client: "reader" });
    const other = begun.splice(at % begun.length, 1)[0];
    if (at % 4 !== 0 && other !== undefined)
      records.write({ what: "end", client: "c", begin: other, effect: "confirmed" });
  }
  records.write({ what: "stop", client: "person", words: "y".repeat(600_000) });
  for (const query of [{}, { client: "c1" }, { isLook: false }, { before: 77 }, { tool: "none" }]) {
    for (const last of [1, 7, 50, 1000]) {
      const { events, leftOut } = readEvents(places, { ...query, last });
      const back = await readLastEvents(places, { ...query, last });
      expect(back.events.toReversed()).toEqual(events);
      expect(back.hasOlder).toBe(leftOut > 0);
    }
  }
});

test("verifying the log in chunks gives the same result as at once, and reports progress", async () => {
  const records = new FileRecords(places);
  for (let at = 0; at < 1200; at += 1) records.write({ what: "look", client: `c${at}` });
  const told: number[] = [];
  const verified = await verifyLogInPieces(places, ({ done, total }) => told.push(done / total));
  expect(verified).toEqual(verifyLog(places));
  expect(verified?.findingCount).toBe(0);
  expect(told.length).toBe(2);
  expect(told.every((share) => share > 0 && share < 1)).toBe(true);
  const ended = await verifyLogInPieces(places, () => undefined, AbortSignal.abort());
  expect(ended).toBeUndefined();
});
