import type { Env } from "../model/env.ts";

/** What Deskmap asks of an operating system apart from its desktop. Each system has one file beside this one. */
export interface OperatingSystem {
  readonly processes: Processes;
  readonly programs: Programs;
  readonly folders: Folders;
  readonly user: User;
  readonly locks: Locks;
  readonly sockets: Sockets;
  readonly terminals: Terminals;
  readonly memory: Memory;
}

/** Names one process for as long as the machine runs: a pid alone may be given to another process later. */
export interface ProcessKey {
  readonly pid: number;
  /** In ticks since the machine started; 0 where the system does not tell. */
  readonly startTicks: number;
}

export interface ProcessRow extends ProcessKey {
  readonly parentPid: number;
  /**
   * "suspended" by SIGSTOP or a debugger; "exiting" while its memory is freed, when its variables are gone already; "ended"
   * until its parent has read its exit status.
   */
  readonly state: "running" | "suspended" | "exiting" | "ended";
}

export interface Processes {
  /** Undefined where there is no such process, or the system does not tell. */
  read(pid: number): ProcessRow | undefined;
  list(): readonly ProcessRow[];
  listChildren(pid: number): readonly ProcessRow[];
  /** All processes below another, in the present table or in a given one. */
  listDescendants(pid: number, table?: readonly ProcessRow[]): readonly ProcessRow[];
  /** The process and its ancestors. */
  listLineage(pid: number): readonly number[];
  /** This process. */
  own(): ProcessKey;
  isRunning(pid: number): boolean;
  isAlive(key: ProcessKey): boolean;
  isSuspended(pid: number): boolean;
  /** Signals this very process, never another that has got its pid since. */
  signal(key: ProcessKey, name: NodeJS.Signals): void;
  /** The words that the process was started with; none where the system does not tell. */
  readArguments(pid: number): readonly string[];
  /** The variables that the process was started with, as NAME=VALUE; undefined where the system does not tell. */
  readVariables(pid: number): readonly string[] | undefined;
  /** The machine's start and the container in which pids mean what they mean here. */
  describePidScope(): string;
  /** Makes orphaned descendants children of this process; false where that is not possible. */
  adoptOrphans(): boolean;
  /** Reads the exit status of an adopted child; Bun does so only for children that it started. */
  reap(pid: number): void;
}

export interface Programs {
  /** A path that is this very program, also after an update has replaced or removed its file. */
  readonly running: string;
  /** The program to start to run this one again. */
  own(): string;
  /**
   * The command that runs a source file of this program in a process of its own, with `words`. Where there are only
   * bundles or the executable, it is the program's own `command`.
   */
  commandFor(source: URL, words: readonly string[], command: readonly string[]): [string, ...string[]];
}

export interface Folders {
  home(env: Env): string;
  /** Where a user's settings, data and state are kept, for all programs. */
  config(env: Env): string;
  data(env: Env): string;
  state(env: Env): string;
  /** What the session gives its user for sockets and the like; undefined where it gives none. */
  runtime(env: Env): string | undefined;
  temporary(): string;
  /** The working folder of this process; the root if it has been deleted. */
  working(): string;
  listMountPoints(): readonly string[];
}

export interface User {
  /** Undefined on a system that does not number its users. */
  id(): number | undefined;
  owns(file: { readonly uid: number }): boolean;
}

export interface Locks {
  /** Locks an open file for this process alone, until the file is closed. False when another process has it. */
  take(descriptor: number): boolean;
  /** The other processes that have locked a file; none where the system does not tell. */
  listHolders(path: string): readonly number[];
}

/** The process at the other end of a local socket, as it was when it connected. */
export interface Peer {
  readonly pid: number;
  readonly uid: number;
}

export interface Sockets {
  /** Undefined where the system does not tell. */
  findPeer(descriptor: number): Peer | undefined;
  /** Whether this machine can be reached as ::1. */
  hasIpv6Loopback(): boolean;
}

/** An open terminal; `descriptor` is for reading and writing. */
export interface TerminalDevice {
  readonly descriptor: number;
  /** Whether what is typed there goes to the process that it was opened for. */
  isForeground(): boolean;
  /** Waits until all that was written is shown, then forgets what was typed before. */
  discardInput(): void;
  hasInput(): boolean;
  setEcho(isOn: boolean): void;
  close(): void;
}

export interface Terminals {
  /** The controlling terminal of this process; undefined where there is none, or it is not in the foreground there. */
  openOwn(): TerminalDevice | undefined;
  /**
   * The controlling terminal of another process of this user. Undefined unless the process is in the foreground there and
   * its standard input and error are that terminal: then the command was typed there, and its messages are read there.
   * Reading and writing never block: they fail with EAGAIN.
   */
  openOf(process: ProcessKey): TerminalDevice | undefined;
  /** Whether this process meets the conditions of openOf. */
  isAtTerminal(): boolean;
}

/** Memory that another process can be given to write into. */
export interface SharedMemory {
  readonly id: number;
  readonly bytes: Uint8Array;
  /** Afterwards `bytes` must not be touched. */
  close(): void;
}

export interface Memory {
  /** A new segment, gone with its last user; undefined where the system gives none. */
  share(size: number): SharedMemory | undefined;
}
