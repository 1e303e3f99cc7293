import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { listBlocks, listShellLines, listTableCommands, readPage, root } from "../docs/page.ts";
import { launcher, startAtTerminal } from "../guard/terminal-session.ts";
import { startInspector } from "./inspected.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

/** Lines that no test runs, and why. */
const notRun: Readonly<Record<string, string>> = {
  "npm start": "installs packages; tests/desktop/tour runs what it shows",
  "npm test": "would run this test again",
  "npm run build": "tests/desktop/executable builds and runs the executable",
};

/** Commands that wait for a person, with what the person does. */
const atTerminal: Readonly<Record<string, (terminal: ReturnType<typeof startAtTerminal>) => Promise<void>>> = {
  "deskmap approve": async (terminal) => {
    await terminal.see(/\w/);
    await terminal.leave();
  },
  "deskmap resume": sayYes,
  "deskmap allow --minutes 10 --app mousepad": sayYes,
  "deskmap recipients allow openrouter.ai": sayYes,
  "deskmap recipients allow http://127.0.0.1:11434 --apps firefox": sayYes,
};

async function sayYes(terminal: ReturnType<typeof startAtTerminal>): Promise<void> {
  await terminal.see("Type yes");
  terminal.type("yes\n");
  expect(await terminal.ended).toBe(0);
}

const readme = readPage("README.md");
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-readme-"));
  symlinkSync(launcher, join(folder, "deskmap"));
  writeFileSync(join(folder, "steps.txt"), "click file\ntype --key escape\n");
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules/deskmap"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Editor {
  readonly desk: Scene;
  readonly process: ChildProcess;
  /** The mark of its text field. */
  readonly field: string;
}

/** A desktop on which Mousepad was read once, as in the first session. */
async function openEditor(): Promise<Editor> {
  const desk = await openScene();
  const process = await desk.start(["mousepad"], "Mousepad");
  await desk.settle();
  const { elements } = JSON.parse(desk.deskmap("read").stdout);
  const field = elements.find(({ r }: { readonly r: string }) => r === "input").i;
  return { desk, process, field: String(field) };
}

async function closeEditor({ desk }: Editor): Promise<void> {
  desk.deskmap("serve", "stop");
  await desk.close();
}

/** The editor's content according to pyatspi. */
function readEditor({ desk, process }: Editor): string {
  return String(desk.ask("text", String(process.pid), "text"));
}

/** Runs the commands of a page one after the other, each as a separate shell would. */
async function runCommands({ desk, field }: Editor, commands: readonly string[]): Promise<void> {
  const env = { ...desk.sandbox.env, PATH: `${folder}:${desk.sandbox.env.PATH}` };
  const variables: Record<string, string> = { FIELD: field };
  for (const command of commands) {
    const words = command.replace(/\s+# .*$/, "");
    const person = atTerminal[words];
    if (person !== undefined) {
      await person(startAtTerminal(["bash", "-c", words], env));
    } else if (words === "deskmap inspect") {
      // Opens no browser: tests/desktop/inspector covers the page.
      const inspector = await startInspector(desk);
      expect(inspector.url).toMatch(/^http:\/\//);
      await inspector.close();
    } else {
      const line = words.replaceAll(/\b(FIELD|TOKEN)\b/g, (name) => variables[name] ?? name);
      const { status, stdout, stderr } = desk.run("env", `PATH=${env.PATH}`, "bash", "-c", inFolder(line, variables));
      // The output of --verbose is not an error.
      const complaints = stderr.replaceAll(/^ +\+.* ms .*\n/gm, "");
      expect({ command: line, status, complaints }).toEqual({ command: line, status: 0, complaints: "" });
      expect(stderr !== complaints).toBe(line.includes("--verbose"));
      variables.TOKEN = /.*"(?:token|turn)":"([^"]+)"/s.exec(stdout)?.[1] ?? variables.TOKEN ?? "";
      const assigned = /^(\w+)=\$\(/.exec(line)?.[1];
      if (assigned !== undefined) variables[assigned] = stdout.trim();
    }
  }
}

/** A variable that one line of a page sets is known to the next. */
function inFolder(line: string, variables: Readonly<Record<string, string>>): string {
  const known = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  const shown = /^(\w+)=\$\(/.test(line) ? `${line}; status=$?; echo "$${line.split("=")[0]}"; exit $status` : line;
  return `cd ${folder}; ${known.join("; ")}; ${shown}`;
}

describe("README.md", () => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await openEditor();
  });
  afterAll(() => closeEditor(editor));

  test("lists as not run only what it shows", () => {
    const shown = listShellLines(readme).map((line) => line.replace(/\s+# .*$/, ""));
    expect(Object.keys(notRun).filter((command) => !shown.includes(command))).toEqual([]);
  });

  test("its first session works as shown, and leaves nothing behind", async () => {
    const [session = ""] = listBlocks(readme, "sh").filter((block) => block.includes("sandbox"));
    expect(session.trim().split("\n")).toHaveLength(6);
    const home = join(folder, "home");
    mkdirSync(join(home, "run"), { recursive: true, mode: 0o700 });
    const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: join(home, "run"), TMPDIR: home, TERM: "dumb" };
    const terminal = startAtTerminal(["bash", "-e", "-c", `cd ${root}; ${session}`], env);
    const status = await terminal.ended;
    const shown = terminal.shown().replaceAll("\r\n", "\n");
    if (status !== 0) Bun.spawnSync([launcher, "sandbox", "stop"], { env });
    expect({ status, shown: status === 0 ? "" : shown }).toEqual({ status: 0, shown: "" });
    const [sample = ""] = listBlocks(readme, "");
    expect(sample.trim().split("\n").length).toBeGreaterThan(4);
    expect(sample.split("\n").filter((line) => !shown.split("\n").includes(line))).toEqual([]);
    expect(shown).toContain("it holds what was typed");
    expect(shown).toEndWith("stopped: demo\n");
  });

  test("every other shell line is in the list of lines that are not run", () => {
    const others = listBlocks(readme, "sh").filter((block) => !block.includes("sandbox"));
    const lines = others.flatMap((block) => block.trim().split("\n")).map((line) => line.replace(/\s+# .*$/, ""));
    expect(lines.filter((line) => notRun[line] === undefined)).toEqual([]);
  });

  test("every command in its table works", async () => {
    const commands = listTableCommands(readme);
    expect(commands.length).toBeGreaterThan(25);
    await runCommands(editor, commands);
    expect(readEditor(editor)).toContain("Hello");
  });

  test("its settings for MCP start a server", async () => {
    const { desk } = editor;
    const [settings = ""] = listBlocks(readme, "json");
    const { command, args } = JSON.parse(settings.replace("/path/to/deskmap", launcher)).mcpServers.deskmap;
    const child = desk.sandbox.spawn([command, ...args], { stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    if (child.stdin === null || child.stdout === null) throw new Error("no pipes");
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "readme", version: "1" } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    const lines = createInterface({ input: child.stdout });
    const answer = await new Promise<string>((resolve) => lines.once("line", resolve));
    expect(JSON.parse(answer).result.serverInfo.name).toBe("deskmap");
    child.stdin.end();
    await ended;
    const printed = readme.match(/`deskmap (mcp --print-config \S+)`/)?.[1] ?? "";
    const { status, stdout } = desk.deskmap(...printed.split(" "));
    expect({ status, namesItself: stdout.includes(launcher) }).toEqual({ status: 0, namesItself: true });
  });

  test("its TypeScript fills the editor", async () => {
    const { desk } = editor;
    const [program = ""] = listBlocks(readme, "ts");
    const file = join(folder, "program.ts");
    writeFileSync(file, program);
    const { status, stderr } = desk.run(join(root, "node_modules/bun/bin/bun.exe"), file);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(readEditor(editor)).toContain("Grüße");
  });
});

describe.each(["docs/agents.md", "docs/people.md", "docs/guard.md", "docs/learning.md"])("%s", (page) => {
  let editor: Editor;
  beforeAll(async () => {
    editor = await openEditor();
  });
  afterAll(() => closeEditor(editor));

  test("its shell lines work in order", async () => {
    const lines = listShellLines(readPage(page));
    expect(lines.length).toBeGreaterThan(5);
    await runCommands(editor, lines);
  });

  test.each([...listBlocks(readPage(page), "ts")])("its TypeScript works (%#)", async (program) => {
    await runUntilChange(editor, program);
  });
});

/** Runs a program that watches forever, until it has reported a change. */
async function runUntilChange({ desk }: Editor, program: string): Promise<void> {
  const file = join(folder, "watching.ts");
  writeFileSync(file, program);
  const child = desk.sandbox.spawn([join(root, "node_modules/bun/bin/bun.exe"), file], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let told = "";
  child.stdout?.on("data", (bytes: Buffer) => (told += bytes.toString("utf8")));
  await waitFor(
    () => `a change: ${told}`,
    () => told.includes("kind"),
  );
  child.kill("SIGTERM");
  await ended;
}
