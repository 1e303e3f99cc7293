import { linux } from "./linux.ts";
import type { OperatingSystem } from "./port.ts";

const systems: Readonly<Partial<Record<NodeJS.Platform, OperatingSystem>>> = { linux };

// On a system without a file of its own, POSIX functions work, and everything from /proc is unknown.
export const { processes, programs, folders, user, locks, sockets, terminals, memory } =
  systems[process.platform] ?? linux;

export type { Peer, ProcessIdentity, ProcessKey, SharedMemory, TerminalDevice } from "./port.ts";
