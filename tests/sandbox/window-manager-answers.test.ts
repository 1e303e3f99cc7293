import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { makeCookie } from "../../src/sandbox/authority.ts";
import { locateXSocket } from "../../src/sandbox/traces.ts";
import { waitForWindowManager } from "../../src/sandbox/window-manager.ts";
import { type ForeignDisplay, openForeignDisplay } from "./foreign-display.ts";
import { waitUntil } from "./outside.ts";

let other: ForeignDisplay;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  other = await openForeignDisplay();
  env = { ...process.env, DISPLAY: other.display };
});
afterAll(() => other.close());

test("a window manager that has announced itself but does not answer yet is waited for", async () => {
  const run = (program: string, ...args: string[]) => spawnSync(program, args, { env, encoding: "utf8" });
  const announce = ["-root", "-f", "_NET_SUPPORTING_WM_CHECK", "32x", "-set", "_NET_SUPPORTING_WM_CHECK", "1"];
  expect(run("xprop", ...announce).status).toBe(0);
  let isReady = false;
  const limit = AbortSignal.timeout(20_000);
  const ready = waitForWindowManager(locateXSocket(env.DISPLAY ?? ""), makeCookie(), limit).then(() => {
    isReady = true;
  });
  // The probe window exists, so the announcement was seen.
  await waitUntil("the question", () => run("xwininfo", "-root", "-tree").stdout.includes("1x1+0+0"));
  expect(isReady).toBe(false);
  const manager = spawn("openbox", ["--sm-disable"], { env, stdio: "ignore" });
  try {
    await ready;

    spawn("xmessage", ["-title", "Ask", "hello"], { env, stdio: "ignore" });
    await waitUntil("a window", () => run("xdotool", "search", "--onlyvisible", "--name", "Ask").stdout !== "");
  } finally {
    manager.kill();

    await once(manager, "exit");
  }
});
