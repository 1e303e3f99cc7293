import type { Env } from "../../../model/env.ts";
import { processes } from "../../../os/index.ts";
import { Bus, busCall, ConnectionLost, ErrorReply, shape, unlessRefused } from "../dbus/bus.ts";
import { readText } from "../read-file.ts";
import { listenOnce, registry } from "./cache.ts";
import { Peer, rootPath } from "./peer.ts";
import { findQuirks } from "./toolkit.ts";

export interface BusApplication {
  readonly busName: string;
  readonly pid: number;
}

export async function connectAccessibility(env: Env, timeoutMs: number): Promise<Bus> {
  const bus = await Bus.connect(await findAddress(env, timeoutMs), timeoutMs);
  // Not awaited: an application that does not answer is asked again when it is read.
  fillCaches(bus, timeoutMs).catch(() => undefined);
  return bus;
}

/** Lets applications whose cache will be read build it now, while the windows are being listed. */
async function fillCaches(bus: Bus, timeoutMs: number): Promise<void> {
  await Promise.allSettled(
    (await listNames(bus)).map(async (name) => {
      const peer = new Peer(bus, name, timeoutMs);
      try {
        if ((await findQuirks(peer)).cache === "whole") listenOnce(bus, name);
      } finally {
        peer.close();
      }
    }),
  );
}

/** Waits for the bus or the registry; if no answer comes in time, the connection is unusable. */
async function within<T>(bus: Bus, timeoutMs: number, answer: Promise<T>): Promise<T> {
  const timer = setTimeout(() => bus.close(`no answer within ${timeoutMs} ms`), timeoutMs);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
  }
}

async function findAddress(env: Env, timeoutMs: number): Promise<string> {
  if (env.AT_SPI_BUS_ADDRESS) return env.AT_SPI_BUS_ADDRESS;
  const session = await connectSession(env, timeoutMs);
  try {
    return await askAccessibilityAddress(session, timeoutMs);
  } finally {
    session.close();
  }
}

export async function connectSession(env: Env, timeoutMs: number): Promise<Bus> {
  const address = env.DBUS_SESSION_BUS_ADDRESS ?? (env.XDG_RUNTIME_DIR && `unix:path=${env.XDG_RUNTIME_DIR}/bus`);
  if (!address) throw new ConnectionLost("DBUS_SESSION_BUS_ADDRESS is not set");
  return Bus.connect(address, timeoutMs);
}

export async function askAccessibilityAddress(session: Bus, timeoutMs: number): Promise<string> {
  const call = { destination: "org.a11y.Bus", path: "/org/a11y/bus", interface: "org.a11y.Bus", member: "GetAddress" };
  try {
    return await within(session, timeoutMs, session.call(call, shape<string>("s")));
  } catch (error) {
    if (error instanceof ErrorReply) throw new ConnectionLost(`the session has no accessibility bus: ${error.message}`);
    throw error;
  }
}

/** All registered applications. Answered by the registry and the bus, so a hung application delays nothing. */
export function listBusApplications(bus: Bus, timeoutMs: number): Promise<BusApplication[]> {
  return within(bus, timeoutMs, askForApplications(bus));
}

/** Of programs that have just been started, the window may be there before the application has registered. */
const newMs = 10_000;
const registerMs = 3000;
const pollMs = 50;

/** The same, once the given processes have registered that have just been started and will do so. */
export async function awaitBusApplications(
  bus: Bus,
  pids: Iterable<number>,
  timeoutMs: number,
): Promise<BusApplication[]> {
  const deadline = performance.now() + Math.min(registerMs, timeoutMs);
  const awaited = new Set(pids);
  for (;;) {
    const applications = await listBusApplications(bus, timeoutMs);
    for (const { pid } of applications) awaited.delete(pid);
    if (![...awaited].some(isStarting) || performance.now() > deadline) return applications;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Toolkits that register. Others, such as Xt, never do. */
const registering = /\/lib(atk-bridge-2|gtk-4|Qt\d+Gui)\b/;
/** Of the times in /proc, on every architecture that Linux exports them for. */
const ticksPerSecond = 100;

function isStarting(pid: number): boolean {
  const startTicks = pid === 0 ? undefined : processes.read(pid)?.startTicks;
  const upSeconds = Number.parseFloat(readText("/proc/uptime"));
  if (startTicks === undefined || (upSeconds - startTicks / ticksPerSecond) * 1000 > newMs) return false;
  return registering.test(readText(`/proc/${pid}/maps`));
}

async function askForApplications(bus: Bus): Promise<BusApplication[]> {
  const applications = await Promise.all(
    (await listNames(bus)).map(async (busName) => {
      const asked = bus.call(busCall("GetConnectionUnixProcessID", "s", [busName]), shape<number>("u"));
      const pid = await unlessRefused(asked);
      // It left between the two requests.
      if (pid === undefined) return undefined;
      bus.pids.set(busName, pid);
      return { busName, pid };
    }),
  );
  return applications.filter((application) => application !== undefined);
}

async function listNames(bus: Bus): Promise<string[]> {
  const call = { destination: registry, path: rootPath, interface: "org.a11y.atspi.Accessible", member: "GetChildren" };
  const refs = await bus.call(call, shape<readonly (readonly [string, string])[]>("a(so)"));
  return refs.map(([busName]) => busName);
}
