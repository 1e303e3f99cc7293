import type { Request } from "../../src/guard/gate.ts";
import type { Command, InputCommand } from "../../src/model/command.ts";
import type { SingleElement } from "../../src/model/element.ts";
import type { Combo } from "../../src/model/keys.ts";
import type { Role } from "../../src/model/role.ts";
import type { State } from "../../src/model/state.ts";
import type { Window } from "../../src/model/window.ts";

/** A test control. */
export function control(role: Role, name: string, ...states: readonly State[]): SingleElement {
  return {
    role,
    platformRole: role,
    name,
    ownName: name,
    value: "",
    description: "",
    states: new Set(states),
    bounds: { x: 0, y: 0, width: 80, height: 20 },
    clickPoint: { x: 40, y: 10 },
    actions: ["press"],
    platformActions: ["click"],
    invocations: { press: "click" },
    shortcut: "",
    platformId: "",
    source: "a11y",
    life: "",
    handle: `${role} ${name}`,
    alikeIndex: 0,
    alikeCount: 1,
    url: "",
  };
}

function dialog(title: string): Window {
  return {
    id: 7,
    app: "Files",
    aliases: ["files", "org.example.files"],
    pid: 77,
    title,
    class: "Files",
    bounds: { x: 0, y: 0, width: 400, height: 200 },
    isFocused: true,
    state: [],
    monitor: "one",
    zOrder: 0,
  };
}

export const press = (element: SingleElement): Command => ({ kind: "invoke", element, action: "click" });
export const click: InputCommand & { readonly kind: "click" } = {
  kind: "click",
  point: { x: 1, y: 1 },
  button: "left",
  count: 1,
};
export const typing = (text: string): Command => ({ kind: "type", text, delayMs: 0 });
export const keys = (key: string, ...modifiers: Combo["modifiers"]): InputCommand & { readonly kind: "keys" } => ({
  kind: "keys",
  combo: { modifiers, key },
});

/** A request for a control, in a window with the given texts. */
export function about(element: SingleElement | undefined, title = "", ...texts: readonly string[]): Request {
  return { tool: "click", element, window: dialog(title), surroundings: () => texts };
}
