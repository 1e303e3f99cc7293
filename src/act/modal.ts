import { findBlocker } from "../find/blocker.ts";
import { type Element, flatten } from "../model/element.ts";
import type { Failure } from "../model/failure.ts";
import { kindOfRole } from "../model/role.ts";
import type { Window } from "../model/window.ts";
import type { Attempt } from "./attempt.ts";
import { nameElement } from "./names.ts";

/** Those that answer a dialog come last. */
const maxButtons = 6;

/**
 * Refuses a control whose window is blocked by a modal dialog. Its accessible actions would still work, behind the
 * dialog: what the dialog asks about would change under it.
 */
export async function refuseBlocked(attempt: Attempt): Promise<Failure | undefined> {
  const { element, window, sighting, desktop, timeoutMs } = attempt;
  const list = await desktop.platform.listWindows();
  if (!list.ok) return list.failure;
  const reads = new Map(sighting.snapshot.windows.map((read) => [read.window.id, read]));
  const isModal = ({ id, state }: Window): boolean =>
    state.includes("modal") || reads.get(id)?.root?.states.has("modal") === true;
  const blocker = findBlocker(list.value.windows, window, isModal);
  if (blocker === undefined) return undefined;
  const read = await desktop.platform.readWindows({ windows: [blocker], includeHidden: false, timeoutMs });
  const root = read.ok ? read.value[0]?.root : undefined;
  const inside = root === undefined ? [] : flatten(root.children);
  const failure = attempt.describe(
    "COVERED",
    `${nameDialog(blocker, root, inside)} must be answered before ${nameElement(element)} can be used`,
    `deskmap read --window-id ${blocker.id}`,
  );
  const buttons = inside.filter(({ role, name, states }) => role === "button" && name !== "" && !states.has("hidden"));
  return { ...failure, nearest: buttons.slice(-maxButtons).map(nameElement) };
}

/** A dialog without a title is named by its first text. */
function nameDialog({ title, app }: Window, root: Element | undefined, inside: readonly Element[]): string {
  const text = inside.find(({ role, name }) => kindOfRole(role) === "text" && name !== "");
  return nameElement({ role: root?.role ?? "window", name: title || text?.name || app });
}
