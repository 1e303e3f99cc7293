import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openScene, type Scene } from "./scene.ts";
import { pick, readShown } from "./shown.ts";

// What is remembered of a real application, in `deskmap map` and in the file; and a map that cannot be written.

const launcher = join(import.meta.dir, "../../deskmap");
const fixture = join(import.meta.dir, "../fixtures/apps/counting.py");
/** Not even root can create a folder there. */
const nowhere = "/sys/nowhere";
let scene: Scene;
let home: string;

beforeAll(async () => {
  scene = await openScene({ width: 1200, height: 800 });
  home = scene.sandbox.env.HOME ?? "";
  await scene.start(["/usr/bin/python3", fixture, join(home, "state.json")], "Count other");
  await scene.settle();
});
afterAll(() => scene.close());

/** Checked with a separate program. */
function query(sql: string): unknown[][] {
  const data = scene.sandbox.env.XDG_DATA_HOME ?? join(home, ".local/share");
  const script =
    "import sqlite3, sys, json; print(json.dumps(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()))";
  const { stdout, stderr } = scene.run("/usr/bin/python3", "-c", script, join(data, "deskmap/map.db"), sql);
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout);
}

test("read elements are listed under their marks, and actions count as hits", () => {
  const box = pick(readShown(scene, "--all"), "chk", "Off");
  expect(scene.deskmap("check", "--id", String(box.i)).status).toBe(0);
  const { targets, leftOut } = JSON.parse(scene.deskmap("map", "list", "--role", "checkbox").stdout);
  expect(leftOut).toBe(0);
  const listed = targets.find(({ id }: { id: number }) => id === box.i);
  expect(listed).toMatchObject({ label: "Off", role: "checkbox", hits: 1, source: "a11y" });
  expect(query(`SELECT name, hits, misses FROM targets WHERE mark = ${box.i}`)).toEqual([["Off", 1, 0]]);
  expect(targets.length).toBe(query("SELECT mark FROM targets WHERE role IN ('checkbox', 'switch')").length);
});

test("with an unwritable map a read still answers, and says that its marks do not last", () => {
  const before = readFileSync(join(home, "state.json"), "utf8");
  const read = scene.run("env", `XDG_DATA_HOME=${nowhere}`, launcher, "read", "--app", "countapp");
  expect(read.status).toBe(0);
  const { warnings } = JSON.parse(read.stdout);
  expect(warnings).toEqual([expect.stringContaining("are valid only in this process")]);
  expect(read.stderr).toBe(`warning: ${warnings[0]}\n`);
  const passing = /"i":(\d{13,})/.exec(read.stdout)?.[1] ?? "";
  expect(Number(passing)).toBeGreaterThan(1e12);
  // Used after its process ended, it refers to nothing, and never to something else.
  const later = scene.deskmap("click", "--id", passing);
  expect(later.status).toBe(1);
  expect(JSON.parse(later.stderr).error.message).toContain("did not write its map");
  expect(readFileSync(join(home, "state.json"), "utf8")).toBe(before);
});

test("a control is acted on there as well, by words", () => {
  const before = readFileSync(join(home, "state.json"), "utf8");
  const pressed = scene.run("env", `XDG_DATA_HOME=${nowhere}`, launcher, "uncheck", "Off", "--app", "countapp");
  expect([pressed.status, JSON.parse(pressed.stdout).warnings]).toEqual([
    0,
    [expect.stringContaining("only in this process")],
  ]);
  expect(readFileSync(join(home, "state.json"), "utf8")).not.toBe(before);
});

/** Everything that the map's file holds. */
function dump(): string {
  const data = scene.sandbox.env.XDG_DATA_HOME ?? join(home, ".local/share");
  const script = "import sqlite3, sys; print('\\n'.join(sqlite3.connect(sys.argv[1]).iterdump()))";
  return scene.run("/usr/bin/python3", "-c", script, join(data, "deskmap/map.db")).stdout;
}

describe("with --no-memory", () => {
  const unremembered = "--no-memory";
  let known: number;
  let before: string;
  beforeAll(async () => {
    known = pick(readShown(scene), "chk", "Off").i;
    await scene.start(["zenity", "--entry", "--title=Stranger", "--text=Name"], "Stranger");
    await scene.settle();
    before = dump();
  });
  afterAll(() => {
    scene.deskmap("serve", "stop");
  });

  const findEntry = (...args: string[]): number =>
    readShown(scene, "--app", "zenity", ...args).find(({ r }) => r === "input")?.i ?? 0;

  test("known controls are used by their marks, new ones by temporary ones, and nothing is written", () => {
    expect(pick(readShown(scene, "--app", "countapp", unremembered), "chk", "Off").i).toBe(known);
    const state = readFileSync(join(home, "state.json"), "utf8");
    expect(scene.deskmap(unremembered, "toggle", "--id", String(known)).status).toBe(0);
    expect(readFileSync(join(home, "state.json"), "utf8")).not.toBe(state);
    expect(findEntry(unremembered)).toBeGreaterThan(1e12);
    const taught = scene.deskmap("teach", "--id", String(known), "Mine", unremembered);
    expect([taught.status, taught.stderr]).toEqual([3, expect.stringContaining("--no-memory")]);
    expect(dump()).toBe(before);
  });

  test("a daemon keeps temporary marks while it runs, for commands and the library; other calls still remember", () => {
    expect(scene.deskmap("serve", "--detach").status).toBe(0);
    const entry = findEntry(unremembered);
    expect(entry).toBeGreaterThan(1e12);
    expect(scene.deskmap("type", "Ada", "--id", String(entry), unremembered).status).toBe(0);
    const script = `import { openDesktop } from "${join(import.meta.dir, "../../src/library/index.ts")}";
      await using desk = await openDesktop({ memory: false });
      console.log(await desk.app("zenity").read({ interactive: true }));`;
    const { stdout } = scene.run(join(import.meta.dir, "../../node_modules/bun/bin/bun.exe"), "-e", script);
    expect(stdout).toContain(`${entry} input`);
    expect(dump()).toBe(before);
    expect(findEntry()).toBeLessThan(1e12);
    expect(dump()).not.toBe(before);
  });
});
