import { expect, test } from "bun:test";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { sockets } from "../../src/os/index.ts";
import { isListening, locateXSocket, removeTraces, X_SERVER_PART } from "../../src/sandbox/traces.ts";
import { openBox, useRegistry } from "./outside.ts";

useRegistry();

/** No server of this machine chooses such a number by itself. */
const display = `:${50_000 + (process.pid % 10_000)}`;
/** No process has this pid: it is the greatest. */
const serverPid = 4_194_303;
const socket = locateXSocket(display);
const lock = `/tmp/.X${display.slice(1)}-lock`;

/** Which files are left of an ended sandbox whose X server had this number. */
async function removeFiles(): Promise<string[]> {
  mkdirSync("/tmp/.X11-unix", { recursive: true });
  try {
    writeFileSync(socket, "");
    writeFileSync(lock, `${String(serverPid).padStart(10)}\n`);
    await removeTraces({
      version: 2,
      name: "ended",
      state: "ready",
      openedAt: "",
      width: 640,
      height: 480,
      app: [],
      root: "",
      supervisor: { pid: serverPid, startTicks: 0 },
      pidOrigin: "",
      parts: [{ part: X_SERVER_PART, pid: serverPid, startTicks: 0 }],
      display,
      xSocketInode: statSync(socket).ino,
      boundary: { kind: "trusted" },
      variables: { set: {}, unset: [] },
    });
    return [socket, lock].filter((path) => existsSync(path));
  } finally {
    for (const path of [socket, lock]) rmSync(path, { force: true });
  }
}

test("the files of a display go with its server, unless a later server has the number, even with the same inode", async () => {
  expect(await removeFiles()).toEqual([]);
  // As a server started with -displayfd does before it creates its socket.
  const later = createServer();
  later.listen({ path: `\0${socket}` });
  await once(later, "listening");
  try {
    expect(await removeFiles()).toEqual([socket, lock]);
  } finally {
    later.close();
  }
  expect(await removeFiles()).toEqual([]);
});

// A server that ends lets its abstract name go before it removes the file of its socket.
test("the number of a display is kept by the supervisor, not by the server, so that no later server loses its socket", async () => {
  const sandbox = await openBox({ width: 640, height: 480 });
  const its = locateXSocket(sandbox.env.DISPLAY ?? "");
  expect(await isListening(its)).toBe(true);
  expect(await isListening(`\0${its}`)).toBe(false);
  expect(sockets.reserveName(its)).toBeUndefined();
  await sandbox.close();
  const reservation = sockets.reserveName(its);
  expect(reservation).toBeDefined();
  reservation?.release();
});
