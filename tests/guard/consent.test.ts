import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileRecords } from "../../src/guard/audit/file-records.ts";
import { listLogFiles } from "../../src/guard/audit/log-files.ts";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import { type Knowledge, listAccounts, readContacts } from "../../src/guard/policy/consent.ts";
import { userPolicy } from "../../src/guard/policy/defaults.ts";
import type { AppAccount } from "../../src/model/consent.ts";

const loaded = { common: userPolicy, written: undefined, path: "", isPrivate: false };
const nothing: Knowledge = { running: [], remembered: [], contacts: [] };
const list = (knowledge: Partial<Knowledge>): readonly AppAccount[] =>
  listAccounts(loaded, { ...nothing, ...knowledge });
const names = (accounts: readonly AppAccount[]): readonly string[] => accounts.map(({ app }) => app);

const painter = ["Painter.py", "painter.py", "painter", "python3.11"];
const mailer = ["Mailer.py", "mailer.py", "mailer", "python3.11"];

describe("deskmap apps", () => {
  test("distinguishes two programs of one interpreter, whichever ran first", () => {
    expect(names(list({ running: [painter, mailer] }))).toEqual(["Mailer.py", "Painter.py"]);
    const acted = { app: "Mailer.py", kind: "acted", at: "2031-01-01", client: "robot" } as const;
    const accounts = list({ running: [painter, mailer], contacts: [acted] });
    expect(accounts.map(({ app, actedOn }) => [app, actedOn?.client])).toEqual([
      ["Mailer.py", "robot"],
      ["Painter.py", undefined],
    ]);
  });

  test("knows one program by all of its names, and two windows of it as one", () => {
    const calc = ["libreoffice-calc", "soffice.bin"];
    expect(names(list({ running: [["Soffice", "soffice.bin"], calc] }))).toEqual(["Soffice"]);
    expect(
      list({ running: [painter], remembered: [{ names: ["python3.11", "painter"], markCount: 3 }] }),
    ).toMatchObject([{ app: "Painter.py", markCount: 3, isRunning: true }]);
  });

  test("gives none of them the remembered data of several", () => {
    const remembered = [{ names: ["python3.11", "painter", "mailer"], markCount: 5 }];
    expect(list({ running: [painter, mailer], remembered })).toMatchObject([
      { app: "Mailer.py", markCount: 0 },
      { app: "Painter.py", markCount: 0 },
      { app: "python3.11", markCount: 5 },
    ]);
    expect(names(list({ remembered, contacts: [] }))).toEqual(["python3.11"]);
  });

  test("finds a standing by every name, including the interpreter's", () => {
    const common = { ...userPolicy, standings: new Map([["python3.11", "blind"]] as const) };
    const accounts = listAccounts({ ...loaded, common }, { ...nothing, running: [painter, mailer] });
    expect(accounts.map(({ standing }) => standing)).toEqual(["blind", "blind"]);
  });

  test("knows programs by themselves if only an interpreter is known", () => {
    expect(names(list({ running: [["java"], ["java"], ["Node"]] }))).toEqual(["java", "Node"]);
  });
});

describe("the record of looks and actions", () => {
  let home = "";
  let places: Places;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "deskmap-contacts-"));
    places = findPlaces({ HOME: home });
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const look = (app: string, maxBytes = 1): void => {
    // Every line exceeds the limit, so each begins a new file.
    const written = new FileRecords(places, maxBytes).write({
      what: "look",
      client: "robot",
      tool: "read",
      apps: [app],
    });
    if (!written.ok) throw new Error(written.failure.message);
  };
  const seen = (enough?: number): readonly string[] => readContacts(places, enough).map(({ app }) => app);

  test("includes the rotated log files", () => {
    for (const app of ["one", "two", "three"]) look(app);
    expect(listLogFiles(places)).toHaveLength(3);
    expect(seen()).toEqual(["one", "two", "three"]);
  });

  test("is read only as far back as needed, always including the newest, and nothing stays open", () => {
    for (const app of ["one", "two", "three"]) look(app);
    const before = countOpen();
    expect(seen(1)).toEqual(["three"]);
    expect(seen(statSync(places.audit).size + 1)).toEqual(["two", "three"]);
    expect(countOpen()).toBe(before);
  });

  test("is empty without a log, and skips invalid lines", () => {
    expect(seen()).toEqual([]);
    look("one", 1e6);
    writeFileSync(places.audit, "\0\n{}\n[]\nnull\n", { flag: "a" });
    expect(seen()).toEqual(["one"]);
  });
});

function countOpen(): number {
  return readdirSync("/proc/self/fd").length;
}
