import { chmodSync, existsSync, linkSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sockets } from "../os/index.ts";
import { makeCookie, writeClientAuthority, writeServerAuthority } from "./authority.ts";
import { type Building, PartError, readFirstLine, type StartedPart, start } from "./desktop-parts.ts";
import { locateAuthority } from "./environment.ts";
import { type MonitorPlan, measureScreen } from "./options.ts";
import { locateXSocket, readInode, X_SERVER_PART } from "./traces.ts";

// A seat that no machine has: graphics cards, input devices and consoles belong to other seats, and only the first
// seat's server opens a console.
const NO_SEAT = "deskmap-sandbox";

type Server = { program: string; options: string[]; env: Record<string, string> };

export async function startXServer(
  building: Building,
): Promise<{ display: string; cookie: Buffer; server: StartedPart }> {
  const cookie = makeCookie();
  const authority = locateAuthority(building.folders.root);
  const number = claimNumber(building);
  writeServerAuthority(authority, cookie);
  const { program, options, env } = building.monitors.length > 1 ? prepareXorg(building) : prepareXvfb(building);
  // -displayfd: tells when it is ready, and writes no lock file. -nolisten local: this process holds its abstract name.
  // -s 0: a screen that blanks after ten minutes cannot be read. -noreset: it survives its last client.
  const common = [
    "-displayfd",
    "1",
    "-auth",
    authority,
    "-nolisten",
    "tcp",
    "-nolisten",
    "local",
    "-noreset",
    "-s",
    "0",
  ];
  const server = await start(building, {
    part: X_SERVER_PART,
    command: [program, `:${number}`, ...common, ...options],
    env: { ...building.env, ...env },
    // SIGTERM rather than SIGKILL, so that it removes its socket.
    signalWithSupervisor: "TERM",
    output: "read",
  });
  try {
    await readFirstLine(server, building.signal);
    writeClientAuthority(authority, cookie, number);
    if (building.boundary !== undefined) linkSocket(building, number);
    return { display: `:${number}`, cookie, server };
  } catch (error) {
    throw new PartError(basename(program), error, server.logPath);
  }
}

const MOST_DISPLAYS = 10_000;

/**
 * Other servers leave a number alone whose abstract name is taken. A server that held it itself would let it go before it
 * removes the file of its socket: that could then be the file of the next server with this number.
 */
function claimNumber(building: Building): number {
  for (let number = 0; number < MOST_DISPLAYS; number++) {
    const socketPath = locateXSocket(`:${number}`);
    const isUsed = readInode(socketPath) !== 0 || readInode(`/tmp/.X${number}-lock`) !== 0;
    const reservation = isUsed ? undefined : sockets.reserveName(socketPath);
    if (reservation === undefined) continue;
    building.reserve(reservation);
    return number;
  }
  throw new Error("no display number is free");
}

/** A hard link leads to this server whatever a program inside puts in the place of its socket. */
function linkSocket({ folders }: Building, number: number): void {
  const socketPath = locateXSocket(`:${number}`);
  if (!existsSync(dirname(socketPath))) {
    mkdirSync(dirname(socketPath));
    chmodSync(dirname(socketPath), 0o1777);
  }
  linkSync(join(folders.screen, basename(socketPath)), socketPath);
}

function prepareXvfb({ programs, width, height }: Building): Server {
  return { program: programs.xvfb, options: ["-screen", "0", `${width}x${height}x24`], env: {} };
}

/** Xvfb has one output, and GTK ignores monitors that are only declared on it. */
function prepareXorg({ programs, folders, monitors, boundary }: Building): Server {
  const config = join(folders.shown, "xorg.conf");
  // Instead of /etc/X11/xorg.conf.d, which describes the machine.
  const moreConfig = join(folders.shown, "xorg.conf.d");
  writeFileSync(config, writeXorgConfig(monitors));
  mkdirSync(moreConfig);
  const log = boundary === undefined ? join(folders.log, "xorg.log") : "/tmp/xorg.log";
  const files = ["-config", config, "-configdir", moreConfig, "-logfile", log];
  return {
    program: programs.xorg,
    options: [...files, "-seat", NO_SEAT, "-novtswitch", "-dpms"],
    // Over the system bus it would ask logind for control of the caller's session and console.
    env: { DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${join(folders.root, "no-system-bus")}` },
  };
}

const BYTES_PER_PIXEL = 4;
// The dummy driver's range of pixel clocks.
const SLOWEST_CLOCK_MHZ = 12;
const FASTEST_CLOCK_MHZ = 300;
const REFRESH_HZ = 60;

/** Draws into memory and uses nothing of the machine; the monitors exist before the first client connects. */
function writeXorgConfig(plans: readonly MonitorPlan[]): string {
  const { width, height } = measureScreen(plans);
  return [
    section("ServerFlags", [
      // No keyboard, mouse or graphics card of the machine, now or hot-plugged.
      ...["AutoAddDevices", "AutoEnableDevices", "AutoAddGPU", "AutoBindGPU"].map((name) => option(name, "false")),
      ...["DontVTSwitch", "DontZap"].map((name) => option(name, "true")),
    ]),
    // Without configured input devices the server looks for the machine's. These two use a driver that does nothing and
    // no device file; input comes only through XTEST.
    section("InputDevice", ['Identifier "no pointer"', 'Driver "void"']),
    section("InputDevice", ['Identifier "no keyboard"', 'Driver "void"']),
    ...plans.map((plan, index) =>
      section("Monitor", [
        `Identifier "${nameMonitor(index)}"`,
        "HorizSync 0.01-100000",
        "VertRefresh 0.01-100000",
        `Modeline "${nameMode(plan)}" ${describeTiming(plan)}`,
        option("Enable", "true"),
        option("PreferredMode", nameMode(plan)),
        option("Position", `${plan.x} ${plan.y}`),
        option("Primary", String(plan.isPrimary)),
      ]),
    ),
    section("Device", [
      'Identifier "memory"',
      'Driver "dummy"',
      `VideoRam ${Math.ceil((width * height * BYTES_PER_PIXEL) / 1024) + 1024}`,
      ...plans.map((_plan, index) => option(`Monitor-DUMMY${index}`, nameMonitor(index))),
    ]),
    section("Screen", [
      'Identifier "screen"',
      'Device "memory"',
      "DefaultDepth 24",
      `SubSection "Display"\n  Depth 24\n  Virtual ${width} ${height}\nEndSubSection`,
    ]),
    section("ServerLayout", [
      'Identifier "layout"',
      'Screen "screen"',
      'InputDevice "no pointer" "CorePointer"',
      'InputDevice "no keyboard" "CoreKeyboard"',
    ]),
  ].join("\n");
}

function section(name: string, lines: readonly string[]): string {
  return [`Section "${name}"`, ...lines, "EndSection"].join("\n");
}

function option(name: string, value: string): string {
  return `Option "${name}" "${value}"`;
}

function nameMonitor(index: number): string {
  return `monitor ${index}`;
}

function nameMode({ width, height }: MonitorPlan): string {
  return `${width}x${height}`;
}

/** The signals go nowhere; the numbers only have to be increasing. */
function describeTiming({ width, height }: MonitorPlan): string {
  const clockMhz = ((width + 3) * (height + 3) * REFRESH_HZ) / 1e6;
  const clock = Math.min(FASTEST_CLOCK_MHZ, Math.max(SLOWEST_CLOCK_MHZ, clockMhz)).toFixed(3);
  const count = (side: number): string => [side, side + 1, side + 2, side + 3].join(" ");
  return `${clock} ${count(width)} ${count(height)}`;
}
