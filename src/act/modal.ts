import { findBlocker } from "../find/blocker.ts";
import type { Sighting } from "../find/locate.ts";
import { type Element, flatten } from "../model/element.ts";
import type { Failure } from "../model/failure.ts";
import { nameElement } from "../model/observed.ts";
import { kindOfRole } from "../model/role.ts";
import type { Window } from "../model/window.ts";
import type { Attempt } from "./attempt.ts";

/** Those that answer a dialog come last. */
const maxButtons = 6;

/**
 * Refuses a control whose window or page is blocked by a modal dialog. Its accessible actions would still work, behind the
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
  const alert = blocker === undefined ? findAlert(sighting) : undefined;
  if (blocker === undefined && alert === undefined) return undefined;
  const { id, title, app } = blocker ?? { ...window, title: "" };
  const windows = blocker === undefined ? [] : [blocker];
  const read = await desktop.platform.readWindows({ windows, includeHidden: false, timeoutMs });
  const root = alert ?? (read.ok ? read.value[0]?.root : undefined);
  const inside = root === undefined ? [] : flatten(root.children);
  const name = alert?.name ?? (title || inside.find(isWords)?.name || app);
  const failure = attempt.describe(
    "COVERED",
    `${nameElement({ role: root?.role ?? "window", name })} must be answered before ${nameElement(element)} can be used`,
    `deskmap read --window-id ${id}`,
  );
  const buttons = inside.filter(({ role, name, states }) => role === "button" && name !== "" && !states.has("hidden"));
  return { ...failure, nearest: buttons.slice(-maxButtons).map(nameElement) };
}

/** A dialog without a title is named by its first text. */
function isWords({ role, name }: Element): boolean {
  return kindOfRole(role) === "text" && name !== "";
}

/**
 * An alert within the window of its page: the keyboard is in a frame beside that of the page. Its role is not always
 * that of a dialog.
 */
function findAlert({ placed: { ancestors } }: Sighting): Element | undefined {
  const page = ancestors.findIndex(({ role }) => role === "web");
  const beside = page < 2 ? [] : (ancestors[page - 2]?.children ?? []);
  const frame = beside.find((one) => {
    const inside = flatten([one]);
    const isOther = one.role === "window" && !inside.some(({ role }) => role === "web");
    return isOther && !one.states.has("hidden") && inside.some(({ states }) => states.has("focused"));
  });
  return frame && flatten([frame]).find(({ name }) => name !== "");
}
