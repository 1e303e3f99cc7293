import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { permissive, setPolicy, tryCommand } from "./policy.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { pick, readShown } from "./shown.ts";

let scene: Scene;
let padPid = 0;
let terminalPid = 0;

const padText = (): string => String(scene.ask("text", String(padPid), "text"));
const screenText = (): string => (scene.ask("text", String(terminalPid), "terminal") as string[])[0] ?? "";

beforeAll(async () => {
  scene = await openScene({ width: 1400, height: 1000 });
  padPid = (await scene.start(["mousepad", "--disable-server"], "Mousepad")).pid ?? 0;
  const shell = "env PS1=ready: HISTFILE= sh -i";
  const terminal = await scene.start(["xfce4-terminal", "--disable-server", "--command", shell], "Terminal");
  terminalPid = terminal.pid ?? 0;
  await waitFor("the prompt", () => screenText().includes("ready:"));
  await scene.settle();
  // The default lists of a person's own desktop.
  setPolicy(scene, permissive);
});

afterAll(() => scene.close());

async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

describe("a terminal", () => {
  test("is read, and nothing is typed into it", () => {
    expect(pick(readShown(scene, "--pid", String(terminalPid)), "term", "Terminal").v).toContain("ready:");
    for (const attempt of [
      ["type", "whoami", "--pid", String(terminalPid)],
      ["type", "--key", "Return", "--pid", String(terminalPid)],
      ["click", "File", "--pid", String(terminalPid)],
      ["open", "xterm"],
    ]) {
      expect([attempt, tryCommand(scene, ...attempt)]).toMatchObject([attempt, { status: 3, reason: "hands-off" }]);
    }
    expect(screenText().trim()).toBe("ready:");
  });

  test("with another class is still a terminal: the display knows its program", async () => {
    const xterm = await scene.start(["xterm", "-class", "Mousepad", "-name", "mousepad", "-T", "harmless"], "harmless");
    const refused = tryCommand(scene, "type", "whoami", "--window", "harmless");
    expect(refused).toMatchObject({ status: 3, reason: "hands-off" });
    expect(refused.message).toBe('"Mousepad", which is "xterm", may be read, not controlled');
    // Claiming that another process made the window does not help.
    const id = scene.run("xdotool", "search", "--name", "harmless").stdout.trim().split("\n").at(-1) ?? "";
    scene.run("xprop", "-id", id, "-f", "_NET_WM_PID", "32c", "-set", "_NET_WM_PID", String(padPid));
    expect(tryCommand(scene, "type", "whoami", "--window-id", id)).toMatchObject({ status: 3, reason: "hands-off" });
    await end(xterm);
  });

  test("within another application is one, too", () => {
    // Like an editor with a built-in terminal: the application may be controlled, its terminal may not.
    setPolicy(scene, { ...permissive, apps: { "xfce4-terminal": "normal" } });
    const mark = pick(readShown(scene, "--pid", String(terminalPid)), "term", "Terminal").i;
    for (const attempt of [
      ["type", "whoami", "--id", String(mark)],
      ["click", "--id", String(mark)],
      ["focus", "--id", String(mark)],
    ]) {
      expect([attempt, tryCommand(scene, ...attempt)]).toMatchObject([attempt, { status: 3, reason: "hands-off" }]);
    }
    expect(screenText().trim()).toBe("ready:");
    setPolicy(scene, permissive);
  });
});

describe("a password manager", () => {
  test("is invisible by default", async () => {
    const manager = await scene.start(["keepassxc"], "KeePassXC");
    expect(scene.deskmap("list").stdout).not.toMatch(/keepass/i);
    expect(scene.deskmap("read").stdout).not.toMatch(/keepass/i);
    expect(tryCommand(scene, "read", "--app", "keepassxc")).toMatchObject({ status: 3, reason: "blind" });
    expect(tryCommand(scene, "focus", "--app", "keepassxc")).toMatchObject({ status: 3, reason: "blind" });
    const listed = JSON.parse(scene.deskmap("apps").stdout) as { app: string }[];
    const account = listed.find(({ app }) => app.toLowerCase() === "keepassxc");
    expect(account).toMatchObject({ standing: "blind", why: "default", running: true, marks: 0, lookedAt: null });
    await end(manager);
  });
});

describe("while the screen is locked", () => {
  test("nothing is typed or clicked into the lock, or behind it", async () => {
    scene.run("xdotool", "search", "--onlyvisible", "--name", "Mousepad", "windowactivate", "--sync");
    const [before, pointer] = [padText(), scene.run("xdotool", "getmouselocation").stdout];
    const lock = await scene.start(["i3lock", "--nofork", "--color", "202020"], "i3lock");
    for (const attempt of [
      ["type", "password"],
      ["type", "--key", "Return"],
      ["type", "password", "--app", "mousepad"],
      ["click", "--x", "700", "--y", "500"],
      ["at", "700", "500"],
      ["scroll", "--direction", "down", "--x", "700", "--y", "500"],
    ]) {
      expect([attempt, tryCommand(scene, ...attempt)]).toMatchObject([attempt, { status: 3, reason: "blind" }]);
    }
    await end(lock);
    expect([padText(), scene.run("xdotool", "getmouselocation").stdout]).toEqual([before, pointer]);
    expect(tryCommand(scene, "type", "hello", "--app", "mousepad")).toEqual({ status: 0 });
    expect(padText()).toContain("hello");
  });
});

describe("a desktop that says that it is locked, and has no window for it", () => {
  const isOwned = (): boolean =>
    scene
      .run("dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/", listNames)
      .stdout.includes("org.gnome.ScreenSaver");
  const listNames = "org.freedesktop.DBus.ListNames";
  const shield = join(import.meta.dir, "../fixtures/apps/screen-shield.py");

  for (const manner of ["says so", "does not answer"]) {
    test(`is believed when it ${manner}`, async () => {
      const before = padText();
      const locked = scene.sandbox.spawn(["/usr/bin/python3", shield, manner.startsWith("says") ? "" : "silent"], {
        stdio: "ignore",
      });
      await waitFor("its name", isOwned);
      for (const attempt of [
        ["type", "password"],
        ["click", "--x", "700", "--y", "500"],
      ]) {
        expect([attempt, tryCommand(scene, ...attempt)]).toMatchObject([attempt, { status: 3, reason: "blind" }]);
      }
      await end(locked);
      await waitFor("no name", () => !isOwned());
      expect(padText()).toBe(before);
    });
  }
});

test("a sandbox with a policy is under it from the start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-ruled-"));
  const [policy, launcher] = [join(folder, "policy.json"), join(import.meta.dir, "../../deskmap")];
  writeFileSync(policy, `{ "readOnly": true } // nothing more`);
  const show = ["sandbox", "--policy", policy, "--", launcher, "policy", "show", "--format", "json"];
  const ruled = Bun.spawnSync([launcher, ...show]);
  if (ruled.exitCode !== 0) throw new Error(ruled.stderr.toString());
  const { settings } = JSON.parse(ruled.stdout.toString()) as { settings: object[] };
  expect(settings).toContainEqual({ setting: "readOnly", value: true, from: "policy" });
  expect(settings).toContainEqual({ setting: "actionsPerMinute", value: 10, from: "default" });
  writeFileSync(policy, `{ "readOnly": maybe }`);
  const refused = Bun.spawnSync([launcher, ...show]);
  expect(refused.exitCode).toBe(3);
  expect(refused.stderr.toString()).toContain(`${policy}:1:15: `);
  rmSync(folder, { recursive: true });
});
