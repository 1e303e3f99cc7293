import { cleanText } from "../../../model/plain-text.ts";
import type { Overlay } from "../../../model/window.ts";
import { findClientPid } from "./client-pid.ts";
import type { XConnection } from "./connection.ts";
import {
  getAttributes,
  getProperty,
  getScreenGeometry,
  internAtoms,
  type Property,
  queryChildren,
  readUint32s,
} from "./requests.ts";
import { maxTitleLength, nameApplication } from "./window-names.ts";

/**
 * What is on the screen and in no list of windows, front to back: menus, tips, lock screens, the frames of window
 * managers. They ask nobody for their place, and most say little of themselves.
 */
export async function listOverlays(x: XConnection): Promise<Overlay[]> {
  const [atoms, topLevels] = await Promise.all([
    internAtoms(x, ["WM_CLASS", "_NET_WM_PID", "WM_NAME", "_NET_WM_WINDOW_TYPE", ...menuTypes]),
    queryChildren(x, x.root),
  ]);
  const attributes = await Promise.all(topLevels.map((id) => getAttributes(x, id)));
  const shown = topLevels.filter((_, index) => attributes[index]?.isViewable && attributes[index]?.isUnmanaged);
  const found = await Promise.all(shown.reverse().map((id) => readOverlay(x, atoms, id)));
  return found.filter((window) => window !== undefined).map((window, zOrder) => ({ ...window, zOrder }));
}

/** A list of choices is none of them: what is chosen there is only chosen. */
const menuTypes = [
  "_NET_WM_WINDOW_TYPE_POPUP_MENU",
  "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU",
  "_NET_WM_WINDOW_TYPE_MENU",
] as const;
type AtomName = "WM_CLASS" | "_NET_WM_PID" | "WM_NAME" | "_NET_WM_WINDOW_TYPE" | (typeof menuTypes)[number];

async function readOverlay(
  x: XConnection,
  atoms: Readonly<Record<AtomName, number>>,
  id: number,
): Promise<Overlay | undefined> {
  const [bounds, classes, pid, name, type, knownPid] = await Promise.all([
    getScreenGeometry(x, id),
    getProperty(x, id, atoms.WM_CLASS),
    getProperty(x, id, atoms._NET_WM_PID),
    getProperty(x, id, atoms.WM_NAME),
    getProperty(x, id, atoms._NET_WM_WINDOW_TYPE),
    findClientPid(x, id),
  ]);
  if (bounds === undefined) return undefined;
  const [instance = "", className = ""] = (classes?.bytes.toString("utf8") ?? "").split("\0");
  const saidPid = firstOf(pid);
  return {
    id,
    ...nameApplication({ instance, className, saidPid, knownPid }),
    pid: knownPid ?? saidPid,
    title: cleanText(name?.bytes.toString("latin1") ?? "", maxTitleLength),
    class: cleanText(className, maxTitleLength),
    bounds,
    isFocused: false,
    state: [],
    monitor: "",
    zOrder: 0,
    isMenu: type !== undefined && readUint32s(type.bytes).some((atom) => menuTypes.some((one) => atoms[one] === atom)),
  };
}

function firstOf(property: Property | undefined): number {
  return property?.format === 32 ? (readUint32s(property.bytes)[0] ?? 0) : 0;
}
