import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareChromium } from "./chromium.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

interface Check {
  readonly subject: string;
  readonly health: string;
  readonly text: string;
  readonly mend?: string;
}

const setEnabled = ["call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus", "--method"];

describe("doctor", () => {
  let scene: Scene;
  const firefox = prepareFirefox("<!doctype html><title>Patient</title><button>Press</button>");
  const asleep = prepareChromium("<!doctype html><title>Asleep</title><button>Press</button>");
  const folder = mkdtempSync(join(tmpdir(), "deskmap-doctor-"));
  beforeAll(async () => {
    scene = await openScene();
    // A typical session: accessibility is not enabled.
    scene.run("gdbus", ...setEnabled, "org.freedesktop.DBus.Properties.Set", "org.a11y.Status", "IsEnabled", "<false>");
    await scene.start(["env", "-u", "GNOME_ACCESSIBILITY", ...asleep.plainCommand], "Asleep");
    // Started last, and so in front: in the background it exposes its tree only when its window is next used.
    await scene.start(["env", "-u", "GNOME_ACCESSIBILITY", ...firefox.command], "Patient");
    await scene.settle();
  });
  afterAll(async () => {
    await scene.close();
    firefox.remove();
    asleep.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The process of that name in this private desktop only. */
  const findInside = (name: string): number => {
    const pids = scene.run("pgrep", "-f", name).stdout.trim().split("\n").map(Number);
    const own = pids.find((pid) => readFileSync(`/proc/${pid}/environ`, "utf8").includes(`=${scene.sandbox.name}\0`));
    if (own === undefined) throw new Error(`no ${name} runs inside`);
    return own;
  };
  const examine = (...args: string[]) => {
    const { stdout, status } = scene.deskmap("doctor", "--format", "json", ...args);
    const { checks, works } = JSON.parse(stdout) as { checks: Check[]; works: boolean };
    const find = (subject: string) => checks.find((check) => check.subject.toLowerCase().startsWith(subject));
    return { find, works, status };
  };

  test("names the window manager that X itself names, and the size of the screen", () => {
    const { find, works, status } = examine();
    const [, id = ""] = /# (0x[0-9a-f]+)/.exec(scene.run("xprop", "-root", "_NET_SUPPORTING_WM_CHECK").stdout) ?? [];
    const manager = /= "(.*)"/.exec(scene.run("xprop", "-id", id, "_NET_WM_NAME").stdout)?.[1];
    expect(find("window manager")).toEqual({ subject: "window manager", health: "ok", text: manager ?? "?" });
    expect(find("display")?.text).toContain("1280x800");
    expect(find("registry")?.health).toBe("ok");
    expect({ works, status }).toEqual({ works: true, status: 0 });
  });

  test("says that Firefox exposes no tree and how to enable it, enables it while it runs, and then reads it", async () => {
    const before = examine();
    expect(before.find("accessibility")).toMatchObject({ health: "ok", subject: "accessibility bus" });
    expect(before.find("firefox")).toMatchObject({ health: "off", mend: "deskmap doctor --fix" });
    expect(scene.deskmap("read", "--app", "firefox", "--format", "text").stdout).toContain("NO_TREE");
    examine("--fix");
    const asked = scene.run(
      "gdbus",
      ...setEnabled,
      "org.freedesktop.DBus.Properties.Get",
      "org.a11y.Status",
      "IsEnabled",
    );
    expect(asked.stdout).toContain("true");
    await waitFor("Firefox shows its tree", () => examine().find("firefox")?.health === "ok");
    expect(scene.deskmap("read", "--app", "firefox", "--format", "text").stdout).toContain('btn "Press"');
  });

  test("says that a Chromium started before accessibility was enabled exposes no page, and names the flag", async () => {
    expect(examine().find("chromium")).toMatchObject({
      health: "off",
      mend: "close it, then: chromium --force-renderer-accessibility",
    });
    const chromium = prepareChromium("<!doctype html><title>Awake</title><button>Press</button>");
    try {
      const child = await scene.start(chromium.command, "Awake");
      await waitFor("the one with the flag shows its page", () => {
        return examine().find(`chromium (${child.pid})`)?.health === "ok";
      });
    } finally {
      chromium.remove();
    }
  });

  test("says that a hanging application does not answer", async () => {
    const child = await scene.start(["zenity", "--info", "--title=Hung", "--text=x"], "Hung");
    process.kill(child.pid ?? 0, "SIGSTOP");
    try {
      const hung = examine("--timeout-ms", "400").find("zenity");
      expect(hung).toMatchObject({ health: "off" });
      expect(hung?.text).toContain("does not answer");
    } finally {
      process.kill(child.pid ?? 0, "SIGKILL");
    }
  });

  test("says that a window without a toolkit has no tree", async () => {
    const child = await scene.start(["xmessage", "-title", "Bare", "hello"], "Bare");
    expect(examine().find("xmessage")).toMatchObject({ health: "off" });
    child.kill();
  });

  test("says that the registry hangs, and exits with 1", () => {
    const registry = findInside("at-spi2-registryd");
    process.kill(registry, "SIGSTOP");
    try {
      const { find, status } = examine("--timeout-ms", "500");
      expect(find("registry")).toMatchObject({ health: "broken" });
      expect(status).toBe(1);
    } finally {
      process.kill(registry, "SIGCONT");
    }
  });

  test("says what is missing without a display and a bus, and exits with 1", () => {
    const bare = ["-u", "DISPLAY", "-u", "DBUS_SESSION_BUS_ADDRESS", "-u", "XDG_RUNTIME_DIR"];
    const launcher = join(import.meta.dir, "../../deskmap");
    const { stdout, status } = scene.run("env", ...bare, launcher, "doctor", "--format", "text");
    expect(status).toBe(1);
    expect(stdout).toContain("broken  display: no X display answers: DISPLAY is not set");
    expect(stdout).toContain("mend: deskmap sandbox -- mousepad");
    expect(stdout).toContain("broken  session bus: DBUS_SESSION_BUS_ADDRESS is not set");
  });

  test("says that the map is damaged, and how to continue without losing it", () => {
    const data = join(folder, "deskmap");
    scene.run("mkdir", "-p", data);
    writeFileSync(join(data, "map.db"), "this is no database, but somebody's notes\n".repeat(50));
    const { stdout, status } = scene.run(
      "env",
      `XDG_DATA_HOME=${folder}`,
      join(import.meta.dir, "../../deskmap"),
      "doctor",
      "--format",
      "text",
    );
    expect(status).toBe(1);
    expect(stdout).toContain("broken  map: the map is damaged");
    expect(stdout).toContain("mend: deskmap map rescue");
  });
});
