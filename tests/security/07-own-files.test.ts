import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
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
afterAll(() => scene.close());

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
