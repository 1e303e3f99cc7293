import type { Command } from "../model/command.ts";
import type { SingleElement } from "../model/element.ts";
import { entryOrIconRoles, type Role } from "../model/role.ts";
import type { Window } from "../model/window.ts";
import { isHarmless } from "./file-dialogs.ts";
import { controlRoles, isFileManager, listOwnEntries, listSelected } from "./file-managers.ts";
import type { Request } from "./gate.ts";
import { isBesideOwn, isOwnListed } from "./own-files.ts";

/** Whether a command in a file manager may open, copy, move or change one of Deskmap's own files or folders. */
export function mayReachOwnEntries(command: Command, request: Request): boolean {
  const { window, element, onto } = request;
  if (window === undefined || !isFileManager(window) || isHarmless(command)) return false;
  const isOwn = ({ name }: { readonly name: string }): boolean => isOwnListed(name.trim(), window, request);
  const dropped = onto === undefined ? [] : listOwnEntries({ ...request, element: onto, within: undefined });
  if (dropped.some(isOwn)) return true;
  const meant = listOwnEntries(request);
  if (meant.length > 0) return meant.some(isOwn);
  if (isNavigating(command) || (element !== undefined && ownRoles.has(element.role))) return false;
  const isPointed = "point" in command || command.kind === "drag";
  const selected = isPointed && element?.role !== "menuitem" ? [] : listSelected(request);
  return selected.length > 0 ? selected.some(isOwn) : isUnknown(window, request);
}

/** What they do is not done to the selection; an entry of a menu is. */
const ownRoles = new Set<Role>([...controlRoles, "input"]);

/** Keys that show another folder, or the same in another way. */
function isNavigating(command: Command): boolean {
  if (command.kind !== "keys") return false;
  const { key, modifiers } = command.combo;
  const held = modifiers.join("+");
  return (
    (held === "alt" && /^(Up|Left|Right|Home)$/.test(key)) ||
    (held === "ctrl" && /^[lLhH123]$/.test(key)) ||
    (held === "" && /^(F5|F10|Tab)$/.test(key))
  );
}

/** The folder around Deskmap's own, and its list does not tell that entry. */
function isUnknown(window: Window, request: Request): boolean {
  const { elements = () => [] } = request;
  const isOwn = ({ role, name }: SingleElement): boolean =>
    entryOrIconRoles.has(role) && isOwnListed(name.trim(), window, request);
  return isBesideOwn(window) && !elements().some(isOwn);
}
