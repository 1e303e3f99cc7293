import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { basename, join } from "node:path";
import { codeOf } from "../model/caught.ts";
import { folders, sockets } from "../os/index.ts";
import type { SandboxRecord } from "./record.ts";

export const ROOT_PREFIX = "deskmap-box-";

/** Its pid is in the lock file of the X server. */
export const X_SERVER_PART = "x-server";

/** In the root: the pid of the process that requested the stop. */
export const REQUESTER_FILE = "stop-requester";

/** Where every X server creates its socket; compiled into servers and clients. */
export function locateXSocket(display: string): string {
  return `/tmp/.X11-unix/X${display.slice(1)}`;
}

export function readInode(path: string): number {
  try {
    return lstatSync(path).ino;
  } catch {
    return 0;
  }
}

/** Removes all files of a sandbox whose processes are gone, except its record. */
export async function removeTraces(record: SandboxRecord): Promise<void> {
  if (record.display !== "") removeXFiles(record);
  for (const { pid } of record.parts) await removeIceSocket(pid);
  if (basename(record.root).startsWith(ROOT_PREFIX)) removeRoot(record.root);
}

/** Whether a socket accepts connections, for cases where pids cannot be compared. */
export function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/**
 * A server removes its own files unless it was killed. A later server may use the number, and even the inode. Who uses it
 * holds the abstract name of the socket, so holding that keeps the number free while the files are removed.
 */
function removeXFiles(record: SandboxRecord): void {
  const socketPath = locateXSocket(record.display);
  const hold = sockets.reserveName(socketPath);
  if (hold === undefined) return;
  if (readInode(socketPath) === record.xSocketInode) rmSync(socketPath, { force: true });
  const lockPath = `/tmp/.X${record.display.slice(1)}-lock`;
  const serverPid = record.parts.find(({ part }) => part === X_SERVER_PART)?.pid;
  if (readLockPid(lockPath) === serverPid) rmSync(lockPath, { force: true });
  hold.release();
}

/** Those that manage a session: each leaves its socket (libICE), at a fixed place and named by its process. */
export function hasIceSocket(pid: number): boolean {
  return readInode(locateIceSocket(pid)) !== 0;
}

function locateIceSocket(pid: number): string {
  return `/tmp/.ICE-unix/${pid}`;
}

async function removeIceSocket(pid: number): Promise<void> {
  const socketPath = locateIceSocket(pid);
  if (readInode(socketPath) !== 0 && !(await isListening(socketPath))) rmSync(socketPath, { force: true });
}

function readLockPid(lockPath: string): number {
  try {
    return Number(readFileSync(lockPath, "latin1").trim());
  } catch {
    return -1;
  }
}

function removeRoot(root: string): void {
  unmountBelow(root);
  try {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    if (codeOf(error) !== "EACCES") throw error;
    // An application may have created a folder that even its owner cannot write to.
    openFolders(root);
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

function openFolders(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
  }
}

/** Portals and gvfs mount FUSE file systems in the runtime directory; when killed they leave them mounted. */
function unmountBelow(root: string): void {
  for (const mountPoint of folders.listMountPoints().filter((path) => path.startsWith(`${root}/`))) {
    const commands: [string, ...string[]][] = [
      ["fusermount3", "-uz"],
      ["fusermount", "-uz"],
      ["umount", "-l"],
    ];
    commands.some(([command, option = ""]) => spawnSync(command, [option, mountPoint]).status === 0);
  }
}
