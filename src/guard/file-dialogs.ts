import type { Command } from "../model/command.ts";
import type { SingleElement } from "../model/element.ts";
import { entryOrIconRoles } from "../model/role.ts";
import type { Request } from "./gate.ts";
import { mayNameOwnFile } from "./own-files.ts";

/** Whether a command in a file dialog may open, save or enter something in Deskmap's own folders. */
export function mayReachOwnFiles(command: Command, request: Request): boolean {
  if (isHarmless(command)) return false;
  const { element, within = () => [], elements = () => [] } = request;
  const shown = elements().filter(({ states }) => !states.has("hidden"));
  if (!shown.some(isFileDialog)) return false;
  if (shown.some(isOwnFolderOpen)) return true;
  const target = "element" in command ? command.element : element;
  const chosen = [...(target === undefined ? [] : [target]), ...within()].filter(isEntry);
  if (chosen.some(({ name }) => mayNameOwnFile(name))) return true;
  if (command.kind === "set-text") return mayNameOwnFile(command.text);
  const fields = shown.filter(({ role }) => role === "input").map(({ value }) => value);
  // The text may replace what a field holds, or be added to it at either end.
  const typed =
    command.kind === "type"
      ? [command.text, ...fields.flatMap((held) => [`${held}${command.text}`, `${command.text}${held}`])]
      : fields;
  const selected = shown.filter((one) => isEntry(one) && one.states.has("selected")).map(({ name }) => name);
  return [...typed, ...selected].some(mayNameOwnFile);
}

/** The role of GTK, and the ids of Qt, whose dialogs have the role of any other. */
function isFileDialog({ platformRole, platformId }: SingleElement): boolean {
  return platformRole === "file chooser" || /\b(QFileDialog|fileNameEdit)\b/.test(platformId);
}

/** The pressed button of a path bar, or the list with the current folder. */
function isOwnFolderOpen({ role, name, value, states }: SingleElement): boolean {
  if (role === "toggle") return states.has("checked") && mayNameOwnFile(name);
  return role === "select" && [name, value].some(mayNameOwnFile);
}

function isEntry({ role, name }: SingleElement): boolean {
  return entryOrIconRoles.has(role) && name !== "";
}

const harmlessKeys: ReadonlySet<string> = new Set(["Escape", "BackSpace", "Delete", "Up", "Down", "Home", "End"]);

/** What leaves a dialog, or changes what is chosen in a list. */
export function isHarmless(command: Command): boolean {
  switch (command.kind) {
    case "keys":
      return harmlessKeys.has(command.combo.key) && command.combo.modifiers.length === 0;
    case "point":
    case "wheel":
    case "focus":
    case "reveal":
    case "window":
    case "open":
    case "quit":
    case "terminate":
    case "write-clipboard":
      return true;
    default:
      return false;
  }
}
