import { linux } from "./linux.ts";
import type { OperatingSystem } from "./port.ts";

const systems: Readonly<Partial<Record<NodeJS.Platform, OperatingSystem>>> = { linux };

// On a system without a file of its own, what POSIX defines works, and what only /proc tells is unknown.
export const { processes, programs, folders, user, locks, sockets, terminals, memory } =
  systems[process.platform] ?? linux;

export type { Peer, ProcessKey, SharedMemory, TerminalDevice } from "./port.ts";
