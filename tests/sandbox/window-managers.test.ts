import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPrograms } from "../../src/sandbox/programs.ts";
import { runCli, useRegistry } from "./outside.ts";

useRegistry();

test.each(["openbox", "xfwm4", "mutter"])("--wm %s gives a desktop with that window manager", (manager) => {
  const run = runCli(["--wm", manager, "--", "wmctrl", "-m"]);
  expect(run.status).toBe(0);
  expect(run.stdout.toLowerCase()).toStartWith(`name: ${manager}\n`);
});

test("an unsupported window manager is refused with the supported ones", () => {
  const run = runCli(["--wm", "twm", "--", "true"]);
  expect(run.status).toBe(2);
  expect(run.stderr).toContain('USAGE  a sandbox cannot use the window manager "twm"');
  expect(run.stderr).toContain('nearest: "openbox", "xfwm4", "mutter"');
});

test("a missing one is named with the command that installs it, and only that one", () => {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-path-"));
  for (const program of ["Xvfb", "openbox", "dbus-daemon", "dbus-send"]) {
    symlinkSync(join("/usr/bin", program), join(folder, program));
  }
  const missing = findPrograms({ PATH: folder }, false, "mutter");
  expect(missing).toMatchObject({
    ok: false,
    failure: { code: "UNAVAILABLE", suggestion: "sudo apt-get install -y mutter", done: "nothing was started." },
  });
  expect(findPrograms({ PATH: folder }, false, "openbox").ok).toBe(true);
  rmSync(folder, { recursive: true });
});
