import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitFor } from "../desktop/scene.ts";
import { openStore } from "../map/desk.ts";
import { takeInSmall } from "../map/small-window.ts";

// `deskmap map` as a person or a script runs it, without a desktop or a terminal.

const launcher = join(import.meta.dir, "../../deskmap");
let home = "";
let marks: readonly number[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "deskmap-map-cli-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const findMap = (folder = home): string => join(folder, ".local/share/deskmap/map.db");

/** Two applications; one control has a taught name and was acted on. */
function fill(): void {
  const store = openStore(findMap());
  marks = takeInSmall(store, 1, 1);
  takeInSmall(store, 2, 1);
  store.teach(marks[3] ?? 0, "the blue one");
  for (const isHit of [true, true, false]) store.countAct(marks[3] ?? 0, isHit);
  store.close();
}

function run(words: readonly string[], folder = home): SpawnSyncReturns<string> {
  const env = { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: tmpdir() };
  return spawnSync("setsid", ["--wait", launcher, "map", ...words], { env, encoding: "utf8", timeout: 30_000 });
}

const runJson = (...words: readonly string[]) => JSON.parse(run(words).stdout);
const readFailure = (...words: readonly string[]) => {
  const { status, stderr } = run(words);
  return { status, ...JSON.parse(stderr).error };
};

/** Checked with a separate program. */
function query(sql: string, folder = home): unknown {
  const script =
    "import sqlite3, sys, json; print(json.dumps(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()))";
  return JSON.parse(spawnSync("/usr/bin/python3", ["-c", script, findMap(folder), sql], { encoding: "utf8" }).stdout);
}

const readBytes = (): string => {
  const folder = join(findMap(), "..");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("");
};

describe("without a map", () => {
  test("there is nothing to show, nothing is created, and named marks are not found", () => {
    expect(runJson("list")).toEqual({ targets: [], leftOut: 0 });
    expect(runJson("stats")).toMatchObject({ targets: 0, lastMark: 0, apps: [] });
    expect(runJson("forget", "--all", "--yes")).toEqual({ forgotten: 0 });
    expect(runJson("rescue")).toMatchObject({ kept: null });
    expect(readFailure("show", "1")).toMatchObject({ status: 1, code: "NOT_FOUND" });
    expect(readFailure("export")).toMatchObject({ status: 1, code: "NOT_FOUND" });
    expect(existsSync(findMap())).toBe(false);
  });
});

describe("reading", () => {
  test("list shows the best-known controls first, with taught names, and how many more there are", () => {
    fill();
    const { targets, leftOut } = runJson("list", "--limit", "2");
    expect(targets[0]).toMatchObject({
      id: marks[3],
      role: "button",
      label: "the blue one",
      app: "app-1",
      hits: 2,
      misses: 1,
    });
    expect(leftOut).toBe(78);
    expect(runJson("list", "--app", "APP 2", "--limit", "99").targets.map(({ app }: { app: string }) => app)).toEqual(
      Array.from({ length: 40 }, () => "app-2"),
    );
    expect(runJson("list", "--role", "link")).toEqual({ targets: [], leftOut: 0 });
    expect(run(["list", "--format", "csv"]).stdout.split("\n")[0]).toStartWith("id,role,label,app,window,confidence");
    expect(run(["list", "--format", "text"]).stdout).toContain("30 more: --limit 80 shows all");
  });

  test("show describes one control completely, and explains its confidence", () => {
    fill();
    const shown = runJson("show", String(marks[3]));
    expect(shown).toMatchObject({ taught: "the blue one", hits: 2, misses: 1, evidence: { looks: 2, objects: 3 } });
    expect(shown.ref).toMatchObject({ name: "Button first 3", path: [{ role: "toolbar", name: "first" }] });
    expect(JSON.stringify(shown)).not.toMatch(/runtimeId|"handle"/);
    const steps = shown.why.map(({ confidence }: { confidence: number }) => confidence);
    expect(steps).toEqual([0.95, 0.99, 0.915]);
    expect(steps.at(-1)).toBe(shown.confidence);
    expect(run(["show", String(marks[3]), "--format", "text"]).stdout).toContain("1 act did not");
  });

  test("stats shows the number of controls, and how often each confidence was right", () => {
    fill();
    const stats = runJson("stats");
    expect(stats).toMatchObject({
      targets: 80,
      lastMark: 80,
      acts: { hits: 2, misses: 1, hitRate: 0.667, wrongRate: 0.333 },
    });
    expect(stats.reliability).toEqual([{ from: 0.9, to: 1, right: 2, wrong: 1, rightRate: 0.667 }]);
    expect(query("SELECT bin, hits, misses FROM reliability")).toEqual([[9, 2, 1]]);
    // While there are few actions, the resolver's measured accuracy is shown too.
    expect(stats.suite.right + stats.suite.wrong + stats.suite.refused).toBeGreaterThan(5000);
    const rates: number[] = stats.suite.reliability.map(({ rightRate }: { rightRate: number }) => rightRate);
    expect(rates).toEqual(rates.toSorted((one, other) => one - other));
    const text = run(["stats", "--format", "text"]).stdout;
    expect(text).toContain("2 acts came out as wanted (66.7%), 1 did not (33.3%)");
    expect(text).toMatch(/measured over \d+ controls of changed applications and pages: [\d.]+% right, [\d.]+% wrong/);
    expect(text).toMatch(/0\.999–1 +\d+ +\d+ +\d+\.\d%/);
    expect(stats.bytesPerTarget).toBe(Math.round(stats.bytes / 80));
    expect(stats.apps.map(({ app, targets }: { app: string; targets: number }) => [app, targets])).toEqual([
      ["app-1", 40],
      ["app-2", 40],
    ]);
  });

  test("missing or invalid marks are reported, with the nearest matches", () => {
    fill();
    expect(readFailure("list", "--app", "ap-1")).toMatchObject({
      status: 1,
      nearest: expect.arrayContaining(["app-1"]),
    });
    expect(readFailure("list", "--role", "buton")).toMatchObject({
      status: 2,
      nearest: expect.arrayContaining(["button"]),
    });
    expect(readFailure("list", "--limit", "0")).toMatchObject({ status: 2 });
    expect(readFailure("show", "81")).toMatchObject({
      status: 1,
      message: expect.stringContaining("the last one is 80"),
    });
    expect(readFailure("show", "x")).toMatchObject({ status: 2 });
    expect(run(["nothing"]).status).toBe(2);
  });
});

describe("forgetting", () => {
  test("a control, a taught one, or an application, leaves no byte of it, and the numbers stay used", () => {
    fill();
    expect(readBytes()).toContain("Button first 5");
    expect(runJson("forget", "--id", String(marks[5]))).toEqual({ forgotten: 1 });
    expect(query(`SELECT count(*) FROM evidence WHERE mark = ${marks[5]}`)).toEqual([[0]]);
    expect(runJson("forget", "--taught", "The Blue One")).toEqual({ forgotten: 1 });
    expect(readBytes()).not.toContain("the blue one");
    expect(runJson("forget", "--app", "App 1")).toEqual({ forgotten: 38 });
    expect(query("SELECT DISTINCT app FROM places")).toEqual([["app-2"]]);
    expect(readFailure("show", String(marks[5])).message).toContain("was forgotten");
    expect(query("SELECT seq FROM sqlite_sequence")).toEqual([[80]]);
  });

  test("everything requires confirmation", () => {
    fill();
    expect(readFailure("forget", "--all")).toMatchObject({ status: 2, message: expect.stringContaining("80 marks") });
    expect(runJson("forget", "--all", "--yes")).toEqual({ forgotten: 80 });
    expect(readBytes()).not.toContain("Button");
    expect(query("SELECT seq FROM sqlite_sequence")).toEqual([[80]]);
  });

  test("nothing if the request is ambiguous", () => {
    fill();
    expect(readFailure("forget")).toMatchObject({ status: 2 });
    expect(readFailure("forget", "--id", "1", "--app", "app-1")).toMatchObject({ status: 2 });
    expect(readFailure("forget", "--id", "900")).toMatchObject({ status: 1 });
    expect(readFailure("forget", "--taught", "nobody")).toMatchObject({ status: 1 });
    expect(readFailure("prune", "--days", "x")).toMatchObject({ status: 2 });
    expect(readFailure("prune", "--keep", "nobody")).toMatchObject({ status: 1 });
    expect(query("SELECT count(*) FROM targets")).toEqual([[80]]);
  });

  test("prune removes what is old, reports it, and keeps what is used", () => {
    fill();
    const age =
      "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); [d.execute(f'UPDATE {t} SET last_seen = last_seen - 20000000') for t in ('targets', 'places')]; d.commit()";
    spawnSync("/usr/bin/python3", ["-c", age, findMap()]);
    expect(runJson("prune")).toMatchObject({ dropped: { targets: 79 }, kept: 1 });
    expect(query("SELECT mark FROM targets")).toEqual([[marks[3]]]);
  });
});

describe("export and import", () => {
  test("carry a map to another home, without duplicates", () => {
    fill();
    const [file, other] = [join(home, "map.jsonl"), join(home, "other")];
    mkdirSync(other);
    expect(run(["export", file]).status).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(
      run(["export"]).stdout.replace(
        /"exportedAt":"[^"]*"/,
        /"exportedAt":"[^"]*"/.exec(readFileSync(file, "utf8"))?.[0] ?? "",
      ),
    );
    for (const added of [80, 0])
      expect(JSON.parse(run(["import", file], other).stdout)).toMatchObject({ lines: 80, added });
    const columns = "SELECT mark, name, hits, misses, taught FROM targets ORDER BY mark";
    expect(query(columns, other)).toEqual(query(columns));
    expect(readdirSync(home).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("work for one application only, and from standard input", () => {
    fill();
    const other = join(home, "other");
    mkdirSync(other);
    const { stdout } = run(["export", "--app", "App 2"]);
    const env = { PATH: process.env.PATH ?? "", HOME: other };
    const taken = spawnSync(launcher, ["map", "import", "-"], { env, encoding: "utf8", input: stdout });
    expect(JSON.parse(taken.stdout)).toMatchObject({ lines: 40, added: 40 });
    expect(query("SELECT DISTINCT app FROM places", other)).toEqual([["app-2"]]);
  });

  test("a bad line, or a missing file, is named, and nothing is imported", () => {
    fill();
    const [file, other] = [join(home, "map.jsonl"), join(home, "other")];
    mkdirSync(other);
    const lines = run(["export"]).stdout.split("\n");
    writeFileSync(file, lines.with(7, '{"mark": "seven"}').join("\n"));
    const { status, stderr } = run(["import", file], other);
    expect([status, JSON.parse(stderr).error.message]).toEqual([2, expect.stringContaining("line 8 of")]);
    expect(query("SELECT count(*) FROM targets", other)).toEqual([[0]]);
    expect(readFailure("import", join(home, "none"))).toMatchObject({ status: 1, code: "NOT_FOUND" });
    expect(readFailure("import", home)).toMatchObject({ status: 1, message: expect.stringContaining("is a folder") });
    expect(readFailure("export", join(home, "none/map.jsonl"))).toMatchObject({ status: 1, code: "FAILED" });
  });
});

test("an interrupted import imports nothing, and leaves the map intact", async () => {
  fill();
  const other = join(home, "other");
  mkdirSync(other);
  const lines = run(["export"]).stdout.split("\n");
  const env = { PATH: process.env.PATH ?? "", HOME: other };
  const child = Bun.spawn([launcher, "map", "import", "-"], { env, stdin: "pipe", stdout: "ignore", stderr: "ignore" });
  // Sends the first half over and over, so that part of it is certainly stored; the end never arrives.
  child.stdin.write(`${lines.slice(0, 40).join("\n")}\n`);
  for (let at = 0; at < 100; at += 1) child.stdin.write(`${lines.slice(1, 40).join("\n")}\n`);
  await child.stdin.flush();
  await waitFor("the map", () => existsSync(`${findMap(other)}-wal`));
  child.kill("SIGINT");
  await child.exited;
  expect(query("SELECT count(*) FROM targets", other)).toEqual([[0]]);
  expect(query("PRAGMA integrity_check", other)).toEqual([["ok"]]);
});

test("a damaged map is refused with a next step, and rescued", () => {
  fill();
  const bytes = readFileSync(findMap());
  bytes.fill(0x5a, 0, 100);
  writeFileSync(findMap(), bytes);
  expect(readFailure("list")).toMatchObject({
    code: "UNAVAILABLE",
    try: expect.stringContaining("deskmap map rescue"),
  });
  const { kept, rows, lastMark } = runJson("rescue");
  // Far above the last known number: a torn journal may have held more.
  expect([rows.targets, lastMark]).toEqual([80, 1_000_080]);
  expect(readFileSync(kept).equals(bytes)).toBe(true);
  expect(runJson("list").targets[0]).toMatchObject({ id: marks[3], label: "the blue one" });
});

test("every subcommand has help", () => {
  for (const part of ["list", "show", "stats", "forget", "export", "import", "prune", "rescue"]) {
    const { status, stdout } = run([part, "--help"]);
    expect([part, status, stdout.includes(`deskmap map ${part}`)]).toEqual([part, 0, true]);
  }
});
