import { isInOpenList } from "../find/hit.ts";
import { listWithPaths } from "../model/element.ts";
import { type Result, succeed } from "../model/failure.ts";
import { nameElement } from "../model/observed.ts";
import type { Role } from "../model/role.ts";
import type { Popup, Window } from "../model/window.ts";
import { type Attempt, frontMs } from "./attempt.ts";
import { isShownIn } from "./popups.ts";

/** Brings the control's window to the front, without a menu of its application, which would take the keys. */
export async function takeKeyboard(attempt: Attempt): Promise<Result<void>> {
  const closed = await closeMenus(attempt);
  return closed.ok ? attempt.bringToFront() : closed;
}

/** A submenu may close by itself, or with the menu that opened it. */
const maxEscapes = 6;

async function closeMenus(attempt: Attempt): Promise<Result<void>> {
  let menus = await listMenus(attempt);
  if (menus.length === 0 || isMeant(attempt, menus)) return succeed(undefined);
  const name = nameMenu(attempt);
  for (let pressed = 0; menus.length > 0 && pressed < maxEscapes; pressed += 1) {
    const keyed = await findKeyed(attempt);
    const toClose = { kind: "keys", combo: { modifiers: [], key: "Escape" } } as const;
    const done = await attempt.prepare(toClose, `${name} was closed`, keyed);
    if (!done.ok) return done;
    const count = menus.length;
    const isFewer = await attempt.waitUntil(frontMs, async () => {
      menus = await listMenus(attempt);
      return menus.length < count;
    });
    if (!isFewer) break;
  }
  if (menus.length === 0) return succeed(undefined);
  const message = `${name} is open and takes every key meant for ${nameElement(attempt.element)}; Escape did not close it`;
  return attempt.refuse("COVERED", message, "choose an entry of it, or close it.");
}

/** Those of another application are the guard's affair. */
async function listMenus({ desktop, window }: Attempt): Promise<readonly Popup[]> {
  const popups = await desktop.platform.listPopups();
  return popups.ok ? popups.value.filter(({ isMenu, pid }) => isMenu === true && pid !== 0 && pid === window.pid) : [];
}

const menuRoles: ReadonlySet<Role> = new Set<Role>(["menubar", "menu", "menuitem"]);

/** Whether the keys are for the menu itself, for what it belongs to, or for a field within it. */
function isMeant({ element, sighting }: Attempt, menus: readonly Popup[]): boolean {
  const bounds = menus.map((menu) => menu.bounds);
  const isPart = [element, ...sighting.placed.ancestors].some(({ role, states }) => {
    return menuRoles.has(role) || (role === "select" && states.has("expanded"));
  });
  return isPart || isShownIn(bounds, element);
}

/** The innermost of those that are open. Some are in no tree; what a list is called there may be its choice. */
function nameMenu({ sighting }: Attempt): string {
  const open = sighting.snapshot.windows
    .flatMap(({ root }) => listWithPaths(root))
    .filter(({ element, ancestors }) => menuRoles.has(element.role) && isInOpenList(element, ancestors))
    .map(({ ancestors }) => ancestors);
  if (open.some((ancestors) => ancestors.some(({ role }) => role === "select"))) return "an open list";
  // An entry of a menu bar may hold the entries.
  const menu = open.flat().findLast(({ role, name }) => menuRoles.has(role) && name !== "");
  return menu === undefined ? "an open menu" : nameElement(menu);
}

/** The window that the menu leaves the keyboard to. */
async function findKeyed({ desktop, window }: Attempt): Promise<Window> {
  const list = await desktop.platform.listWindows();
  const focused = list.ok ? list.value.windows.find(({ isFocused }) => isFocused) : undefined;
  return focused?.pid === window.pid ? focused : window;
}
