import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
import { prepareChromium } from "../desktop/chromium.ts";
import { permissive, setPolicy, tryCommand } from "../desktop/policy.ts";
import { openScene, type Scene } from "../desktop/scene.ts";
import { waitFor } from "../wait.ts";

// Deskmap's own files are neither read nor written through an application, whatever path leads there.

let scene: Scene;
let editor: number;
let shown: number;
let secrets: string;
beforeAll(async () => {
  scene = await openScene();
  setPolicy(scene, { ...permissive, sensitive: "ask" });
  ({ secrets } = findPlaces(scene.sandbox.env));
  writeFileSync(secrets, "BANK_PIN=planted4711\n", { mode: 0o600 });
  symlinkSync(join(secrets, ".."), join(scene.sandbox.env.HOME ?? "", "harmless"));
  shown = (await scene.start(["mousepad", "--disable-server", secrets], "secrets.env")).pid ?? 0;
  const { pid } = await scene.start(["mousepad", "--disable-server"], "Untitled");
  editor = pid ?? 0;
  await scene.settle();
});
const closing: (() => void)[] = [];
afterAll(async () => {
  await scene.close();
  for (const close of closing) close();
});

test("a window with one of them is in no list, read, find or picture, and is not touched", () => {
  for (const args of [
    ["list"],
    ["read"],
    ["read", "--all"],
    ["find", "BANK"],
    ["screenshot", "--window", "secrets.env"],
  ]) {
    const { stdout, stderr } = scene.deskmap(...args);
    expect([args, /planted4711/.test(stdout + stderr), /secrets\.env/.test(stdout)]).toEqual([args, false, false]);
  }
  scene.run("xdotool", "search", "--onlyvisible", "--name", "secrets.env", "windowactivate", "--sync");
  for (const args of [
    ["type", "x", "--pid", String(shown)],
    ["screenshot", "--pid", String(shown)],
  ]) {
    const { status, reason } = tryCommand(scene, ...args);
    expect([args, status, reason]).toEqual([args, 3, "blind"]);
  }
  expect(tryCommand(scene, "type", "x").message).toBe("no window has the keyboard");
  const { covered } = JSON.parse(scene.deskmap("screenshot", "--scale", "0.1").stdout);
  expect(covered).toEqual([expect.objectContaining({ what: "blind" })]);
  // The editor's own word for its text, and the file on the disk.
  expect(scene.ask("text", String(shown), "text")).toEqual(["BANK_PIN=planted4711\n"]);
  expect(readFileSync(secrets, "utf8")).toBe("BANK_PIN=planted4711\n");
});

test("no path leads there, however it is written", () => {
  const folder = join(secrets, "..");
  const home = scene.sandbox.env.HOME ?? "";
  scene.run("xdotool", "search", "--onlyvisible", "--name", "Untitled", "windowactivate", "--sync");
  for (const path of [
    secrets,
    `${folder}/./secrets.env`,
    `${folder}/x/../secrets.env`,
    `file://${folder}/secrets%2Eenv`,
    folder,
    `${home}/harmless/secrets.env`,
  ]) {
    const opened = tryCommand(scene, "open", path);
    const typed = tryCommand(scene, "type", path, "--pid", String(editor));
    expect([path, opened.reason, typed.reason]).toEqual([path, "hands-off", "hands-off"]);
  }
  expect(scene.ask("text", String(editor), "text")).toEqual([""]);
});

test("a file dialog leads there neither by names of folders, step by step, nor once it is there", async () => {
  const config = join(secrets, "..");
  const type = (...words: string[]) => tryCommand(scene, "type", ...words, "--pid", String(editor));
  const enter = () => scene.run("xdotool", "key", "Return");
  const showsFolder = (name: string): boolean =>
    scene.deskmap("read", "--pid", String(editor), "--all").stdout.includes(`"${name}"`);
  scene.run("xdotool", "search", "--onlyvisible", "--name", "Untitled", "windowactivate", "--sync");
  scene.run("xdotool", "key", "ctrl+shift+s");
  await waitFor("the dialog", () => scene.deskmap("list").stdout.includes("Save As"));
  // A person goes to the folder above.
  scene.run("xdotool", "type", `${join(config, "..")}/`);
  enter();
  await waitFor("the folder", () => showsFolder("deskmap"));
  for (const name of ["./deskmap", "pin.json"]) expect([name, type(name).reason]).toEqual([name, "hands-off"]);
  expect(tryCommand(scene, "click", "deskmap", "--pid", String(editor), "--nth", "1").reason).toBe("hands-off");
  // In pieces, and finished by another hand.
  expect(type("desk").status).toBe(0);
  expect(type("map").reason).toBe("hands-off");
  scene.run("xdotool", "type", "map");
  for (const args of [
    ["type", "--key", "Return"],
    ["click", "Save"],
  ])
    expect([args, tryCommand(scene, ...args, "--pid", String(editor)).reason]).toEqual([args, "hands-off"]);
  // The person goes in: nothing is typed there.
  enter();
  await waitFor("the folder", () => showsFolder("secrets.env"));
  expect(type("harmless.txt").reason).toBe("hands-off");
  expect(tryCommand(scene, "type", "--key", "Return", "--pid", String(editor)).reason).toBe("hands-off");
  expect(existsSync(join(config, "harmless.txt"))).toBe(false);
  expect(tryCommand(scene, "type", "--key", "Escape", "--pid", String(editor)).status).toBe(0);
});

test("a file manager neither enters their folder nor carries anything in or out, and is blind once it is there", async () => {
  const config = join(secrets, "..", "..");
  mkdirSync(join(config, "plain"), { recursive: true });
  const { pid } = await scene.start(["thunar", config], "Thunar");
  await scene.settle();
  const own = ["--pid", String(pid)];
  const attempt = (...args: string[]) => [args, tryCommand(scene, ...args, ...own).reason];
  // Its icons are not told: any of them may be that folder.
  for (const args of [
    ["type", "--key", "ctrl+a"],
    ["type", "--key", "ctrl+c"],
  ])
    expect(attempt(...args)).toEqual([args, "hands-off"]);
  expect(attempt("type", "--key", "ctrl+2")).toEqual([["type", "--key", "ctrl+2"], undefined]);
  await waitFor("its list", () => scene.deskmap("read", ...own).stdout.includes('"deskmap"'));
  for (const args of [
    ["click", "deskmap", "--role", "cell"],
    ["click", "deskmap", "--role", "cell", "--double"],
    ["drag", "--from", "plain", "--from-role", "cell", "--from-nth", "1", "--to", "deskmap", "--to-role", "cell"],
    ["drag", "--from", "deskmap", "--from-role", "cell", "--to", "plain", "--to-role", "cell", "--to-nth", "1"],
  ])
    expect(attempt(...args)).toEqual([args, "hands-off"]);
  // A person selects it, and then goes in.
  scene.run("xdotool", "type", "deskmap");
  await waitFor("its selection", () =>
    /"deskmap".*selected/.test(scene.deskmap("read", "--format", "text", ...own).stdout),
  );
  scene.run("xdotool", "key", "Escape");
  for (const key of ["ctrl+c", "ctrl+x", "F2"])
    expect(attempt("type", "--key", key)).toEqual([["type", "--key", key], "hands-off"]);
  scene.run("xdotool", "key", "Return");
  await waitFor("the folder", () => scene.run("wmctrl", "-l").stdout.includes("deskmap - Thunar"));
  for (const args of [["read"], ["type", "--key", "ctrl+a"], ["screenshot"]])
    expect(attempt(...args)).toEqual([args, "blind"]);
});

test("a browser shows no byte of a document that is one of them", async () => {
  const policy = join(secrets, "..", "policy.json");
  const chromium = prepareChromium(`<title>plain page</title><a href="file://${policy}">go on</a>`);
  closing.push(() => chromium.remove());
  await scene.start(chromium.command, "plain page");
  await scene.settle();
  await waitFor("its link", () => scene.deskmap("find", "go on").status === 0);
  expect(tryCommand(scene, "click", "go on").reason).toBeUndefined();
  await waitFor("the document", () => scene.run("wmctrl", "-l").stdout.includes("policy.json - Chromium"));
  const own = ["--app", "chromium"];
  for (const args of [["read"], ["read", "--all"], ["find", "actionsPerMinute"], ["text", "--role", "web"]]) {
    const { stdout } = scene.deskmap(...args, ...own);
    expect([args, /actionsPerMinute\W+0/.test(stdout)]).toEqual([args, false]);
  }
  const { covered } = JSON.parse(scene.deskmap("screenshot", "--scale", "0.1", "--window", "policy.json").stdout);
  expect(covered).toEqual([expect.objectContaining({ what: "secret" })]);
  expect(tryCommand(scene, "type", "--key", "ctrl+a", ...own).reason).toBe("hands-off");
  // The browser's own word: it is the document.
  const pid = Number(
    scene.run("xdotool", "search", "--name", "policy.json", "getwindowpid").stdout.trim().split("\n")[0],
  );
  expect(JSON.stringify(scene.ask("walk", String(pid)))).toContain("actionsPerMinute");
});
