import type { Action, Invocations } from "../../../model/action.ts";
import type { Role } from "../../../model/role.ts";
import type { State } from "../../../model/state.ts";
import type { RawNode } from "./nodes.ts";
import { isInterface } from "./peer.ts";
import { activationKey, type Quirks } from "./quirks.ts";

/**
 * The AT-SPI names of each action. They are compared in lower case without spaces. Chromium's "doDefault" and
 * "showContextMenu" are missing: it offers them on everything in a page.
 */
const actionNames: readonly (readonly [Action, readonly string[]])[] = [
  ["press", ["click", "press", "activate", "jump", "open", "switch", "gtk-widget-activate", "togglepopup", "popup"]],
  ["toggle", ["toggle", "check", "uncheck"]],
  ["expand", ["toggleexpand", "expandorcontract", "expandorcollapse", "expand", "listitem.toggle-expand", "collapse"]],
  ["select", ["select"]],
  ["menu", ["menu", "showmenu", "contextmenu"]],
  ["increment", ["increase", "increment"]],
  ["decrement", ["decrease", "decrement"]],
  ["cancel", ["cancel"]],
  ["focus", ["setfocus"]],
];
const actionOfName = new Map(actionNames.flatMap(([action, names]) => names.map((name) => [name, action] as const)));

const toggles: ReadonlySet<Role> = new Set<Role>(["checkbox", "switch", "toggle"]);
const sliders: ReadonlySet<Role> = new Set<Role>(["slider", "spin", "scrollbar"]);

/** The platform's action name for each action; the first one offered wins. */
export function readInvocations(node: RawNode, role: Role): Invocations {
  const names: Partial<Record<Action, string>> = {};
  for (const { action, name } of listActions(node, role)) names[action] ??= name;
  return names;
}

function listActions(node: RawNode, role: Role): { readonly action: Action; readonly name: string }[] {
  return (node.details.actions ?? []).flatMap(([name]) => {
    const action = actionOfName.get(name.toLowerCase().replaceAll(/[\s_]/g, ""));
    // To open an icon of a file manager takes a double click.
    if (action === undefined || (role === "icon" && name === "open")) return [];
    return [{ action: action === "press" && toggles.has(role) ? ("toggle" as const) : action, name }];
  });
}

export function readActions(node: RawNode, role: Role, states: ReadonlySet<State>, quirks: Quirks): Action[] {
  const found = new Set<Action>();
  for (const { action } of listActions(node, role)) found.add(action);
  if (quirks.expandsEveryCell && role === "cell" && !states.has("expanded") && !states.has("collapsed"))
    found.delete("expand");
  if (states.has("editable") && quirks.takesText !== "none" && isInterface(node.interfaces, "EditableText"))
    found.add("set");
  if (sliders.has(role) && isInterface(node.interfaces, "Value")) {
    for (const way of ["increment", "decrement", "set"] as const) found.add(way);
  }
  if (states.has("selectable")) found.add("select");
  if (role === "scroll" || role === "scrollbar") found.add("scroll");
  return [...found];
}

/**
 * AT-SPI key bindings are "mnemonic;menu path;accelerator" in GTK's notation; other toolkits give only the last. The
 * accelerator works from anywhere, so it is the shortcut.
 */
export function readShortcut(bindings: readonly string[]): string {
  for (const binding of bindings) {
    const parts = binding.split(";");
    const accelerator = parts.length >= 3 ? parts[2] : parts.length === 1 ? parts[0] : undefined;
    if (accelerator !== undefined && accelerator !== "" && !activationKey.test(accelerator))
      return formatAccelerator(accelerator);
  }
  return "";
}

const modifierNames = new Map([
  ["primary", "Ctrl"],
  ["control", "Ctrl"],
  ["ctrl", "Ctrl"],
  ["shift", "Shift"],
  ["alt", "Alt"],
  ["super", "Super"],
  ["meta", "Meta"],
]);

/** "<Primary><Shift>s" → "Ctrl+Shift+S" */
function formatAccelerator(accelerator: string): string {
  const parts: string[] = [];
  const key = accelerator.replaceAll(/<([^>]+)>/g, (_match, modifier: string) => {
    parts.push(modifierNames.get(modifier.toLowerCase()) ?? modifier);
    return "";
  });
  return [...parts, key.length === 1 ? key.toUpperCase() : key].join("+");
}
