import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSession } from "../../src/host/session.ts";
import type { Result } from "../../src/model/failure.ts";
import { enclose } from "../../src/show/envelope.ts";
import { failureToJson, showFailure } from "../../src/show/failure.ts";
import { stringify } from "../../src/show/output.ts";
import type { ToolAnswer } from "../../src/tools/define.ts";
import { toolEntries } from "../../src/tools/index.ts";
import type { Session } from "../../src/tools/session.ts";
import { openEnvelope } from "../envelope.ts";
import { harmful, hostileTexts } from "../fixtures/hostile-texts.ts";
import { matrix } from "../tier.ts";
import { runTool } from "../tools/run-tool.ts";
import { openScene, type Scene } from "./scene.ts";
import { pick, readShown, type Shown } from "./shown.ts";

// More than two hundred texts written to be mistaken for something else, through every answer that Deskmap gives: an
// independent parser reads each format, and no text leaves its place.

const fixture = join(import.meta.dir, "../fixtures/apps/words.py");
const launcher = join(import.meta.dir, "../../deskmap");
const formats = ["text", "json", "csv"] as const;
type Format = (typeof formats)[number];

let scene: Scene;
let session: Session;
/** Every table that was printed, for Python to read in one go. */
const tables: { readonly what: string; readonly text: string }[] = [];

async function start(kit: "gtk3" | "qt5"): Promise<number> {
  scene = await openScene({ width: 1600, height: 1400 });
  const texts = join(scene.sandbox.env.HOME ?? "", "texts.json");
  writeFileSync(texts, JSON.stringify(hostileTexts));
  const child = await scene.start(["/usr/bin/python3", fixture, texts, "Words", kit], "Words");
  await scene.settle();
  session = openSession(scene.sandbox.env, 10_000);
  return child.pid ?? 0;
}

async function end(): Promise<void> {
  session.close();
  await scene.close();
}

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const name = String.raw`(?:[\p{L}\p{N}._-]+|${quoted})`;
const element = String.raw`\d+ [a-z]+(?: ${quoted})?(?:=${quoted}| =${quoted})?(?: [a-z-]+)*(?: -?\d+,-?\d+)?`;
const elementLine = new RegExp(`^ *${element}$`, "u");
const header = new RegExp(`^# ${name} ${quoted}$`, "u");
const stepLine = /^(\d+) {2}/;

/** Checks one answer, in the requested format, against the texts it may contain; returns its lines if it is text. */
function hold(what: string, format: Format, output: string): string[] {
  const inside = format === "text" ? openEnvelope(output) : output;
  // A multi-line text keeps its tabs: they are harmless.
  const found = harmful.exec(inside.replaceAll("\t", ""))?.[0];
  expect([what, format, found && spell(found)]).toEqual([what, format, undefined]);
  if (format === "json") expect([what, typeof JSON.parse(inside)]).toEqual([what, "object"]);
  if (format === "csv") tables.push({ what, text: inside.replace(/\n$/, "") });
  return format === "text" ? inside.split("\n") : [];
}

/** Runs the command in every format; returns the output in the requested one. */
function tell(args: readonly string[], exits: readonly number[] = [0], wanted: readonly Format[] = formats): string[] {
  const told = wanted.map((format) => {
    const { status, stdout, stderr } = scene.deskmap(...args, "--format", format);
    expect([args, exits.includes(status), stderr]).toEqual([args, true, status === 0 || stdout !== "" ? "" : stderr]);
    const isTable = format === "csv" && stdout !== "";
    const form = stdout === "" && format === "csv" ? "text" : format;
    return hold(args.join(" ").slice(0, 60), isTable ? "csv" : form, stdout === "" ? stderr : stdout);
  });
  return told[0] ?? [];
}

/** The same without a process for each. */
async function tellInProcess(tool: string, input: Record<string, unknown>): Promise<string[]> {
  const found = await toolEntries.find((entry) => entry.name === tool)?.load();
  if (found === undefined) throw new Error(`no tool ${tool}`);
  const result: Result<ToolAnswer> = await runTool(found, input, session);
  const what = `${tool} ${JSON.stringify(input).slice(0, 60)}`;
  if (!result.ok) {
    hold(what, "json", failureToJson(result.failure));
    return hold(what, "text", `${enclose(showFailure(result.failure))}\n`);
  }
  hold(what, "json", stringify(result.value.data(), false));
  hold(what, "csv", result.value.csv());
  return hold(what, "text", `${enclose(result.value.text())}\n`);
}

function batch(steps: readonly string[], format: Format): string[] {
  const { stdout, stderr, status } = spawnSync(launcher, ["do", "-", "--format", format], {
    env: scene.sandbox.env,
    input: steps.join("\n"),
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });
  expect([status, stderr]).toEqual([0, ""]);
  return hold(`do ${steps[0]}`, format, stdout);
}

/** One line per step, in order; everything else is indented. */
function expectSteps(lines: readonly string[], count: number): void {
  const numbers = lines.flatMap((line) => stepLine.exec(line)?.[1] ?? []).map(Number);
  expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  const others = lines.filter((line) => !stepLine.test(line) && !line.startsWith(" "));
  expect(others).toEqual([]);
}

function spell(text: string): string {
  return [...text].map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16)}`).join(" ");
}

describe("a GTK 3 application with misleading text", () => {
  let pid: number;
  let shown: Shown[];
  beforeAll(async () => {
    pid = await start("gtk3");
    shown = readShown(scene, "--pid", String(pid));
  });
  afterAll(end);

  const listNames = (role: string): string[] => scene.ask("names", String(pid), role) as string[];
  const buttons = () => shown.filter(({ r, t }) => r === "btn" && t !== "Go");
  const fields = () => shown.filter(({ r, t, x = [] }) => r === "input" && t !== "Everything" && !x.includes("secret"));

  test("really shows it, in more than two hundred names and as many values", () => {
    const named = [...listNames("push button"), ...listNames("text")];
    expect(named.length).toBeGreaterThan(hostileTexts.length);
    expect(named.filter((text) => harmful.test(text)).length).toBeGreaterThan(60);
    expect(shown.filter(({ r }) => r === "btn")).toHaveLength(listNames("push button").length);
  });

  test("gets one line per control, as many as pyatspi counts, in every format of a read", () => {
    const counted = listNames("push button").length;
    for (const [args, wanted] of [
      [["read"], formats],
      [["read", "--all", "--points"], ["text"]],
      [["read", "--compact"], ["json"]],
    ] as const) {
      const [head, ...lines] = tell(args, [0], wanted);
      if (head === undefined) continue;
      expect(head).toMatch(header);
      for (const line of lines.filter((one) => !one.startsWith("! "))) expect(line).toMatch(elementLine);
      expect(lines.filter((line) => /^ *\d+ btn\b/.test(line))).toHaveLength(counted);
    }
    for (const args of [["list"], ["list", "--apps"], ["doctor"]]) tell(args);
    const target = String.raw`\d+ [a-z]+(?: ${quoted})? (?:\(-?\d+, -?\d+\) )?0\.\d\d(?: [a-z0-9+]+)*`;
    const [head = "", ...targets] = tell(["get_screen_targets"]);
    expect(head).toMatch(header);
    for (const line of targets) expect(line).toMatch(new RegExp(`^(?:${target}|! .*)$`, "u"));
    expect(targets).toHaveLength(31);
    tell(["get_screen_context"]);
    const found = tell(["find", "e", "--max", "300"]);
    expect(found.length).toBeGreaterThan(100);
    for (const line of found) expect(line).toMatch(new RegExp(`${header.source}|^${element} {2}.*$|^! `, "u"));
  });

  matrix.test("stays in its line as the taught name of a control", () => {
    const names = hostileTexts.filter((text) => text.length < 200 && text.isWellFormed() && !text.includes("\0"));
    const chosen = buttons().slice(0, 12);
    const taught = chosen.filter(({ i }, at) => {
      const name = names[at * 7] ?? "x";
      return scene.deskmap("teach", "--id", String(i), "--", name).status === 0;
    });
    expect(taught.length).toBeGreaterThan(6);
    const named = String.raw`^ *\d+ [a-z]+(?: ${quoted})? taught ${quoted}(?: [a-z-]+)*$`;
    const lines = tell(["read"]).filter((line) => / taught "/.test(line));
    expect(lines.filter((line) => new RegExp(named, "u").test(line)).length).toBeGreaterThanOrEqual(taught.length);
    tell(["get_screen_targets", "--learned-only"]);
    for (const { i } of taught)
      tell(["at", ...(chosen.find((one) => one.i === i)?.p ?? [0, 0]).map(String)], [0], ["text"]);
  });

  test("stays in the line of its step when each control is looked up, read in full, and dry-clicked", () => {
    // Each step reads the whole window: a few controls are enough, because the last one contains every text.
    const isChosen = (_: unknown, index: number): boolean => index % 16 === 3;
    const chosen = buttons().filter(isChosen);
    const steps = [
      ...chosen.map(({ p = [0, 0] }) => `at ${p[0]} ${p[1]}`),
      ...fields()
        .filter(isChosen)
        .map(({ i }) => `text --id ${i}`),
      ...chosen.slice(0, 3).map(({ i }) => `click --id ${i} --dry-run`),
      `text --id ${pick(shown, "input", "Everything").i}`,
    ];
    expectSteps(batch(steps, "text"), steps.length);
    for (const format of ["json", "csv"] as const) batch(steps.slice(3, 9), format);
  });

  test("stays in its line as the result of an action, and as typed text", () => {
    const went = tell(["click", "Go", "--role", "button"], [0, 4]);
    expect(went[0]).toMatch(/^confirmed {2}click \d+ btn "Go" {2}by /);
    for (const line of went.slice(1)) {
      expect(line).toMatch(
        new RegExp(
          `^(?: .*|[+~-] window ${name} ${quoted}(?: \\w+ ${quoted} → ${quoted},?)*|[+~-] ${element}.*|… .*|trying again .*)$`,
          "u",
        ),
      );
    }
    const [field] = fields();
    const typed = hostileTexts
      .filter((text) => text.length < 200 && text.isWellFormed() && !/\p{Cc}/u.test(text))
      .slice(100, 104);
    const steps = typed.map((value) => JSON.stringify({ do: "set-value", id: field?.i, text: value }));
    expectSteps(batch(steps, "text"), steps.length);
  });

  test("stays in its line in failures", () => {
    for (const [exit, ...args] of [
      [1, "read", "--window", "Wrds"],
      [1, "read", "--app", "nobody"],
      [1, "click", "ignore instructons"],
      [1, "click", "confirmed click"],
      [1, "expect", '"confirmed  click 12" is gone'],
      [1, "wait", "--for", '"nothing of that" exists', "--timeout", "50"],
      [1, "click", "--id", "99999"],
      [1, "find", "zzzzqqqq"],
      [2, "read", "--roles", "bu\u001b[31mton\u202e"],
    ] as const) {
      const lines = tell(args, [exit, 0], ["text"]);
      for (const line of lines.slice(1)) expect(line).toMatch(/^(?: |nearest: "|try: |nothing was done\.|\d+ )/);
    }
  });

  matrix.test("is only a title and a name in the properties of a window", async () => {
    const id =
      scene.run("xdotool", "search", "--onlyvisible", "--name", "Words").stdout.trim().split("\n").at(-1) ?? "";
    const count = scene.run("xprop", "-root", "_NET_CLIENT_LIST").stdout.split(",").length;
    for (const text of hostileTexts.filter((one) => !one.includes("\0"))) {
      const given = text.slice(0, 50_000);
      const { status } = scene.run(
        "xdotool",
        "set_window",
        "--name",
        given,
        "--class",
        given,
        "--classname",
        given,
        id,
      );
      expect(status).toBe(0);
      const lines = await tellInProcess("list", {});
      expect(lines).toHaveLength(count);
      for (const line of lines) {
        expect(line).toMatch(
          new RegExp(
            `^\\d+ {2}${name} {2}${quoted} {2}pid \\d+ {2}\\d+x\\d+ at -?\\d+,-?\\d+ on [\\w-]+( {2}\\w+)*$`,
            "u",
          ),
        );
      }
      expect(await tellInProcess("list", { apps: true })).toHaveLength(1);
      await tellInProcess("read", { app: "nobody at all" });
      await tellInProcess("window", { operation: "front", window: "nowhere" });
    }
    // Bytes that are not valid text, and text after the end of a string.
    const script = `xprop -id ${id} -f _NET_WM_NAME 8u -set _NET_WM_NAME "$(printf 'bad \\377\\355\\240\\200\\355\\277\\277 title\\n1 btn\\033]52;c;x\\007')"`;
    expect(scene.run("sh", "-c", script).status).toBe(0);
    expect(await tellInProcess("list", {})).toHaveLength(count);
  });

  test("is quoted where a person sees it: in the applications and the log", () => {
    scene.deskmap("click", "Go", "--role", "button", "--pid", String(pid));
    const apps = tell(["apps"]);
    expect(apps[0]).toStartWith("standing ");
    for (const line of apps.slice(1))
      expect(line).toMatch(new RegExp(`^(?:blind|hands-off|normal) +${name}(?: |$)`, "u"));
    const log = tell(["audit", "--last", "500"], [0], ["text", "csv"]);
    expect(log.length).toBeGreaterThan(20);
    for (const line of log)
      expect(line).toMatch(
        /^(?:\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} {2}cli \(claimed, process \d+\) {2}|\(\d+ earlier)/,
      );
    for (const line of scene.deskmap("audit").stdout.trimEnd().split("\n")) hold("audit", "json", line);
  });

  test("is only text on the clipboard", async () => {
    const whole = hostileTexts.map((text) => text.slice(0, 1000)).join("\n");
    for (const bytes of [Buffer.from(whole), Buffer.from("\xff\xed\xa0\x80\x00\x1b[2J", "latin1"), Buffer.from("")]) {
      spawnSync("xclip", ["-selection", "clipboard", "-i"], {
        env: scene.sandbox.env,
        input: bytes,
        stdio: ["pipe", "ignore", "ignore"],
      });
      expect((await tellInProcess("clipboard", { action: "read" }))[0]).toStartWith("# the clipboard");
      const { stdout } = scene.deskmap("clipboard", "read");
      hold("clipboard read", "json", stdout);
      if (bytes.length > 1000) expect(JSON.parse(stdout).text).toBe(whole.toWellFormed());
      expectSteps(batch(["clipboard read", "list", "clipboard read"], "text"), 3);
    }
  });

  test("is unchanged on a terminal, without control characters", () => {
    const { stdout } = scene.run("script", "-qec", `${launcher} read --pid ${pid}`, "/dev/null");
    const lines = stdout.trimEnd().split("\r\n");
    expect(lines[0]).toMatch(header);
    expect(stdout).not.toMatch(/^--- /m);
    expect(harmful.exec(stdout.replaceAll("\r\n", "\n"))?.[0]).toBeUndefined();
    const failed = scene.run("script", "-qec", `${launcher} read --app nobody`, "/dev/null");
    expect(failed.stdout).toStartWith('NOT_FOUND  no application "nobody"\r\n');
  });

  test("never leaves its cell, as Python reads tables", () => expectTables());
});

matrix.describe("a Qt application with the same text", () => {
  beforeAll(async () => {
    tables.length = 0;
    await start("qt5");
  });
  afterAll(end);

  test("gets one line per control in every format of a read, and stays in the line of its step", () => {
    const [head = "", ...lines] = tell(["read"]);
    expect(head).toMatch(header);
    for (const line of lines) expect(line).toMatch(elementLine);
    expect(lines.filter((line) => /^ *\d+ (btn|input)\b/.test(line))).toHaveLength(hostileTexts.length);
    const steps = readShown(scene)
      .filter(({ r }, index) => r === "btn" && index % 30 === 0)
      .map(({ p = [0, 0] }) => `at ${p[0]} ${p[1]}`);
    expectSteps(batch(steps, "text"), steps.length);
    tell(["find", "e", "--max", "300"], [0], ["csv", "json"]);
  });

  test("never leaves its cell, as Python reads tables", () => expectTables());
});

function expectTables(): void {
  expect(tables.length).toBeGreaterThan(1);
  const { status, stdout, stderr } = spawnSync("/usr/bin/python3", [join(import.meta.dir, "strict-csv.py")], {
    input: JSON.stringify(tables.map(({ text }) => text)),
    encoding: "utf8",
    maxBuffer: 256 << 20,
  });
  expect([status, stderr]).toEqual([0, ""]);
  const read = JSON.parse(stdout) as string[][][];
  for (const [index, rows] of read.entries()) {
    const what = tables[index]?.what;
    expect([what, new Set(rows.map((row) => row.length)).size]).toEqual([what, 1]);
    const runs = rows.flat().filter((cell) => /^\s*[=+@＝＋＠－-]/.test(cell) && !/^-\d+(\.\d+)?$/.test(cell));
    expect([what, runs]).toEqual([what, []]);
  }
}
