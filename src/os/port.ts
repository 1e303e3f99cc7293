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

/** Identifies a process until the machine restarts: pids are reused. */
export interface ProcessKey {
  readonly pid: number;
  /** In ticks since the machine started; 0 if the system does not report it. */
  readonly startTicks: number;
}

/** A running program: exec changes the program and its file, a new process the start time, a new boot the scope. */
export interface ProcessIdentity extends ProcessKey {
  readonly uid: number;
  /** The path of its executable. */
  readonly program: string;
  /** Identifies the executable whatever its path is now. */
  readonly file: string;
  /** As describePidScope. */
  readonly scope: string;
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
  /** Undefined if there is no such process, or the system does not report it. */
  read(pid: number): ProcessRow | undefined;
  /** Undefined if it has ended, or the system does not report its program. */
  identify(pid: number): ProcessIdentity | undefined;
  list(): readonly ProcessRow[];
  listChildren(pid: number): readonly ProcessRow[];
  /** All processes below another, in the present table or in a given one. */
  listDescendants(pid: number, table?: readonly ProcessRow[]): readonly ProcessRow[];
  listLineage(pid: number): readonly number[];
  own(): ProcessKey;
  isRunning(pid: number): boolean;
  isAlive(key: ProcessKey): boolean;
  isSuspended(pid: number): boolean;
  /** Signals the process only if its pid was not reused. */
  signal(key: ProcessKey, name: NodeJS.Signals): void;
  /** The process's command line; empty if the system does not report it. */
  readArguments(pid: number): readonly string[];
  /** The process's initial environment, as NAME=VALUE; undefined if the system does not report it. */
  readVariables(pid: number): readonly string[] | undefined;
  /** Identifies the boot and the pid namespace: pids of another are not comparable. */
  describePidScope(): string;
  /** Identifies the memory segments and queues that a process can reach; undefined if the system does not report it. */
  describeMemoryScope(pid: number): string | undefined;
  /** Makes orphaned descendants children of this process; false if that is not possible. */
  adoptOrphans(): boolean;
  /** Reaps an adopted child; Bun reaps only children that it started. */
  reap(pid: number): void;
  /** Until the returned function is called, a suspension of this process ends after so long, where the system can do that. */
  limitSuspension(ms: number): () => void;
}

export interface Programs {
  /** A path of the running program that stays valid when an update replaces or removes its file. */
  readonly running: string;
  /** The program to start to run this one again. */
  own(): string;
  /** Whether this is the executable, in which no path leads to a source file. */
  readonly isCompiled: boolean;
  /**
   * The command that runs a source file of this program in a process of its own, with `words`. Where there are only
   * bundles or the executable, it is the program's own `command`.
   */
  commandFor(source: URL, words: readonly string[], command: readonly string[]): [string, ...string[]];
  /** The command that runs Deskmap again with some words. */
  commandOfSelf(...words: readonly string[]): [string, ...string[]];
}

export interface Folders {
  home(env: Env): string;
  /** The home in the user database, which some programs prefer; undefined for a user who is not in it. */
  account(): string | undefined;
  /** Where the kernel shows processes and its settings; of these, what root can change without any capability. */
  kernel(): { readonly place: string; readonly settings: readonly string[] };
  /** The folders of all programs' settings, data, state and caches. */
  config(env: Env): string;
  data(env: Env): string;
  state(env: Env): string;
  cache(env: Env): string;
  /** The session's folder for sockets and the like; undefined if it has none. */
  runtime(env: Env): string | undefined;
  temporary(): string;
  /** The working folder of this process; the root if it has been deleted. */
  working(): string;
  listMountPoints(): readonly string[];
}

export interface User {
  /** Undefined on a system without numeric user ids. */
  id(): number | undefined;
  owns(file: { readonly uid: number }): boolean;
}

export interface Locks {
  /** Locks an open file exclusively until it is closed; false if another process holds the lock. */
  take(descriptor: number): boolean;
  /** The other processes that hold a lock on a file; none if the system does not report it. */
  listHolders(path: string): readonly number[];
}

/** The process at the other end of a local socket, as it was when it connected: later, its pid may be another's. */
export interface Peer extends ProcessKey {
  readonly uid: number;
}

export interface Sockets {
  /** Undefined if the system does not report it. */
  findPeer(descriptor: number): Peer | undefined;
  /** Reserves an abstract socket name, at which connections are refused, until it is released; undefined if it is taken. */
  reserveName(name: string): { release(): void } | undefined;
  /** Whether this machine can be reached as ::1. */
  hasIpv6Loopback(): boolean;
}

/** An open terminal; `descriptor` is for reading and writing. */
export interface TerminalDevice {
  readonly descriptor: number;
  /** Whether the process that it was opened for is in the foreground there. */
  isForeground(): boolean;
  /** Waits until all output is written, then discards unread input. */
  discardInput(): void;
  hasInput(): boolean;
  setEcho(isOn: boolean): void;
  close(): void;
}

export interface Terminals {
  /** The controlling terminal of this process; undefined if there is none, or it is not in the foreground there. */
  openOwn(): TerminalDevice | undefined;
  /**
   * The controlling terminal of another process of this user. Undefined unless the process is in the foreground there and
   * its standard input and error are that terminal: then the command was typed there, and its messages are read there.
   * Reading and writing never block: they fail with EAGAIN.
   */
  openOf(process: ProcessKey): TerminalDevice | undefined;
  /** Whether a process meets the conditions of openOf. */
  isTypedInto(process: ProcessKey): boolean;
  /** Whether this process meets the conditions of openOf. */
  isAtTerminal(): boolean;
}

/** A memory segment that another process can attach and write. */
export interface SharedMemory {
  readonly id: number;
  readonly bytes: Uint8Array;
  /** Afterwards `bytes` must not be used. */
  close(): void;
}

export interface Memory {
  /** A new segment, freed with its last user; undefined if the system refuses. */
  share(size: number): SharedMemory | undefined;
}
