import type { Result } from "../../../model/failure.ts";
import type { WindowRead } from "../../../model/snapshot.ts";
import type { ReadRequest } from "../../../sources/port.ts";
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
  return {
    name: fresh.name,
    lacks: fresh.lacks,
    mirror,
    forCall: (options) => fresh.forCall(options),
    prepareRead: () => fresh.prepareRead(),
    listWindows: () => mirror.listWindows(),
    readWindows,
    listSurfaces: () => fresh.listSurfaces(),
    findWindowAt: (point) => fresh.findWindowAt(point),
    listPopups: () => fresh.listPopups(),
    findPointer: () => fresh.findPointer(),
    findPressPause: (point, button) => fresh.findPressPause(point, button),
    covers: (windows) => fresh.covers(windows),
    readText: (request) => fresh.readText(request),
    glimpse: (element, timeoutMs) => fresh.glimpse(element, timeoutMs),
    askWhatIsAt: (element, point, timeoutMs) => fresh.askWhatIsAt(element, point, timeoutMs),
    watch: async (windows, timeoutMs) =>
      (await import("../watch.ts")).watchApplications(fresh, windows, timeoutMs, mirror),
    captureScreen: (part) => fresh.captureScreen(part),
    captureWindow: (window, part) => fresh.captureWindow(window, part),
    findOpener: (what, args, folder) => fresh.findOpener(what, args, folder),
    isRunning: (pid) => fresh.isRunning(pid),
    findEnd: (pid) => fresh.findEnd(pid),
    openDrawingSurface: async () =>
      (await import("../x11/drawing-surface/open-surface.ts")).openLinuxDrawingSurface(fresh.options),
    listenForKeys: async (combo, onPressed) =>
      (await import("../x11/hotkey.ts")).listenForKeys(fresh.options, combo, onPressed),
    close: () => {
      mirror.close();
      fresh.close();
    },
  };
}
