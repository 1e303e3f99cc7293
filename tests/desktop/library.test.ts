import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDesktop } from "../../src/library/index.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

const root = join(import.meta.dir, "../..");
const bun = join(root, "node_modules/bun/bin/bun.exe");

let scene: Scene;
let editor: ChildProcess;

beforeAll(async () => {
  scene = await openScene();
  editor = await scene.start(["mousepad"], "Mousepad");
  await scene.settle();
});

afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
});

function runExample(name: string, ...args: string[]) {
  return scene.run(bun, join(root, "examples", name), ...args);
}

/** The page's content according to pyatspi. */
function readPage(): unknown {
  return scene.ask("text", String(editor.pid), "text");
}

describe("the examples", () => {
  test("read.ts prints the windows and their controls with marks", () => {
    const { status, stdout, stderr } = runExample("read.ts");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("* Mousepad: Untitled 1 - Mousepad");
    expect(stdout).toMatch(/^ ?\d+ menu "File"$/m);
  });

  test("write-a-note.ts writes its text, is refused for a missing control, and opens a menu", () => {
    const { status, stdout, stderr } = runExample("write-a-note.ts", "Grüße, мир");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("the page holds: Grüße, мир");
    expect(stdout).toContain("refused: NOT_FOUND");
    expect(stdout).toMatch(/the menu has: .*Save As/);
    expect(String(readPage())).toContain("Grüße, мир");
  });

  test("hold.ts does several things in one turn", () => {
    const { status, stdout, stderr } = runExample("hold.ts");
    expect({ status, stderr, stdout: stdout.trim() }).toEqual({ status: 0, stderr: "", stdout: "one after the other" });
    expect(String(readPage())).toContain("one after the other");
  });

  test("watch.ts reports a window that opens, and ends when the application is closed", async () => {
    const child = spawn(bun, [join(root, "examples/watch.ts"), "zenity"], {
      env: scene.sandbox.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let told = "";
    child.stdout.on("data", (bytes: Buffer) => (told += bytes.toString("utf8")));
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const dialog = await scene.start(["zenity", "--question", "--text", "Shall it be watched?"], "Question");
    while (!told.includes("button Yes")) await new Promise((resolve) => child.stdout.once("data", resolve));
    dialog.kill();
    expect(await ended).toBe(0);
    expect(told).toMatch(/^closed$/m);
  });
});

test("a desk drags from one window to another, each named by its id or its process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-drag-"));
  const fixture = join(import.meta.dir, "../fixtures/apps/pointer-gtk3.py");
  const log = (name: string): string => join(folder, name);
  const start = (name: string) => scene.start(["/usr/bin/python3", fixture, log(name), name], name);
  await using desk = await openDesktop({ env: scene.sandbox.env });
  try {
    const left = await start("Left");
    const right = await start("Right");
    scene.run("xdotool", "search", "--name", "^Left$", "windowmove", "10", "40");
    scene.run("xdotool", "search", "--name", "^Right$", "windowmove", "650", "40");
    await scene.settle();
    const { id } = (await desk.windows()).find(({ pid }) => pid === left.pid) ?? { id: 0 };
    const source = desk.scope({ windowId: id }).control("source", "text");
    await source.dragTo(desk.scope({ pid: right.pid }).control("target", "text"), { allowUnconfirmed: true });
    await waitFor("the drop", () => existsSync(log("Right")) && readFileSync(log("Right"), "utf8").includes("drop"));
    expect(readFileSync(log("Right"), "utf8")).toContain("drop parcel");
    expect(readFileSync(log("Left"), "utf8")).not.toContain("drop");
    for (const { pid = 0 } of [left, right]) process.kill(pid);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("Node imports the built package, with types that a program is checked against", () => {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-library-"));
  try {
    const made = spawnSync("node", [join(root, "scripts/run.mjs"), "library", join(folder, "dist/library")], {
      encoding: "utf8",
    });
    expect({ status: made.status, stderr: made.stderr }).toEqual({ status: 0, stderr: "" });
    symlinkSync(join(root, "deskmap"), join(folder, "deskmap"));
    // The only dependency that the types need; npm installs it beside the package.
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(join(root, "node_modules/zod"), join(folder, "node_modules/zod"));
    writeFileSync(
      join(folder, "try.mjs"),
      `import { openDesktop } from "./dist/library/index.js";
       const desk = await openDesktop({ client: "node" });
       const [only] = await desk.app("mousepad").controls({ roles: ["input"] });
       console.log(process.versions.bun ?? "node", only.app, only.controls.length);
       const field = desk.app("mousepad").only("input");
       await field.fill("two lines,\\nand a space ");
       console.log(JSON.stringify([await field.text(), await field.value()]));
       await desk.close();`,
    );
    const run = scene.run("node", join(folder, "try.mjs"));
    const text = "two lines,\nand a space ";
    const stdout = `node Mousepad 1\n${JSON.stringify([text, text])}`;
    expect({ stdout: run.stdout.trim(), stderr: run.stderr }).toEqual({ stdout, stderr: "" });
    writeFileSync(
      join(folder, "typed.mts"),
      `import { openDesktop } from "./dist/library/types/library/index.js";
       const desk = await openDesktop();
       const value: string = await desk.app("x").input("Name").value();
       // @ts-expect-error: a mark is a number
       desk.mark(value);
       const { effect, changes } = await desk.button("OK").click();
       const opened: readonly { readonly title: string }[] = changes?.openedWindows ?? [];
       // @ts-expect-error: no effect is called so
       console.log(opened, effect === "done");`,
    );
    const options = ["--noEmit", "--strict", "--target", "esnext", "--module", "nodenext", "--types", "node"];
    const roots = ["--typeRoots", join(root, "node_modules/@types")];
    const checked = spawnSync(join(root, "node_modules/.bin/tsc"), [...options, ...roots, join(folder, "typed.mts")], {
      cwd: folder,
      encoding: "utf8",
    });
    expect({ status: checked.status, stdout: checked.stdout }).toEqual({ status: 0, stdout: "" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
