import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPrograms } from "../../src/sandbox/programs.ts";
import { matrix } from "../tier.ts";
import { listRemains, noteWhatRuns, openBox, runCli, runTool, useRegistry, waitUntil } from "./outside.ts";

const SIZE = { width: 1024, height: 700 };
const registry = useRegistry();

test("an unknown session is refused with the known ones", () => {
  const run = runCli(["--session", "cde", "--", "true"]);
  expect(run.status).toBe(2);
  expect(run.stderr).toContain('USAGE  a sandbox cannot open the session "cde"');
  expect(run.stderr).toContain('nearest: "xfce", "lxqt", "mate", "cinnamon", "plasma"');
});

test("a session brings its own window manager", () => {
  const run = runCli(["--session", "xfce", "--wm", "openbox", "--", "true"]);
  expect(run.status).toBe(2);
  expect(run.stderr).toContain("a session has its own window manager");
});

test("what is missing of a session is named with the command that installs it", () => {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-path-"));
  for (const program of ["Xvfb", "dbus-daemon", "dbus-send", "xfwm4"]) {
    symlinkSync(join("/usr/bin", program), join(folder, program));
  }
  const missing = findPrograms({ PATH: folder }, false, "openbox", "/", "xfce");
  expect(missing).toMatchObject({
    ok: false,
    failure: {
      code: "UNAVAILABLE",
      message: expect.stringContaining("a sandbox with a whole xfce session needs xfce4-session, xfsettingsd"),
      suggestion:
        "sudo apt-get install -y --no-install-recommends xfce4-session xfce4-settings xfce4-panel xfdesktop4 thunar",
    },
  });
  const suggestion = "sudo apt-get install -y --no-install-recommends plasma-workspace kwin-x11 plasma-desktop";
  expect(findPrograms({ PATH: folder }, false, "openbox", "/", "plasma")).toMatchObject({ failure: { suggestion } });
  rmSync(folder, { recursive: true });
});

test("a session runs in the sandbox's own home, locks nothing, reaches no system bus, and ends when one logs out", async () => {
  const { env, pid, ended } = await openBox({ ...SIZE, session: "xfce" });
  expect(runTool(env, "wmctrl", "-m").stdout).toStartWith("Name: Xfwm4\n");
  const types = listWindowTypes(env);
  expect(types).toContain("_NET_WM_WINDOW_TYPE_DOCK");
  expect(types).toContain("_NET_WM_WINDOW_TYPE_DESKTOP");
  const remains = noteWhatRuns(pid, env);
  const manager = remains.pids.find((one) => readName(one) === "xfce4-session") ?? 0;
  expect(existsSync(`/tmp/.ICE-unix/${manager}`)).toBe(true);
  expect(remains.pids.map(readName).filter((name) => /saver|locker|keyring|agent/.test(name))).toEqual([]);
  expect(runTool(env, "dbus-send", "--system", "--print-reply", "--dest=a.b", "/", "a.b.C").stderr).toContain(
    "no-system-bus",
  );
  expect(runTool(env, "xfce4-session-logout", "--logout", "--fast").status).toBe(0);
  expect(await ended).toMatchObject({ reason: "session-ended" });
  expect([...listRemains(remains, registry.directory), ...listIceSocket(manager)]).toEqual([]);
}, 90_000);

for (const session of ["xfce", "cinnamon", "plasma"] as const) {
  matrix.test(`nothing of a ${session} session is left when its supervisor is killed`, async () => {
    const { env, pid } = await openBox({ ...SIZE, session });
    const remains = noteWhatRuns(pid, env);
    expect(remains.pids.map(readName).filter((name) => /saver|locker|keyring|agent/.test(name))).toEqual([]);
    process.kill(pid, "SIGKILL");
    await waitUntil("everything to be gone", () => {
      return [...listRemains(remains, registry.directory), ...remains.pids.flatMap(listIceSocket)].length === 0;
    });
  });
}

function listWindowTypes(env: Record<string, string>): string {
  const ids = runTool(env, "xprop", "-root", "_NET_CLIENT_LIST").stdout.match(/0x[0-9a-f]+/g) ?? [];
  return ids.map((id) => runTool(env, "xprop", "-id", id, "_NET_WM_WINDOW_TYPE").stdout).join("");
}

function listIceSocket(pid: number): string[] {
  return [`/tmp/.ICE-unix/${pid}`].filter((path) => existsSync(path));
}

function readName(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return "";
  }
}
