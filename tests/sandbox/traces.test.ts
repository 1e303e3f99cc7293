import { expect, test } from "bun:test";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { locateXSocket, removeTraces, X_SERVER_PART } from "../../src/sandbox/traces.ts";

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
