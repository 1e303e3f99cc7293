import { expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { SandboxRecord } from "../../src/sandbox/record.ts";
import { locateXSocket, removeTraces, X_SERVER_PART } from "../../src/sandbox/traces.ts";

/** No server of this machine chooses such a number by itself. */
const display = `:${50_000 + (process.pid % 10_000)}`;
const socket = locateXSocket(display);
const lock = `/tmp/.X${display.slice(1)}-lock`;

/** The files of an ended sandbox whose X server had this pid, with a lock that names another. */
async function removeAfter(serverPid: number, lockPid: number): Promise<string[]> {
  mkdirSync("/tmp/.X11-unix", { recursive: true });
  try {
    writeFileSync(socket, "");
    writeFileSync(lock, `${String(lockPid).padStart(10)}\n`);
    const record: SandboxRecord = {
      version: 1,
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
      variables: { set: {}, unset: [] },
    };
    await removeTraces(record);
    return [socket, lock].filter((path) => existsSync(path));
  } finally {
    for (const path of [socket, lock]) rmSync(path, { force: true });
  }
}

test("the files of a display go with its server, unless a later server has the number, even with the same inode", async () => {
  const ended = 4_194_303;
  expect(await removeAfter(ended, ended)).toEqual([]);
  expect(await removeAfter(ended, process.pid)).toEqual([socket, lock]);
});
