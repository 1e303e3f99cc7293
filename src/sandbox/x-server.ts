import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeCookie, writeClientAuthority, writeServerAuthority } from "./authority.ts";
import { type Building, PartError, start } from "./desktop-parts.ts";
import { readFirstLine, type StartedPart } from "./start-part.ts";
import { X_SERVER_PART } from "./traces.ts";
import { writeXorgConfig } from "./xorg-config.ts";

const X_SERVER_ATTEMPTS = 3;
// A seat that no machine has: graphics cards, input devices and consoles belong to other seats, and only the first
// seat's server opens a console.
const NO_SEAT = "deskmap-sandbox";

type Server = { program: string; options: string[]; env: Record<string, string> };

export async function startXServer(
  building: Building,
): Promise<{ display: string; cookie: Buffer; server: StartedPart }> {
  const cookie = makeCookie();
  const authority = join(building.folders.root, "xauthority");
  writeServerAuthority(authority, cookie);
  const { program, options, env } = building.monitors.length > 1 ? prepareXorg(building) : prepareXvfb(building);
  // -s 0: a screen that blanks after ten minutes cannot be read. -noreset: it survives its last client.
  const common = ["-displayfd", "1", "-auth", authority, "-nolisten", "tcp", "-noreset", "-s", "0"];
  for (let attempt = 1; ; attempt++) {
    const server = await start(building, {
      part: X_SERVER_PART,
      command: [program, ...common, ...options],
      env: { ...building.env, ...env },
      // SIGTERM rather than SIGKILL, so that it removes its socket.
      signalWithSupervisor: "TERM",
      output: "read",
    });
    try {
      const displayNumber = Number(await readFirstLine(server, building.signal));
      writeClientAuthority(authority, cookie, displayNumber);
      return { display: `:${displayNumber}`, cookie, server };
    } catch (error) {
      // Two servers starting at once may try the same display number; the loser exits.
      if (attempt === X_SERVER_ATTEMPTS || building.signal.aborted)
        throw new PartError(basename(program), error, server.logPath);
    }
  }
}

function prepareXvfb({ programs, width, height }: Building): Server {
  return { program: programs.xvfb, options: ["-screen", "0", `${width}x${height}x24`], env: {} };
}

/** Xvfb has one output, and GTK ignores monitors that are only declared on it. */
function prepareXorg({ programs, folders, monitors }: Building): Server {
  const config = join(folders.root, "xorg.conf");
  // Instead of /etc/X11/xorg.conf.d, which describes the machine.
  const moreConfig = join(folders.root, "xorg.conf.d");
  writeFileSync(config, writeXorgConfig(monitors));
  mkdirSync(moreConfig);
  const files = ["-config", config, "-configdir", moreConfig, "-logfile", join(folders.log, "xorg.log")];
  return {
    program: programs.xorg,
    options: [...files, "-seat", NO_SEAT, "-novtswitch", "-dpms"],
    // Over the system bus it would ask logind for control of the caller's session and console.
    env: { DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${join(folders.root, "no-system-bus")}` },
  };
}
