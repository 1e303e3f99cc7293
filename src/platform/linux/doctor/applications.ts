import { basename } from "node:path";
import { type Check, off, ok } from "../../../model/check.ts";
import { flatten } from "../../../model/element.ts";
import { cleanText, quoteName, quoteText } from "../../../model/plain-text.ts";
import { type BusApplication, listBusApplications } from "../atspi/access.ts";
import { Peer, rootPath } from "../atspi/peer.ts";
import { readApplication } from "../atspi/tree.ts";
import { type Bus, ConnectionLost, DeadlinePassed, ErrorReply } from "../dbus/bus.ts";
import { readLinkTarget, readText } from "../read-file.ts";
import type { XWindow } from "../x11/windows.ts";
import { switchOn } from "./buses.ts";

const maxNameLength = 60;
const pageFlag = "--force-renderer-accessibility";

/** Checks every application with a window: its toolkit, whether it exposes a tree, and what would enable it. */
export async function examineApplications(bus: Bus, windows: readonly XWindow[], timeoutMs: number): Promise<Check[]> {
  const onBus = await listBusApplications(bus, timeoutMs);
  const byPid = [...Map.groupBy(windows, (window) => window.pid)];
  return Promise.all(
    byPid.map(([pid, own]) => {
      const application = onBus.find((one) => one.pid === pid && pid !== 0);
      const subject = `${quoteName(own[0]?.app ?? "unknown")} (${pid})`;
      return application === undefined
        ? explainSilence(subject, pid)
        : examineApplication(bus, subject, application, own, timeoutMs);
    }),
  );
}

async function examineApplication(
  bus: Bus,
  subject: string,
  { busName, pid }: BusApplication,
  windows: readonly XWindow[],
  timeoutMs: number,
): Promise<Check> {
  const peer = new Peer(bus, busName, timeoutMs);
  try {
    const [name, version, frames] = await Promise.all([
      peer.getProperty(rootPath, "Application", "ToolkitName"),
      peer.getProperty(rootPath, "Application", "Version"),
      peer.getChildren(rootPath),
    ]);
    const toolkit = cleanText(`${toolkitNames.get(String(name)) ?? name} ${version}`, maxNameLength);
    if (frames.length === 0) {
      return off(subject, `${toolkit}; shows no window to accessibility`, "start it again, now that it is being read");
    }
    if (name === "Chromium" && !(await showsPage(bus, busName, windows, timeoutMs))) {
      return off(subject, `${toolkit}; shows its own controls, but no page`, startWithFlag(pid));
    }
    return ok(subject, `${toolkit}; shows its tree`);
  } catch (error) {
    if (error instanceof DeadlinePassed) {
      return off(subject, `does not answer (waited ${timeoutMs} ms)`, "wait until it is idle, or end it");
    }
    if (error instanceof ErrorReply || error instanceof ConnectionLost) {
      return off(subject, `refuses to be read: ${quoteText(error.message)}`, "start it again");
    }
    throw error;
  } finally {
    peer.close();
  }
}

const toolkitNames = new Map([
  ["gtk", "GTK"],
  ["Gecko", "Firefox (Gecko)"],
]);

/** Whether a page, or a window of an Electron application, exposes more than an empty document. */
async function showsPage(bus: Bus, busName: string, windows: readonly XWindow[], timeoutMs: number): Promise<boolean> {
  const reads = await readApplication(bus, {
    busName,
    appKey: "",
    allWindows: windows,
    wantedIds: new Set(windows.map(({ id }) => id)),
    screen: everywhere,
    monitors: [everywhere],
    listPopupBounds: () => Promise.resolve([]),
    findFocused: () => Promise.resolve(undefined),
    includeHidden: false,
    timeoutMs,
  });
  const elements = flatten(reads.flatMap(({ root }) => (root === undefined ? [] : [root])));
  return elements.some(({ role, children }) => role === "web" && children.length > 0);
}

/** Positions do not matter here. */
const everywhere = { x: -32_768, y: -32_768, width: 65_536, height: 65_536 };

/**
 * Chromium exposes its pages if it was started with a flag or while accessibility was enabled; nothing done later was
 * seen to help.
 */
function startWithFlag(pid: number): string {
  const program = cleanText(basename(readLinkTarget(`/proc/${pid}/exe`) || "chromium"), maxNameLength);
  return `close it, then: ${program} ${pageFlag}`;
}

interface Suspect {
  /** A library or file that the process has loaded. */
  readonly trace: RegExp;
  readonly toolkit: string;
  remedy(pid: number): string;
}

/** The toolkit of an application that is not on the bus, by the files it has loaded, and how to enable it. */
const suspects: readonly Suspect[] = [
  { trace: /\/libxul\.so/, toolkit: "Firefox (Gecko)", remedy: () => switchOn },
  {
    trace: /\/chrome_100_percent\.pak|\/icudtl\.dat|\/v8_context_snapshot/,
    toolkit: "Chromium",
    remedy: startWithFlag,
  },
  {
    trace: /\/libjvm\.so/,
    toolkit: "Java",
    remedy: () => "sudo apt install libatk-wrapper-java, then start it again",
  },
  {
    trace: /\/libQt[56]Core/,
    toolkit: "Qt",
    remedy: () => "close it, then start it with QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1",
  },
  { trace: /\/libgtk-4/, toolkit: "GTK 4", remedy: () => "start it again, without GTK_A11Y=none" },
  { trace: /\/libgtk-3/, toolkit: "GTK 3", remedy: () => "start it again, without NO_AT_BRIDGE=1" },
];

function explainSilence(subject: string, pid: number): Check {
  const maps = readText(`/proc/${pid}/maps`);
  const suspect = suspects.find(({ trace }) => trace.test(maps));
  if (suspect !== undefined) return off(subject, `${suspect.toolkit}; shows no tree`, suspect.remedy(pid));
  const text = "shows no tree, and uses no toolkit that Deskmap knows";
  return off(subject, text, "deskmap screenshot shows what it looks like");
}
