import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { noteStarted } from "./adopted.ts";
import { makeCookie, writeClientAuthority, writeServerAuthority } from "./authority.ts";
import type { Folders } from "./environment.ts";
import type { Programs } from "./programs.ts";
import { type PartPlan, readFirstLine, readLogTail, type StartedPart, startPart } from "./start-part.ts";
import { locateXSocket } from "./traces.ts";
import { waitForWindowManager } from "./window-manager.ts";

const X_SERVER_ATTEMPTS = 3;

export type Building = {
  programs: Programs;
  folders: Folders;
  width: number;
  height: number;
  /** The environment of all parts; it grows as the parts become known. */
  env: Record<string, string>;
  signal: AbortSignal;
  onPart: (part: string, started: StartedPart) => void;
};

/** Why a part did not come up, with the last lines of its log. */
export class PartError extends Error {
  readonly part: string;
  readonly log: string;

  constructor(part: string, cause: unknown, logPath: string) {
    super(`${part} did not start: ${cause instanceof Error ? cause.message : String(cause)}`);
    this.part = part;
    this.log = readLogTail(logPath);
  }
}

export async function startXServer(
  building: Building,
): Promise<{ display: string; cookie: Buffer; server: StartedPart }> {
  const cookie = makeCookie();
  const authority = join(building.folders.root, "xauthority");
  writeServerAuthority(authority, cookie);
  const screen = `${building.width}x${building.height}x24`;
  // -s 0: a screen that blanks after ten minutes cannot be read. -noreset: it outlives its last client.
  const options = [
    "-displayfd",
    "1",
    "-screen",
    "0",
    screen,
    "-auth",
    authority,
    "-nolisten",
    "tcp",
    "-noreset",
    "-s",
    "0",
  ];
  for (let attempt = 1; ; attempt++) {
    const server = await start(building, {
      part: "xvfb",
      command: [building.programs.xvfb, ...options],
      // Asked to end rather than killed, so that it removes its own socket.
      signalWithSupervisor: "TERM",
      output: "read",
    });
    try {
      const displayNumber = Number(await readFirstLine(server, building.signal));
      writeClientAuthority(authority, cookie, displayNumber);
      return { display: `:${displayNumber}`, cookie, server };
    } catch (error) {
      // Two servers that start at the same moment may reach for the same number; the loser ends.
      if (attempt === X_SERVER_ATTEMPTS || building.signal.aborted) throw new PartError("Xvfb", error, server.logPath);
    }
  }
}

export async function startSessionBus(building: Building): Promise<{ address: string; daemon: StartedPart }> {
  const { folders, programs } = building;
  // The session's own runtime directory is searched first: this one starts with accessibility switched on.
  const services = join(folders.run, "dbus-1", "services");
  mkdirSync(services, { recursive: true, mode: 0o700 });
  const exec = `${programs.atSpiLauncher} --launch-immediately --a11y=1`;
  writeFileSync(join(services, "org.a11y.Bus.service"), `[D-BUS Service]\nName=org.a11y.Bus\nExec=${exec}\n`);
  const options = [
    "--session",
    "--nofork",
    "--nopidfile",
    "--print-address=1",
    `--address=unix:path=${folders.run}/bus`,
  ];
  const daemon = await start(building, {
    part: "dbus-daemon",
    command: [programs.dbusDaemon, ...options],
    signalWithSupervisor: "KILL",
    output: "read",
  });
  try {
    return { address: await readFirstLine(daemon, building.signal), daemon };
  } catch (error) {
    throw new PartError("dbus-daemon", error, daemon.logPath);
  }
}

export async function startWindowManager(building: Building, display: string, cookie: Buffer): Promise<void> {
  const openbox = await start(building, {
    part: "openbox",
    command: [building.programs.openbox, "--sm-disable"],
    signalWithSupervisor: "KILL",
    output: "log",
  });
  const isGone = new AbortController();
  openbox.child.once("exit", (code, signal) =>
    isGone.abort(new Error(`it ended with ${signal ?? `exit code ${code}`}`)),
  );
  try {
    await waitForWindowManager(locateXSocket(display), cookie, AbortSignal.any([building.signal, isGone.signal]));
  } catch (error) {
    throw new PartError("openbox", error, openbox.logPath);
  }
}

/** Asking for the address makes the session bus start the accessibility bus, and answers when that is up. */
export function startAccessibilityBus(building: Building): Promise<string> {
  const { env, folders, programs, signal } = building;
  const call = [
    "--session",
    "--print-reply=literal",
    "--dest=org.a11y.Bus",
    "/org/a11y/bus",
    "org.a11y.Bus.GetAddress",
  ];
  return new Promise((resolve, reject) => {
    const child = execFile(programs.dbusSend, call, { env, signal, cwd: "/" }, (error, stdout) => {
      if (error === null) resolve(stdout.trim());
      else reject(new PartError("at-spi-bus-launcher", error, join(folders.log, "dbus-daemon.log")));
    });
    noteStarted(child.pid);
  });
}

async function start(
  building: Building,
  plan: Pick<PartPlan, "part" | "command" | "signalWithSupervisor" | "output">,
): Promise<StartedPart> {
  building.signal.throwIfAborted();
  const started = await startPart({ ...plan, env: building.env, logDirectory: building.folders.log, cwd: "/" });
  building.onPart(plan.part, started);
  return started;
}
