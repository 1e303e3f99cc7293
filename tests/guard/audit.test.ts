import { afterEach, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FileRecords } from "../../src/guard/audit/file-records.ts";
import { listLogFiles } from "../../src/guard/audit/log-files.ts";
import { readEvents } from "../../src/guard/audit/read.ts";
import { verifyLog } from "../../src/guard/audit/verify.ts";
import { fc } from "../property.ts";
import { type LogFolder, lookAt, makeLogFolder } from "./audit-folder.ts";

const writer = fileURLToPath(import.meta.resolve("./write-lines.ts"));
const folders: LogFolder[] = [];

function open(maxBytes?: number): LogFolder {
  const folder = makeLogFolder(maxBytes);
  folders.push(folder);
  return folder;
}

/** A log with this many lines. */
function openWith(count: number): LogFolder {
  const folder = open();
  folder.write(...Array.from({ length: count }, (_, index) => lookAt(`app ${index + 1}`)));
  return folder;
}

function find({ places }: LogFolder): string[] {
  return verifyLog(places).findings.map(({ file, line, text }) => `${file}:${line} ${text}`);
}

afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

describe("an untouched log", () => {
  test("is intact, and its files are private to the user", () => {
    const folder = openWith(3);
    expect(verifyLog(folder.places)).toEqual({ lines: 3, findings: [], findingCount: 0, notes: [] });
    for (const name of readdirSync(folder.places.state)) {
      expect(statSync(join(folder.places.state, name)).mode & 0o777).toBe(0o600);
    }
    expect(statSync(folder.places.state).mode & 0o777).toBe(0o700);
  });

  test("is restarted by a running process after a person removed the state directory", () => {
    const folder = open();
    const records = new FileRecords(folder.places);
    expect(records.write(lookAt("one"))).toMatchObject({ ok: true, value: 1 });
    rmSync(folder.places.state, { recursive: true });
    expect(records.write(lookAt("two"))).toMatchObject({ ok: true, value: 1 });
    expect(verifyLog(folder.places)).toMatchObject({ lines: 1, findings: [] });
  });

  test("that does not exist yet is not broken", () => {
    expect(verifyLog(open().places)).toEqual({ lines: 0, findings: [], findingCount: 0, notes: [] });
  });

  test("records the length of typed text, and nothing from which it could be guessed", () => {
    const folder = open();
    const { hash, length } = new FileRecords(folder.places).describeText("hunter2");
    expect(length).toBe(7);
    expect(hash).toMatch(/^[0-9a-f]{16}$/);
    expect(new FileRecords(open().places).describeText("hunter2").hash).not.toBe(hash);
    expect(new FileRecords(folder.places).describeText("hunter2").hash).toBe(hash);
  });

  test("is one chain with many writers: 8 processes at once, 200 lines each", async () => {
    const folder = open();
    const children = Array.from({ length: 8 }, (_, index) =>
      spawn(process.execPath, [writer, `client ${index}`, "200"], { env: { ...process.env, ...folder.env } }),
    );
    const ends = await Promise.all(children.map((child) => once(child, "exit")));
    expect(ends.map(([code]) => code)).toEqual(Array(8).fill(0));
    expect(verifyLog(folder.places)).toEqual({ lines: 1600, findings: [], findingCount: 0, notes: [] });
    for (let index = 0; index < 8; index += 1) {
      const own = readEvents(folder.places, { client: `client ${index}` }).events;
      expect(own.map(({ apps }) => apps?.[0])).toEqual(Array.from({ length: 200 }, (_, line) => `app ${line + 1}`));
    }
  });

  test("continues in a new file when one is full, as one chain", async () => {
    const folder = open();
    const run = (client: string) =>
      spawn(process.execPath, [writer, client, "100", "4000"], { env: { ...process.env, ...folder.env } });
    await Promise.all([run("a"), run("b")].map((child) => once(child, "exit")));
    expect(listLogFiles(folder.places).length).toBeGreaterThan(5);
    expect(verifyLog(folder.places)).toEqual({ lines: 200, findings: [], findingCount: 0, notes: [] });
    const [first = "", second = ""] = listLogFiles(folder.places);
    rmSync(second);
    expect(find(folder).join()).toMatch(/lines \d+ to \d+ are missing before line \d+/);
    rmSync(first);
    expect(find(folder)[0]).toMatch(/:1 lines 1 to \d+ are missing before line \d+/);
  });

  test("stays intact when writers are killed at any moment, even between one file and the next", async () => {
    const folder = open();
    for (let round = 0; round < 12; round += 1) {
      const child = spawn(process.execPath, [writer, `round ${round}`, "100000", "3000"], {
        env: { ...process.env, ...folder.env },
      });
      const before = readEvents(folder.places, {}).events.length;
      while (readEvents(folder.places, { client: `round ${round}` }).events.length < 5 + round * 3) {
        await Bun.sleep(1);
      }
      child.kill("SIGKILL");
      await once(child, "exit");
      folder.write(lookAt("after a kill"));
      const { findings, lines } = verifyLog(folder.places);
      expect(findings).toEqual([]);
      expect(lines).toBeGreaterThan(before);
    }
  });

  test("whose last line was torn by a kill is repaired by the next line", () => {
    const folder = openWith(3);
    const [, , last = ""] = folder.readLines();
    appendFileSync(folder.places.audit, last.replace('"n":3', '"n":4').slice(0, 60));
    expect(verifyLog(folder.places)).toMatchObject({
      findings: [],
      notes: [expect.stringContaining("never finished")],
    });
    folder.write(lookAt("next"));
    expect(verifyLog(folder.places)).toEqual({ lines: 4, findings: [], findingCount: 0, notes: [] });
  });
});

describe("verify says where and what:", () => {
  const cases: readonly [what: string, change: (folder: LogFolder) => void, found: RegExp][] = [
    [
      "an edited line",
      (folder) => folder.writeLines(folder.readLines().map((line) => line.replace("app 3", "app 9"))),
      /^audit.jsonl:3 line 3 is not as it was written$/,
    ],
    ["a removed first line", (folder) => folder.writeLines(folder.readLines().slice(1)), /:1 line 1 is missing before/],
    [
      "two removed lines in the middle",
      (folder) => folder.writeLines(folder.readLines().toSpliced(2, 2)),
      /:3 lines 3 to 4 are missing before line 5$/,
    ],
    [
      "a removed last line",
      (folder) => folder.writeLines(folder.readLines().slice(0, -1)),
      /^audit.jsonl:0 line 6 is missing at the end$/,
    ],
    ["no line left", (folder) => folder.writeLines([]), /lines 1 to 6 are missing at the end/],
    [
      "a line twice",
      (folder) => folder.writeLines(folder.readLines().toSpliced(3, 0, folder.readLines()[1] ?? "")),
      /:4 line 2 comes after line 3/,
    ],
    [
      "two lines exchanged",
      (folder) => {
        const [a = "", b = "", ...rest] = folder.readLines();
        folder.writeLines([b, a, ...rest]);
      },
      /line 1 is missing before line 2/,
    ],
    [
      "a line of another's making",
      (folder) => folder.writeLines([...folder.readLines(), '{"n":7,"what":"look"}']),
      /:7 this is no line of the log$/,
    ],
    [
      "a missing head",
      ({ places }) => rmSync(places.head),
      /^audit.head:0 the note of the last line is missing or damaged/,
    ],
    ["a damaged head", ({ places }) => writeFileSync(places.head, "{"), /^audit.head:0 .*missing or damaged/],
    ["a missing key", ({ places }) => rmSync(places.key), /^audit.key:0 the key is missing or damaged/],
    ["another key", ({ places }) => writeFileSync(places.key, "ab".repeat(32)), /line 1 is not as it was written/],
    ["a missing log", ({ places }) => rmSync(places.audit), /^audit.jsonl:0 the log is missing$/],
    [
      "a head set back",
      (folder) => {
        const { places } = folder;
        const old = openWith(2);
        const [, second = ""] = folder.readLines();
        const head = { ...JSON.parse(readFileSync(old.places.head, "utf8")), hash: JSON.parse(second).hash };
        writeFileSync(places.head, JSON.stringify(head));
      },
      /^audit.head:0 the note says 2 lines, and there are 6$/,
    ],
  ];
  for (const [what, change, found] of cases) {
    test(what, () => {
      const folder = openWith(6);
      change(folder);
      expect(find(folder).join("\n")).toMatch(found);
    });

    test(`${what}, also after the log has gone on`, () => {
      const folder = openWith(6);
      change(folder);
      const isHeadOnly = what === "a head set back";
      const wasKeyLost = what === "a missing key";
      folder.write(lookAt("later"), lookAt("and later"));
      // A head that was set back is brought up to date: nothing is lost.
      if (isHeadOnly) expect(find(folder)).toEqual([]);
      else expect(find(folder).length).toBeGreaterThan(wasKeyLost ? 5 : 0);
    });
  }

  test("both the log and its head reset to an earlier day: a note, since a restored copy looks the same", () => {
    const folder = openWith(4);
    const { places } = folder;
    const [log, head] = [readFileSync(places.audit), readFileSync(places.head, "utf8")];
    // The earlier state is an hour old.
    const old = JSON.parse(head);
    folder.write(lookAt("to be forgotten"));
    writeFileSync(places.audit, log);
    writeFileSync(places.head, JSON.stringify({ ...old, atMs: old.atMs - 3_600_000 }));
    utimesSync(places.audit, 0, 0);
    folder.write(lookAt("later"));
    const { findings, notes } = verifyLog(places);
    expect(findings).toEqual([]);
    expect(notes).toEqual([expect.stringContaining("something else changed the file after line 4")]);
  });
});

describe("any single change of any log is found:", () => {
  const apps = fc.array(fc.string({ unit: "grapheme", maxLength: 8 }), { minLength: 2, maxLength: 8 });

  test("a byte changed, left out or put in", () => {
    fc.assert(
      fc.property(
        apps,
        fc.nat(),
        fc.nat(255),
        fc.constantFrom("set", "insert", "remove"),
        (names, place, byte, how) => {
          const folder = open();
          folder.write(...names.map(lookAt));
          const bytes = readFileSync(folder.places.audit);
          const at = place % bytes.length;
          const middle = { set: [byte], insert: [byte, bytes[at] ?? 0], remove: [] }[how];
          const changed = Buffer.concat([bytes.subarray(0, at), Buffer.from(middle), bytes.subarray(at + 1)]);
          writeFileSync(folder.places.audit, changed);
          if (!changed.equals(bytes)) expect(verifyLog(folder.places).findingCount).toBeGreaterThan(0);
          folder.remove();
        },
      ),
      { numRuns: 150 },
    );
  });

  test("lines left out, doubled, moved, or cut off at any byte", () => {
    const how = fc.constantFrom("remove", "double", "move", "cut");
    fc.assert(
      fc.property(apps, fc.nat(), fc.nat(), how, (names, first, second, kind) => {
        const folder = open();
        folder.write(...names.map(lookAt));
        const lines = folder.readLines();
        const [from, to] = [first % lines.length, second % lines.length];
        const [line = ""] = lines.slice(from, from + 1);
        const bytes = readFileSync(folder.places.audit);
        if (kind === "remove") folder.writeLines(lines.toSpliced(from, 1));
        if (kind === "double") folder.writeLines(lines.toSpliced(to, 0, line));
        if (kind === "move") folder.writeLines(lines.toSpliced(from, 1).toSpliced(to, 0, line));
        if (kind === "cut") writeFileSync(folder.places.audit, bytes.subarray(0, first % bytes.length));
        const isSame = readFileSync(folder.places.audit).equals(bytes);
        if (!isSame) expect(verifyLog(folder.places).findingCount).toBeGreaterThan(0);
        folder.remove();
      }),
      { numRuns: 150 },
    );
  });
});

describe("the log is not written where others could reach it:", () => {
  test("not through a link", () => {
    const folder = openWith(1);
    const elsewhere = join(folder.places.state, "elsewhere");
    renameSync(folder.places.audit, elsewhere);
    symlinkSync(elsewhere, folder.places.audit);
    const before = readFileSync(elsewhere, "utf8");
    const written = new FileRecords(folder.places).write(lookAt("x"));
    expect(written).toMatchObject({ ok: false, failure: { code: "REFUSED", reason: "audit" } });
    expect(readFileSync(elsewhere, "utf8")).toBe(before);
  });

  test("not in a symlinked directory", () => {
    const folder = open();
    const real = join(folder.env.HOME ?? "", "real");
    mkdirSync(real);
    symlinkSync(real, folder.places.state);
    const written = new FileRecords(folder.places).write(lookAt("x"));
    expect(written).toMatchObject({ ok: false, failure: { reason: "audit" } });
    expect(readdirSync(real)).toEqual([]);
  });

  test("a directory that others could enter is closed to them", () => {
    const folder = openWith(1);
    chmodSync(folder.places.state, 0o755);
    folder.write(lookAt("x"));
    expect(statSync(folder.places.state).mode & 0o777).toBe(0o700);
  });

  test("a failed write is a refusal that says where and why", () => {
    const folder = open();
    writeFileSync(folder.places.state, "in the way");
    expect(new FileRecords(folder.places).write(lookAt("x"))).toMatchObject({
      ok: false,
      failure: { code: "REFUSED", reason: "audit", message: expect.stringContaining(folder.places.state) },
    });
  });
});
