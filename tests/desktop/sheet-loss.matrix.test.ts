import { expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { programs } from "../../src/os/index.ts";
import { openLinuxDrawingSurface } from "../../src/platform/linux/x11/drawing-surface/open-surface.ts";
import { unwrap } from "./controls-scene.ts";
import { openScene, waitFor } from "./scene.ts";
import { box, capture, findColour, lime, openSheetScene, waitUntilSeen } from "./sheet-scene.ts";

const mark = { x: 200, y: 160, width: 120, height: 60 };

test("a killed process leaves neither marks nor a grabbed pointer; a lock screen is never drawn over", async () => {
  const scene = await openScene({ width: 1000, height: 700 });
  const at = await openSheetScene(scene);
  try {
    at.sheet.close();
    await waitFor("no sheet", () => !scene.run("xwininfo", "-root", "-tree").stdout.includes("Deskmap surface"));
    const holder = scene.sandbox.spawn([programs.own(), fileURLToPath(new URL("./hold-surface.ts", import.meta.url))], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    if (holder.stdout === null) throw new Error("no output");
    await once(createInterface(holder.stdout), "line");
    await waitUntilSeen(at, mark);
    // Another process recognises it.
    const whole = { x: 0, y: 0, width: 1000, height: 700 };
    expect(findColour(await capture(at.platform, whole), lime)).toBeUndefined();
    expect(await at.platform.openDrawingSurface()).toMatchObject({ ok: false, failure: { code: "UNAVAILABLE" } });
    at.takeEvents();
    scene.run("xdotool", "mousemove", "240", "200", "click", "1");
    expect(at.takeEvents()).toEqual([]);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    await waitFor("no marks", () => findColour(at.look(), lime) === undefined);
    scene.run("xdotool", "click", "1");
    await waitFor("a press", () => at.takeEvents().includes("press 1 240 200"));

    const sheet = unwrap(await at.platform.openDrawingSurface());
    await sheet.draw([box("one", mark)]);
    await waitUntilSeen(at, mark);
    const lock = scene.sandbox.spawn(["i3lock", "--nofork", "--color=20262b"], { stdio: "ignore" });
    await waitFor("the lock", () => findColour(at.look(), "#20262b") !== undefined);
    await sheet.draw([box("one", { ...mark, x: 230 })]);
    await scene.settle();
    expect(findColour(at.look(), lime)).toBeUndefined();
    lock.kill();
    await once(lock, "exit");
    await waitUntilSeen(at, { ...mark, x: 230 });
    sheet.close();
  } finally {
    await at.close();
  }
});

/** Starts a display on a free number, or on the given one. */
async function startServer(number?: string): Promise<{ server: ChildProcess; number: string }> {
  const where = number === undefined ? ["-displayfd", "1"] : [`:${number}`, "-displayfd", "1"];
  const server = spawn("Xvfb", [...where, "-nolisten", "tcp", "-noreset", "-screen", "0", "640x480x24"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(createInterface(server.stdout), "line");
  return { server, number: String(line) };
}

test("a display that goes and comes back has the marks again", async () => {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-loss-"));
  let { server, number } = await startServer();
  const env = { DISPLAY: `:${number}`, XDG_RUNTIME_DIR: folder, PATH: process.env.PATH ?? "", HOME: folder };
  const sheet = unwrap(await openLinuxDrawingSurface({ env, timeoutMs: 10_000 }));
  try {
    let renewals = 0;
    sheet.onRenewed(() => {
      renewals += 1;
    });
    await sheet.draw([box("one", mark)]);
    server.kill("SIGKILL");
    await once(server, "exit");
    // Drawn meanwhile: visible when there is a display again.
    await sheet.draw([box("one", { ...mark, x: 300 })]);
    await waitFor("its socket gone", () => {
      rmSync(`/tmp/.X${number}-lock`, { force: true });
      rmSync(`/tmp/.X11-unix/X${number}`, { force: true });
      return !existsSync(`/tmp/.X11-unix/X${number}`);
    });
    ({ server } = await startServer(number));
    await waitFor("the sheet back", () => renewals > 0);
    const shot = join(folder, "root.ppm");
    const importing = spawn("import", ["-window", "root", "-depth", "8", shot], { env, stdio: "ignore" });
    await once(importing, "exit");
    const { parsePpm } = await import("../picture/pictures.ts");
    expect(findColour(parsePpm(Buffer.from(await Bun.file(shot).arrayBuffer())), lime)).toEqual({ ...mark, x: 300 });
  } finally {
    sheet.close();
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
