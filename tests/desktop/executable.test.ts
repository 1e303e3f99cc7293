import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMPILE } from "../../scripts/jobs/build.mjs";
import { toolEntries } from "../../src/tools/index.ts";
import { openEnvelope } from "../envelope.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

const main = join(import.meta.dir, "../../src/cli/main.ts");

// Built like `npm run build`, but in a separate folder: far from node_modules, and with an empty temporary directory.
describe("the one executable file", () => {
  let scene: Scene;
  const folder = mkdtempSync(join(tmpdir(), "deskmap-executable-"));
  const executable = join(folder, "deskmap");
  const temp = join(folder, "tmp");
  beforeAll(async () => {
    mkdirSync(temp);
    const built = spawnSync(process.execPath, ["build", main, ...COMPILE, "--outfile", executable], { cwd: folder });
    expect(built.status).toBe(0);
    scene = await openScene();
    await scene.start(["zenity", "--entry", "--title=Alone", "--text=Your name", "--entry-text=Ada"], "Alone");
    await scene.settle();
  });
  afterAll(async () => {
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (...args: string[]) => {
    const env = { ...scene.sandbox.env, TMPDIR: temp, PATH: "/usr/bin:/bin" };
    return spawnSync(executable, args, { env, cwd: "/", encoding: "utf8" });
  };

  test("knows every command", () => {
    const help = run("--help").stdout;
    for (const { name } of toolEntries) expect(help).toContain(`\n  ${name} `);
    for (const { name } of toolEntries) expect(run(name, "--help").stdout).toContain(`Usage: deskmap ${name} `);
  });

  test("lists, reads, finds, points and quotes as the source does", () => {
    for (const args of [
      ["list"],
      ["list", "--apps"],
      ["read", "--app", "zenity"],
      ["find", "ok"],
      ["at", "640", "400"],
      ["doctor"],
    ]) {
      const theirs = run(...args, "--format", "text");
      expect(theirs.stderr).toBe("");
      expect(openEnvelope(theirs.stdout)).toBe(openEnvelope(scene.deskmap(...args, "--format", "text").stdout));
    }
    const [field] = JSON.parse(run("find", "your name", "--role", "input").stdout).matches;
    expect(JSON.parse(run("text", "--id", String(field.i)).stdout).text).toBe("Ada");
  });

  test("takes a picture, in both formats", () => {
    const picture = JSON.parse(run("screenshot", "--app", "zenity").stdout);
    expect(Buffer.from(picture.data, "base64").subarray(1, 4).toString("latin1")).toBe("PNG");
    const photo = JSON.parse(run("screenshot", "--app", "zenity", "--format", "jpg").stdout);
    expect(Buffer.from(photo.data, "base64").subarray(0, 3).toString("hex")).toBe("ffd8ff");
  });

  test("writes the clipboard, which outlives the command, and arranges windows", () => {
    expect(JSON.parse(run("clipboard", "write", "von allein: ü").stdout).effect).toBe("confirmed");
    expect(scene.run("xclip", "-o", "-selection", "clipboard").stdout).toBe("von allein: ü");
    expect(JSON.parse(run("window", "move", "--app", "zenity", "--x", "50", "--y", "60").stdout).effect).toBe(
      "confirmed",
    );
  });

  test("acts with two Escapes armed: the process that listens for them starts", async () => {
    const config = join(scene.sandbox.env.XDG_CONFIG_HOME ?? "", "deskmap");
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "policy.json"), '{ "hotkey": true }', { mode: 0o600 });
    expect(run("type", "x", "--app", "zenity", "--format", "text").stderr).toBe("");
    rmSync(join(config, "policy.json"));
    scene.run("xdotool", "key", "Escape", "key", "Escape");
    const state = join(scene.sandbox.env.XDG_STATE_HOME ?? "", "deskmap");
    await waitFor("the stop", () => existsSync(join(state, "stopped.json")));
  });

  test("contains the inspector's page", async () => {
    const env = { ...scene.sandbox.env, TMPDIR: temp, PATH: "/usr/bin:/bin" };
    const child = spawn(executable, ["inspect", "--no-open", "--no-daemon"], { env, cwd: "/" });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const said = await new Promise<string>((resolve) => child.stdout.once("data", (data) => resolve(String(data))));
    const { origin } = new URL(JSON.parse(said).url);
    const html = await (await fetch(origin)).text();
    const [, script = ""] = /<script[^>]* src="([^"]+)"/.exec(html) ?? [];
    const [, style = ""] = /<link[^>]* href="([^"]+\.css)"/.exec(html) ?? [];
    expect(await (await fetch(new URL(script, origin))).text()).toContain("Deskmap inspector");
    expect(await (await fetch(new URL(style, origin))).text()).toContain("prefers-color-scheme");
    child.kill("SIGINT");
    await ended;
  });

  test("opens a private desktop and closes it", () => {
    const inside = run("sandbox", "--", "sh", "-c", "xdotool getdisplaygeometry");
    expect(inside.stdout.trim()).toBe("1280 800");
    expect(inside.status).toBe(0);
  });

  test("leaves nothing in the temporary directory", () => {
    expect(readdirSync(temp)).toEqual([]);
  });
});
