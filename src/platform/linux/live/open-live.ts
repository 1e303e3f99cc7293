import type { Result } from "../../../model/failure.ts";
import type { Combo } from "../../../model/keys.ts";
import type { PersonInput } from "../../../model/person-input.ts";
import type { WindowRead } from "../../../model/snapshot.ts";
import type { Window } from "../../../model/window.ts";
import type { ReadRequest } from "../../../sources/port.ts";
import { replaceMethods } from "../../lack.ts";
import type { LivePlatform, OpenOptions, Platform } from "../../port.ts";
import type { Parts } from "../connections.ts";
import { LinuxMirror } from "./mirror.ts";

/**
 * The desktop, read through a mirror. What the mirror cannot follow, such as hidden parts, is read anew, and so is
 * everything other than window lists and contents.
 */
export function openLive(fresh: Platform & Parts & { forCall(options: OpenOptions): Platform }): LivePlatform {
  const mirror = new LinuxMirror(fresh);
  const readWindows = (request: ReadRequest): Promise<Result<readonly WindowRead[]>> => {
    const isCold = request.includeHidden || request.isForPicture === true;
    return isCold ? fresh.readWindows(request) : mirror.readWindows(request);
  };
  return replaceMethods(fresh, {
    mirror,
    listWindows: () => mirror.listWindows(),
    readWindows,
    watch: async (windows: readonly Window[], timeoutMs: number) =>
      (await import("../watch.ts")).watchApplications(fresh, windows, timeoutMs, mirror),
    openDrawingSurface: async () =>
      (await import("../x11/drawing-surface/open-surface.ts")).openLinuxDrawingSurface(fresh.options),
    listenForKeys: async (combo: Combo, onPressed: () => void) =>
      (await import("../x11/hotkey.ts")).listenForKeys(fresh.options, combo, onPressed),
    listenToPerson: async (onInput: (input: PersonInput) => void, onLost: (why: string) => void) =>
      (await import("../x11/person-input.ts")).listenToPerson(fresh.options, onInput, onLost),
    close: () => {
      mirror.close();
      fresh.close();
    },
  });
}
