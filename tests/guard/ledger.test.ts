import { afterEach, beforeEach, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileRecords, giveGrant, listGrants } from "../../src/guard/audit/file-records.ts";
import type { Grant } from "../../src/guard/audit/ledger.ts";
import { verifyLog } from "../../src/guard/audit/verify.ts";
import { findPlaces, type Places } from "../../src/guard/places.ts";

let home = "";
let places: Places;
let records: FileRecords;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-ledger-"));
  places = findPlaces({ HOME: home });
  records = new FileRecords(places);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const untilMs = Date.now() + 600_000;
const seen = { pid: 4711, startTicks: 17, uid: 1000, program: "/usr/bin/robot", file: "1:2", scope: "this boot" };
const given: Grant = { app: "gimp", client: "robot", process: seen, isSensitive: false, untilMs };

const read = (): { actions: unknown[]; grants: Record<string, unknown>[] } =>
  JSON.parse(readFileSync(places.ledger, "utf8"));
const write = (ledger: unknown): void => writeFileSync(places.ledger, JSON.stringify(ledger));
const list = (): readonly Grant[] => {
  const grants = listGrants(records, Date.now());
  if (!grants.ok) throw new Error(grants.failure.message);
  return grants.value;
};
const readLog = (): Record<string, unknown>[] =>
  readFileSync(places.audit, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a grant counts while it is unchanged, also for the next process", () => {
  expect(giveGrant(records, given).ok).toBe(true);
  expect(list()).toEqual([given]);
  records = new FileRecords(places);
  expect(list()).toEqual([given]);
  expect(records.ignoredGrants).toBe(0);
  // Grants without a client or an application are grants, too.
  expect(giveGrant(records, { isSensitive: true, untilMs }).ok).toBe(true);
  expect(list()).toHaveLength(2);
});

const forgeries: readonly (readonly [string, (grant: Record<string, unknown>) => unknown])[] = [
  ["for longer", (grant) => ({ ...grant, untilMs: untilMs + 1 })],
  ["for sensitive actions", (grant) => ({ ...grant, isSensitive: true })],
  ["for another application", (grant) => ({ ...grant, app: "thunderbird" })],
  ["for every application", ({ app: _, ...grant }) => grant],
  ["for every program", ({ client: _, ...grant }) => grant],
  ["for another process", (grant) => ({ ...grant, process: { ...seen, startTicks: 18 } })],
  ["for any process", ({ process: _, ...grant }) => grant],
  ["with its names exchanged", (grant) => ({ ...grant, app: grant.client, client: grant.app })],
  ["without a seal", ({ seal: _, ...grant }) => grant],
  ["with the seal of nothing", (grant) => ({ ...grant, seal: "" })],
  ["that is no grant", () => "everything"],
  ["that is nothing", () => null],
  ["with a time that is none", (grant) => ({ ...grant, untilMs: "9e99" })],
  ["with a name that is a list", (grant) => ({ ...grant, app: ["gimp"] })],
];

test.each(forgeries)("one %s is ignored, logged, and removed", (_how, forge) => {
  giveGrant(records, given);
  const [grant = {}] = read().grants;
  write({ actions: [], grants: [grant, forge(grant)] });
  expect(list()).toEqual([given]);
  expect(records.ignoredGrants).toBe(1);
  expect(readLog().at(-1)).toMatchObject({ what: "refused", effect: "forged" });
  expect(read().grants).toHaveLength(1);
  // Reported once: after that it is gone.
  list();
  expect(readLog().filter(({ effect }) => effect === "forged")).toHaveLength(1);
  expect(verifyLog(places).findingCount).toBe(0);
});

test("a field that the seal does not cover is dropped", () => {
  giveGrant(records, given);
  const [grant] = read().grants;
  write({ actions: [], grants: [{ ...grant, apps: ["*"] }] });
  expect(list()).toEqual([given]);
});

test("without the key, or with another account's, no grant is left", () => {
  giveGrant(records, given);
  rmSync(places.sealKey);
  expect(list()).toEqual([]);
  expect(records.ignoredGrants).toBe(1);
});

test.each([
  ["no object", "3"],
  ["nothing", "null"],
  ["no lists", `{"actions":{},"grants":[]}`],
  ["actions without a time", `{"actions":[{"client":"a","app":"b"}],"grants":[]}`],
  ["actions whose time is a text", `{"actions":[{"atMs":"1","client":"a","app":"b"}],"grants":[]}`],
  ["actions that are nothing", `{"actions":[null],"grants":[]}`],
  ["no JSON", "{"],
])("a ledger that is %s lets nothing be done", (_what, text) => {
  giveGrant(records, given);
  writeFileSync(places.ledger, text);
  expect(listGrants(records, Date.now())).toMatchObject({ ok: false, failure: { code: "REFUSED", reason: "audit" } });
});

test("a ledger and its keys are on the disk before they have their names: a power cut leaves the old one or the new one", () => {
  const script = join(home, "write.ts");
  const source = (name: string): string => JSON.stringify(join(import.meta.dir, "../../src/guard", name));
  writeFileSync(
    script,
    `import { FileRecords, giveGrant } from ${source("audit/file-records.ts")};
    import { findPlaces } from ${source("places.ts")};
    giveGrant(new FileRecords(findPlaces({ HOME: ${JSON.stringify(home)} })), ${JSON.stringify(given)});`,
  );
  const traced = ["-f", "-y", "-e", "trace=fsync,fdatasync,rename,renameat,renameat2,link,linkat", process.execPath];
  const { stderr } = spawnSync("strace", [...traced, script], { encoding: "utf8" });
  const calls = stderr.match(/fsync\(\d+<[^>]+>|(rename|link)(at2?)?\([^)]*/g) ?? [];
  for (const name of ["ledger.json", "seal.key", "audit.key"]) {
    const named = calls.findIndex((call) => /^(rename|link)/.test(call) && call.includes(`${name}"`));
    const stored = calls.findIndex((call) => call.startsWith("fsync") && call.includes(name));
    expect([name, stored >= 0 && stored < named]).toEqual([name, true]);
  }
  expect(list()).toEqual([given]);
});
