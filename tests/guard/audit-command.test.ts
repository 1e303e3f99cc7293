import { afterEach, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openEnvelope } from "../envelope.ts";
import { type LogFolder, lookAt, makeLogFolder } from "./audit-folder.ts";

const launcher = join(import.meta.dir, "../../deskmap");
const folders: LogFolder[] = [];

function open(): LogFolder {
  const folder = makeLogFolder();
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});

describe("deskmap audit", () => {
  function run(folder: LogFolder, ...args: string[]) {
    const { DISPLAY: _display, ...outside } = process.env;
    return spawnSync(launcher, ["audit", ...args], { env: { ...outside, ...folder.env, TZ: "UTC" }, encoding: "utf8" });
  }

  function openDay(): LogFolder {
    const folder = open();
    const target = { app: "mousepad", window: "notes.txt", mark: 12, role: "button", name: "Sa\u202eve\u0007" };
    folder.write(
      lookAt("firefox"),
      { what: "begin", client: "cli", tool: "click", apps: ["mousepad"], target, way: "invoke press" },
      { what: "end", client: "cli", tool: "click", begin: 2, way: "action", effect: "confirmed", approval: "terminal" },
      { what: "begin", client: "My Agent", tool: "type", target, typed: { length: 7, hash: "0123456789abcdef" } },
      { what: "refused", client: "My Agent", tool: "click", effect: "rate", words: "10 actions were done" },
    );
    return folder;
  }

  test("shows an action in one line, with everything known about it, and no control characters of an application", () => {
    const { stdout, status } = run(openDay(), "--format", "text");
    expect(status).toBe(0);
    const lines = openEnvelope(stdout).split("\n");
    expect(lines.map((line) => line.slice(21))).toEqual([
      "test (claimed)  look read  firefox  by tree",
      'cli (claimed)  click  mousepad "notes.txt" button "Save" (12)  by action  → confirmed  allowed by terminal',
      '"My Agent" (claimed)  type  mousepad "notes.txt" button "Save" (12)  7 characters (0123456789abcdef)  → unfinished',
      '"My Agent" (claimed)  refused click  → rate  10 actions were done',
    ]);
    expect(lines[0]).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} {2}/);
  });

  test("gives JSON lines when piped, in which nothing hides", () => {
    const { stdout } = run(openDay());
    const all = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(all.map(({ what }) => what)).toEqual(["look", "action", "action", "refused"]);
    expect(all[1]).toMatchObject({ tool: "click", effect: "confirmed", approval: "terminal", target: { mark: 12 } });
    for (const hidden of ["\u202e", "\u0007"]) expect(stdout).not.toContain(hidden);
    expect(all[1].target.name).toBe("Sa\u202eve\u0007");
  });

  test("gives a table as CSV", () => {
    const rows = run(openDay(), "--format", "csv").stdout.trimEnd().split("\n");
    expect(rows).toHaveLength(5);
    expect(rows[0]).toStartWith("n,at,ended,what,client,tool,apps");
    expect(rows[2]).toContain(",action,cli,click,mousepad,notes.txt,12,button,Save,action,confirmed,terminal,,,");
  });

  test("shows what was requested", () => {
    const folder = openDay();
    const count = (...args: string[]) =>
      run(folder, ...args)
        .stdout.trim()
        .split("\n")
        .filter(Boolean).length;
    expect(count("--app", "MOUSEPAD")).toBe(2);
    expect(count("--client", "my agent")).toBe(2);
    expect(count("--tool", "click")).toBe(2);
    expect(count("--what", "action")).toBe(2);
    expect(count("--last", "1")).toBe(1);
    expect(count("--since", "1h")).toBe(4);
    expect(count("--until", "1h")).toBe(0);
    expect(count("--since", "2020-01-31", "--until", "2020-02-01T12:00Z")).toBe(0);
    expect(JSON.parse(run(folder, "--last", "1").stdout).what).toBe("refused");
  });

  test("reports arguments that it does not understand", () => {
    const folder = openDay();
    for (const args of [["--since", "yesterday"], ["--last", "0"], ["--what", "x"], ["--format", "x"], ["x"]]) {
      const { status, stderr } = run(folder, ...args);
      expect([args, status, stderr.includes(args.at(-1) ?? "")]).toEqual([args, 2, true]);
    }
  });

  test("verify: exit codes 0 and 1, as text and as JSON", () => {
    const folder = openDay();
    expect(run(folder, "verify", "--format", "text")).toMatchObject({
      status: 0,
      stdout: "5 lines: every one is as it was written, and none is missing.\n",
    });
    folder.writeLines(folder.readLines().toSpliced(1, 1));
    const broken = run(folder, "verify", "--format", "text");
    expect(broken.status).toBe(1);
    expect(broken.stdout).toContain("audit.jsonl:2: line 2 is missing before line 3");
    expect(JSON.parse(run(folder, "verify").stdout)).toMatchObject({ isWhole: false, findingCount: 1 });
  });

  test("works without a log, and while everything is stopped", () => {
    const folder = open();
    expect(run(folder)).toMatchObject({ status: 0, stdout: "\n" });
    folder.write(lookAt("x"));
    writeFileSync(folder.places.stopped, "{}");
    expect(run(folder, "verify").status).toBe(0);
    expect(run(folder).stdout).toContain('"look"');
  });
});
