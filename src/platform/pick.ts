import { broken, type Check } from "../model/check.ts";
import { fail, nothingDone, type Result } from "../model/failure.ts";
import type { DiagnoseOptions, OpenOptions, Platform } from "./port.ts";

type Opener = (options: OpenOptions) => Promise<Result<Platform>>;

/** Each system's folder is loaded only where it runs. */
const openers: Readonly<Partial<Record<NodeJS.Platform, Opener>>> = {
  linux: async (options) => (await import("./linux/open.ts")).openLinux(options),
};

const examiners: Readonly<Partial<Record<NodeJS.Platform, (options: DiagnoseOptions) => Promise<readonly Check[]>>>> = {
  linux: async (options) => (await import("./linux/doctor/examine.ts")).examineLinux(options),
};

/** What works on this desktop, also where it cannot be opened at all. */
export async function diagnosePlatform(options: DiagnoseOptions): Promise<readonly Check[]> {
  const examine = examiners[process.platform];
  if (examine !== undefined) return examine(options);
  return [broken("system", `Deskmap cannot read the desktop of "${process.platform}" yet`, "run it on Linux with X11")];
}

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
