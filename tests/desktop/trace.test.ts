import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScene, type Scene } from "./scene.ts";

const planted = {
  title: "Quarterly-zxq1",
  typed: "hunter2-zxq2",
  password: "Tr0ub4dor-zxq3",
  clipboard: "copied-zxq4",
  value: "value-zxq5",
  name: "label-zxq6",
};
const launcher = join(import.meta.dir, "../../deskmap");

interface Event {
  readonly ph: string;
  readonly name: string;
  readonly cat: string;
  readonly pid: number;
  readonly ts: number;
  readonly dur: number;
  readonly args: { readonly detail?: string };
}

describe("a log and a trace", () => {
  let scene: Scene;
  const folder = mkdtempSync(join(tmpdir(), "deskmap-trace-"));
  beforeAll(async () => {
    scene = await openScene();
    const form = ["--forms", `--title=${planted.title}`, "--add-password=Secret", `--add-entry=${planted.name}`];
    await scene.start(["zenity", ...form], planted.title);
    await scene.settle();
  }, 60_000);
  afterAll(async () => {
    scene.deskmap("serve", "stop");
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  });

  let count = 0;
  const run = (args: readonly string[]) => {
    count += 1;
    const file = join(folder, `${count}.json`);
    const { stdout, stderr, status } = spawnSync(launcher, [...args, "--verbose", "--trace", file], {
      env: scene.sandbox.env,
      encoding: "utf8",
    });
    const written = readFileSync(file, "utf8");
    const { traceEvents }: { traceEvents: readonly Event[] } = JSON.parse(written);
    const spans = traceEvents.filter(({ ph }) => ph === "X");
    const lines = stderr.split("\n").filter((line) => /^ +\+[\d.]+ ms +[\d.]+ ms {2}/.test(line));
    return { stdout, status, spans, lines, written };
  };

  for (const [where, args] of [
    ["in this process", ["--no-daemon"]],
    ["through the daemon", []],
  ] as const) {
    test(`say what is asked of whom, and how long it took: ${where}`, () => {
      if (args.length === 0) expect(scene.deskmap("serve", "--detach").status).toBe(0);
      const { spans, lines, status } = run(["read", "--app", "zenity", ...args]);
      expect(status).toBe(0);
      const pid = spans.find(({ cat }) => cat === "tool")?.pid;
      const asked = spans.filter((span) => span.pid === pid);
      const lanes = new Set(asked.map(({ cat }) => cat));
      for (const lane of ["tool", "read", "dbus", "x11", "map"]) expect(lanes).toContain(lane);
      expect(asked.some(({ cat, args: { detail } }) => cat === "dbus" && detail?.startsWith("zenity (:"))).toBe(true);
      expect(asked.find(({ cat }) => cat === "tool")?.name).toBe("read");
      // The queries of a call fall within it.
      const [tool] = asked.filter(({ cat }) => cat === "tool");
      for (const { ts, dur } of asked) {
        expect(ts).toBeGreaterThanOrEqual(tool?.ts ?? 0);
        expect(ts + dur).toBeLessThanOrEqual((tool?.ts ?? 0) + (tool?.dur ?? 0));
      }
      expect(lines).toHaveLength(spans.length);
      expect(spans.some(({ cat, name }) => cat === "daemon" && name === "call")).toBe(args.length === 0);
    });

    test(`hold nothing that was typed, copied, shown or named: ${where}`, () => {
      const texts = [
        run(["type", planted.typed, "--on", planted.name, ...args]),
        run(["set-value", planted.value, "--on", planted.name, ...args]),
        run(["type", planted.password, "--on", "Secret", ...args]),
        run(["clipboard", "write", planted.clipboard, ...args]),
        run(["clipboard", "read", ...args]),
        run(["read", "--window", planted.title, ...args]),
        run(["find", planted.name, ...args]),
      ];
      expect(texts.map(({ status }) => status)).not.toContain(2);
      // The answers do contain text that is not secret: the application was reached.
      expect(texts.at(-1)?.stdout).toContain(planted.name);
      const guarded = texts.flatMap(({ spans }) => spans.filter(({ cat }) => cat === "guard"));
      expect(guarded.some(({ name }) => name === "take the turn")).toBe(true);
      for (const { spans, lines, written } of texts) {
        expect(lines).toHaveLength(spans.length);
        for (const secret of Object.values(planted)) expect(`${lines.join("\n")}${written}`).not.toContain(secret);
      }
    });
  }

  test("DESKMAP_LOG=debug is --verbose for every command, and uses the daemon that runs", () => {
    const env = { ...scene.sandbox.env, DESKMAP_LOG: "debug" };
    const { stderr, stdout } = spawnSync(launcher, ["list"], { env, encoding: "utf8" });
    expect(stderr).toMatch(/ms {2}daemon {2}call {2}list\n/);
    expect(stderr).toMatch(/ms {2}tool {4}list\n/);
    expect(JSON.stringify(JSON.parse(stdout))).toContain(planted.title);
  });
});
