import { afterAll, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makeHome } from "../server/daemon-scene.ts";
import { waitFor } from "./scene.ts";

// A display that goes away and comes back under the same name, showing only an xterm window.

const launcher = join(import.meta.dir, "../../deskmap");
const home = makeHome();
const display = findFreeDisplay();
const env = { ...home.env, DISPLAY: display };
const started: ChildProcess[] = [];

afterAll(() => {
  deskmap("serve", "stop");
  for (const child of started) child.kill("SIGKILL");
  home.remove();
});

function findFreeDisplay(): string {
  for (let number = 150; ; number += 1) {
    if (!existsSync(`/tmp/.X11-unix/X${number}`) && !existsSync(`/tmp/.X${number}-lock`)) return `:${number}`;
  }
}

function deskmap(...args: string[]) {
  return spawnSync(launcher, args, { env, encoding: "utf8" });
}

async function startDisplay(): Promise<ChildProcess> {
  const server = spawn("Xvfb", [display, "-screen", "0", "640x480x24", "-noreset"], { stdio: "ignore" });
  started.push(server);
  await waitFor("the display", () => spawnSync("xdpyinfo", ["-display", display]).status === 0);
  return server;
}

async function end(server: ChildProcess): Promise<void> {
  const ended = once(server, "exit");
  server.kill("SIGTERM");
  await ended;
}

const findDesktop = (): { state: string } =>
  JSON.parse(deskmap("serve", "status", "--format", "json").stdout || '{"desktop":{"state":"gone"}}').desktop;

test("a daemon reports that its display is gone, and continues when it is back", async () => {
  const server = await startDisplay();
  expect(deskmap("serve", "--detach").status).toBe(0);
  const { pid } = JSON.parse(deskmap("serve", "status", "--format", "json").stdout);
  const there = deskmap("list", "--format", "json");
  expect(there.status).toBe(0);
  expect(findDesktop().state).toBe("open");
  await end(server);
  const gone = deskmap("list", "--format", "json");
  expect(gone.status).toBe(1);
  expect(JSON.parse(gone.stderr).error).toMatchObject({ code: "UNAVAILABLE" });
  expect(findDesktop().state).toBe("lost");
  await startDisplay();
  expect(deskmap("list", "--format", "json").stdout).toBe(there.stdout);
  expect(findDesktop().state).toBe("open");
  expect(JSON.parse(deskmap("serve", "status", "--format", "json").stdout).pid).toBe(pid);
  expect(readdirSync("/proc")).toContain(String(pid));
});

test.each(["watch", "read --watch", "begin"])(
  "a daemon that %p started for a missing display exits",
  async (command) => {
    const away = { ...env, DISPLAY: findFreeDisplay().replace(":", ":9") };
    const { status, stderr } = spawnSync(launcher, [...command.split(" "), "--format", "json"], {
      env: away,
      encoding: "utf8",
    });
    expect([status, JSON.parse(stderr).error.code]).toEqual([1, "UNAVAILABLE"]);
    const log = readFileSync(join(home.env.HOME ?? "", ".local/state/deskmap/daemon.log"), "utf8")
      .trim()
      .split("\n");
    const [, pid] = log.findLast((line) => line.includes(`serves ${away.DISPLAY} `))?.split(" ") ?? [];
    expect(Number(pid)).toBeGreaterThan(1);
    // Gone long before the 30 seconds that a daemon waits for its display to return.
    await waitFor("its end", () => !existsSync(`/proc/${pid}`));
  },
);
