import { flatten, type SingleElement } from "../../model/element.ts";
import { succeed } from "../../model/failure.ts";
import { withObject } from "./atspi/object.ts";
import type { Parts } from "./connections.ts";
import type { Bus } from "./dbus/bus.ts";

const maxFields = 40;
const maxLength = 10_000;
/** Shorter pieces occur in most texts. */
const tellingLength = 3;

/**
 * Whether a selected or copied text is (part of) what a secret field of that process shows: dragging the mouse puts any
 * text into the primary selection. Text copied before the field changed is not recognised.
 */
export async function isShownSecret(parts: Parts, pid: number, text: string): Promise<boolean> {
  if (text.trim().length < tellingLength) return false;
  const list = await parts.listWindows();
  const windows = list.ok ? list.value.windows.filter((window) => window.pid === pid) : [];
  if (windows.length === 0) return false;
  const read = await parts.readWindows({ windows, includeHidden: true, timeoutMs: parts.options.timeoutMs });
  const roots = read.ok ? read.value.flatMap(({ root }) => (root === undefined ? [] : [root])) : [];
  const secret = flatten(roots).filter(({ states }) => states.has("secret"));
  if (secret.length === 0) return false;
  const held = await parts.withBus((bus) =>
    Promise.all(secret.slice(0, maxFields).map((field) => readHeldText(bus, field, parts.options.timeoutMs))),
  );
  return held.ok && held.value.some((one) => isPartOf(text.trim(), one.trim()));
}

/** The text of a field, secret or not: for comparison only, never reported. "" if it does not answer. */
async function readHeldText(bus: Bus, field: SingleElement, timeoutMs: number): Promise<string> {
  const text = await withObject(bus, field, timeoutMs, succeed(""), async (peer, path) =>
    succeed(await peer.getText(path, 0, maxLength)),
  );
  return text.ok ? text.value : "";
}

function isPartOf(text: string, held: string): boolean {
  if (held.length < tellingLength) return false;
  return held.includes(text) || text.includes(held);
}
