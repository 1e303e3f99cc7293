import { fail, nothingDone, type Result } from "../model/failure.ts";
import type { OpenOptions, Platform } from "./port.ts";

type Opener = (options: OpenOptions) => Promise<Result<Platform>>;

/** Each system's folder is loaded only where it runs. */
const openers: Readonly<Partial<Record<NodeJS.Platform, Opener>>> = {
  linux: async (options) => (await import("./linux/open.ts")).openLinux(options),
};

export async function openPlatform(options: OpenOptions): Promise<Result<Platform>> {
  const open = openers[process.platform];
  if (open !== undefined) return open(options);
  return fail({
    code: "UNAVAILABLE",
    message: `Deskmap cannot read the desktop of "${process.platform}" yet`,
    suggestion: "run it on Linux with X11.",
    done: nothingDone,
  });
}
