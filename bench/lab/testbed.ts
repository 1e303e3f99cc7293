import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Window } from "../../src/model/window.ts";
import { openPlatform } from "../../src/platform/pick.ts";
import type { Platform } from "../../src/platform/port.ts";
import { openSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { type App, runInApp } from "./apps.ts";
import { waitUntilQuiet } from "./settle.ts";

const longestStartMs = 60_000;

/** A private desktop with a fresh instance of the application, which no client has queried over accessibility. */
export interface Testbed {
  readonly env: Record<string, string>;
  readonly subject: Window;
  /** Another application, for the contestants to warm up on. */
  readonly runIn: Window;
  waitUntilQuiet(): Promise<void>;
  close(): Promise<void>;
}

export async function openTestbed(app: App): Promise<Testbed> {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-bench-"));
  const sandbox = await openSandbox({ width: 1280, height: 800, boundary: "off" });
  const close = async (): Promise<void> => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    stopCaret(sandbox.env.XDG_CONFIG_HOME ?? folder);
    // Only the list of windows is used here, which comes from the X server, not from accessibility.
    const opened = await openPlatform({ env: sandbox.env, timeoutMs: 10_000 });
    if (!opened.ok) throw new Error(opened.failure.message);
    const platform = opened.value;
    try {
      const runIn = await startApp(sandbox, platform, runInApp, folder);
      const subject = await startApp(sandbox, platform, app, folder);
      await waitUntilQuiet(runIn.pid);
      await waitUntilQuiet(subject.pid);
      return { env: sandbox.env, subject, runIn, waitUntilQuiet: () => waitUntilQuiet(subject.pid), close };
    } finally {
      platform.close();
    }
  } catch (error) {
    await close();
    throw error;
  }
}

/** A blinking caret takes gnome-calculator half a processor for its first ten seconds (GTK 4 without a graphics card). */
function stopCaret(configFolder: string): void {
  const folder = join(configFolder, "gtk-4.0");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "settings.ini"), "[Settings]\ngtk-cursor-blink=false\n");
}

async function startApp(sandbox: Sandbox, platform: Platform, app: App, folder: string): Promise<Window> {
  sandbox.spawn(app.prepare(folder), { stdio: "ignore" }).unref();
  const deadline = performance.now() + longestStartMs;
  while (performance.now() < deadline) {
    const list = await platform.listWindows();
    if (!list.ok) throw new Error(list.failure.message);
    const window = list.value.windows.find(({ title, pid }) => app.title.test(title) && pid !== 0);
    if (window !== undefined) return window;
    await pause(50);
  }
  throw new Error(`${app.name} showed no window within ${longestStartMs / 1000} s`);
}
