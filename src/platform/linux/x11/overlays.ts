import { cleanText } from "../../../model/plain-text.ts";
import type { Overlay } from "../../../model/window.ts";
import type { XConnection } from "./connection.ts";
import { getProperty, getScreenGeometry, internAtoms, readUint32s } from "./requests.ts";
import { setSheetApart } from "./sheet/recognise.ts";
import { listMapped, ownerAtoms, readOwnerFacts, type TopLevel } from "./top-levels.ts";
import { maxTitleLength, nameApplication } from "./window-names.ts";

/**
 * Surfaces on the screen that are in no window list, front to back: menus, tooltips, lock screens, window manager
 * frames. They are placed without a window manager, and most describe themselves poorly.
 */
export async function listOverlays(x: XConnection): Promise<Overlay[]> {
  const [atoms, mapped] = await Promise.all([
    internAtoms(x, [...ownerAtoms, "WM_NAME", "_NET_WM_WINDOW_TYPE", ...menuTypes]),
    listMapped(x),
  ]);
  const { others, picking } = await setSheetApart(x, mapped);
  // The surface that grabs pointer and keyboard during a pick covers everything, as an open menu does.
  const isPicking = ({ id }: TopLevel): boolean => picking.some((one) => one.id === id);
  const counted = mapped.filter((one) => isPicking(one) || (others.includes(one) && one.attributes.isUnmanaged));
  const found = await Promise.all(
    counted.reverse().map(async (one) => {
      const overlay = await readOverlay(x, atoms, one.id);
      return overlay && isPicking(one) ? { ...overlay, isMenu: true } : overlay;
    }),
  );
  return found.filter((window) => window !== undefined).map((window, zOrder) => ({ ...window, zOrder }));
}

/** Drop-down lists are not included: choosing there only selects. */
const menuTypes = [
  "_NET_WM_WINDOW_TYPE_POPUP_MENU",
  "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU",
  "_NET_WM_WINDOW_TYPE_MENU",
] as const;
type AtomName = (typeof ownerAtoms)[number] | "WM_NAME" | "_NET_WM_WINDOW_TYPE" | (typeof menuTypes)[number];

async function readOverlay(
  x: XConnection,
  atoms: Readonly<Record<AtomName, number>>,
  id: number,
): Promise<Overlay | undefined> {
  const [bounds, owner, name, type] = await Promise.all([
    getScreenGeometry(x, id),
    readOwnerFacts(x, atoms, id),
    getProperty(x, id, atoms.WM_NAME),
    getProperty(x, id, atoms._NET_WM_WINDOW_TYPE),
  ]);
  if (bounds === undefined) return undefined;
  return {
    id,
    ...nameApplication(owner),
    pid: owner.knownPid ?? owner.saidPid,
    title: cleanText(name?.bytes.toString("latin1") ?? "", maxTitleLength),
    class: cleanText(owner.className, maxTitleLength),
    bounds,
    isFocused: false,
    state: [],
    monitor: "",
    zOrder: 0,
    isMenu: type !== undefined && readUint32s(type.bytes).some((atom) => menuTypes.some((one) => atoms[one] === atom)),
  };
}
