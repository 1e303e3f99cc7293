import { closeSync, constants, existsSync, fstatSync, openSync, type Stats, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Env } from "../model/env.ts";
import type * as CLibrary from "./c-library.ts";
import { LinuxProcesses, readStat, readText } from "./linux-processes.ts";
import type {
  Folders,
  Locks,
  Memory,
  OperatingSystem,
  Peer,
  ProcessKey,
  Programs,
  Sockets,
  TerminalDevice,
  Terminals,
  User,
} from "./port.ts";

// <sys/file.h>
const exclusiveAtOnce = 2 | 4;
// <sys/socket.h>
const socketLevel = 1;
const peerCredentials = 17;
const credentialBytes = 12;
const unixFamily = 1;
const streamClosedOnExec = 1 | 0o2000000;
// <termios.h>, <poll.h>
const atOnce = 0;
const afterFlush = 2;
const hasInput = 1;
/** Of c_lflag, the fourth of the 32-bit fields. */
const echo = 0o10;
const localModes = 3;
/** More than struct termios has. */
const settingsBytes = 256;
// <sys/ipc.h>
const privateKey = 0;
const ownerOnly = 0o600;
const create = 0o1000;
const remove = 0;

/** Of readStat: when the process started. */
const startField = 19;

function c(): typeof CLibrary {
  return require("./c-library.ts");
}

const runningProgram = "/proc/self/exe";

/** Bun would otherwise read .env and bunfig.toml of the working folder. */
const plainly = ["--no-env-file", "--config=/dev/null"];

const programs: Programs = {
  running: runningProgram,
  own: () => (Bun.file(process.execPath).size > 0 ? process.execPath : runningProgram),
  // Bun's path prefix inside a compiled executable; a process cannot be started from there.
  isCompiled: new URL(import.meta.url).pathname.startsWith("/$bunfs/"),
  commandFor: (source, words, command) => {
    if (programs.isCompiled) return [programs.own(), ...command];
    const path = fileURLToPath(source);
    // A bundle starts in half the time of the source.
    const isSource = !Bun.main.endsWith(".js") && existsSync(path);
    return [programs.own(), ...plainly, ...(isSource ? [path, ...words] : [Bun.main, ...command])];
  },
  commandOfSelf: (...words) => programs.commandFor(new URL("../cli/main.ts", import.meta.url), words, words),
};

const kernelSettings = ["acpi", "bus", "fs", "irq", "scsi", "sys", "sysrq-trigger"];

/** XDG base directory specification: relative paths must be ignored. */
const folders: Folders = {
  home: (env) => env.HOME || homedir(),
  config: (env) => findFolder(env, "XDG_CONFIG_HOME", ".config"),
  data: (env) => findFolder(env, "XDG_DATA_HOME", ".local/share"),
  state: (env) => findFolder(env, "XDG_STATE_HOME", ".local/state"),
  cache: (env) => findFolder(env, "XDG_CACHE_HOME", ".cache"),
  runtime: ({ XDG_RUNTIME_DIR: path }) =>
    path !== undefined && isAbsolute(path) && existsSync(path) ? path : undefined,
  account: () => {
    try {
      return userInfo().homedir;
    } catch {
      return undefined;
    }
  },
  kernel: () => ({
    place: "/proc",
    settings: kernelSettings.map((name) => join("/proc", name)).filter((path) => existsSync(path)),
  }),
  temporary: tmpdir,
  working: () => {
    try {
      return process.cwd();
    } catch {
      return "/";
    }
  },
  listMountPoints: () => (readText("/proc/self/mounts") ?? "").split("\n").flatMap((line) => line.split(" ")[1] ?? []),
};

function findFolder(env: Env, variable: string, otherwise: string): string {
  const given = env[variable];
  return given !== undefined && isAbsolute(given) ? given : join(folders.home(env), otherwise);
}

const user: User = {
  id: () => process.getuid?.(),
  owns: ({ uid }) => uid === process.getuid?.(),
};

const locks: Locks = {
  take: (descriptor) => c().locking().flock(descriptor, exclusiveAtOnce) === 0,
  listHolders: (path) => {
    const inode = statSync(path, { throwIfNoEntry: false })?.ino;
    const lines = (readText("/proc/locks") ?? "").split("\n");
    // An arrow marks a process that waits for the lock.
    const held = lines.filter((line) => line.includes(`:${inode} `) && !line.includes("->"));
    const pids = held.map((line) => Number(line.trim().split(/\s+/)[4]));
    return [...new Set(pids)].filter((pid) => pid > 0 && pid !== process.pid).sort((one, other) => one - other);
  },
};

/** How the kernel lists ::1. */
const ipv6Loopback = /^0{31}1 /m;

const sockets: Sockets = {
  findPeer: (descriptor): Peer | undefined => {
    const { sockets: functions, ptr } = c();
    const [credentials, length] = [new Int32Array(credentialBytes / 4), new Uint32Array([credentialBytes])];
    const status = functions().getsockopt(descriptor, socketLevel, peerCredentials, ptr(credentials), ptr(length));
    const [pid, uid] = credentials;
    if (status !== 0 || length[0] !== credentialBytes || pid === undefined || uid === undefined) return undefined;
    const startTicks = Number(readStat(pid)?.[startField]);
    // User ids are unsigned.
    return { pid, uid: uid >>> 0, startTicks: Number.isFinite(startTicks) ? startTicks : 0 };
  },
  reserveName: (name) => {
    const { names, ptr } = c();
    // struct sockaddr_un: the family, then a name that begins with a zero byte.
    const address = Buffer.concat([Buffer.from([unixFamily, 0, 0]), Buffer.from(name)]);
    const descriptor = names().socket(unixFamily, streamClosedOnExec, 0);
    if (descriptor < 0) return undefined;
    if (names().bind(descriptor, ptr(address), address.length) === 0) return { release: () => closeSync(descriptor) };
    closeSync(descriptor);
    return undefined;
  },
  // From the kernel's table: listing the interfaces would open a socket.
  hasIpv6Loopback: () => {
    const table = readText("/proc/net/if_inet6");
    return table === undefined ? !existsSync("/proc/net") : ipv6Loopback.test(table);
  },
};

class LinuxTerminal implements TerminalDevice {
  constructor(
    readonly descriptor: number,
    readonly isForeground: () => boolean,
  ) {}

  discardInput(): void {
    if (!this.changeSettings(afterFlush)) throw new Error("unread input of the terminal cannot be discarded");
  }

  hasInput(): boolean {
    const { ptr, terminals: functions } = c();
    const request = new DataView(new ArrayBuffer(8));
    request.setInt32(0, this.descriptor, true);
    request.setInt16(4, hasInput, true);
    return functions().poll(ptr(request), 1, 0) > 0;
  }

  setEcho(isOn: boolean): void {
    const isDone = this.changeSettings(atOnce, (settings) => {
      const modes = settings[localModes] ?? 0;
      settings[localModes] = isOn ? modes | echo : modes & ~echo;
    });
    if (!isDone && !isOn) throw new Error("the terminal cannot hide what is typed");
  }

  private changeSettings(when: number, change: (settings: Uint32Array) => void = () => undefined): boolean {
    const { ptr, terminals: functions } = c();
    const settings = new Uint32Array(settingsBytes / 4);
    const { tcgetattr, tcsetattr } = functions();
    if (tcgetattr(this.descriptor, ptr(settings)) !== 0) return false;
    change(settings);
    return tcsetattr(this.descriptor, when, ptr(settings)) === 0;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

const terminals: Terminals = {
  openOwn: () => openTerminal("/dev/tty", isOwnForeground),
  openOf: (key) => {
    if (findForegroundTerminal(key) === undefined) return undefined;
    // By the descriptor's own link: a path such as /dev/pts/1 may be another terminal in another mount namespace.
    const isForeground = (descriptor: number): boolean => {
      const there = findForegroundTerminal(key);
      return there !== undefined && isSameFile(fstatSync(descriptor), there);
    };
    return openTerminal(`/proc/${key.pid}/fd/0`, isForeground, constants.O_NONBLOCK);
  },
  isTypedInto: (key) => findForegroundTerminal(key) !== undefined,
  // For any file that is not the controlling terminal, tcgetpgrp returns -1.
  isAtTerminal: () => [0, 2].every(isOwnForeground),
};

function isOwnForeground(descriptor: number): boolean {
  const { tcgetpgrp, getpgrp } = c().terminals();
  return tcgetpgrp(descriptor) === getpgrp();
}

/** Without O_NOCTTY a daemon, which leads a session, would make the terminal its own. */
function openTerminal(
  path: string,
  isForeground: (descriptor: number) => boolean,
  flags = 0,
): TerminalDevice | undefined {
  try {
    const descriptor = openSync(path, constants.O_RDWR | constants.O_NOCTTY | flags);
    if (isForeground(descriptor)) return new LinuxTerminal(descriptor, () => isForeground(descriptor));
    closeSync(descriptor);
    return undefined;
  } catch {
    return undefined;
  }
}

/** The terminal in whose foreground a process is and that is its standard input and error. */
function findForegroundTerminal({ pid, startTicks }: ProcessKey): Stats | undefined {
  const fields = readStat(pid)?.map(Number);
  if (fields === undefined || fields[startField] !== startTicks) return undefined;
  const [, , group, , device, foregroundGroup] = fields;
  if (device === 0 || group !== foregroundGroup) return undefined;
  try {
    const [input, error] = [statSync(`/proc/${pid}/fd/0`), statSync(`/proc/${pid}/fd/2`)];
    return input.rdev === device && isSameFile(input, error) ? input : undefined;
  } catch {
    // Closed, or the kernel hides the process's descriptors even from its user.
    return undefined;
  }
}

function isSameFile(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

const memory: Memory = {
  share: (size) => {
    const { segments, toArrayBuffer } = c();
    const { shmget, shmat, shmdt, shmctl } = segments();
    const id = shmget(privateKey, size, create | ownerOnly);
    if (id < 0) return undefined;
    const place = shmat(id, null, 0);
    // Linux frees a removed segment when its last user detaches it, and lets others attach it until then: nothing is
    // left, however this process ends.
    shmctl(id, remove, null);
    // On failure shmat returns -1, here as an unsigned number.
    if (place === null || place > Number.MAX_SAFE_INTEGER) return undefined;
    let isOpen = true;
    return {
      id,
      bytes: new Uint8Array(toArrayBuffer(place, 0, size)),
      close() {
        if (isOpen) shmdt(place);
        isOpen = false;
      },
    };
  },
};

export const linux: OperatingSystem = {
  processes: new LinuxProcesses(),
  programs,
  folders,
  user,
  locks,
  sockets,
  terminals,
  memory,
};
