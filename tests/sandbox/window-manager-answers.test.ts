import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { makeCookie } from "../../src/sandbox/authority.ts";
import { locateXSocket } from "../../src/sandbox/traces.ts";
import { waitForWindowManager } from "../../src/sandbox/window-manager.ts";
import { waitUntil } from "./outside.ts";

let server: ChildProcess;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "640x480x24", "-noreset", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [number] = server.stdout === null ? [] : await once(server.stdout, "data");
  env = { ...process.env, DISPLAY: `:${String(number).trim()}` };
});
afterAll(async () => {
  server.kill();
  await once(server, "exit");
});

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
