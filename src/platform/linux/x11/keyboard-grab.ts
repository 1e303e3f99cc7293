import { createHiddenWindow } from "./client-requests.ts";
import type { XConnection } from "./connection.ts";
import { encodeRequest, eventMask } from "./wire.ts";

const grabKeyboard = 31;
const alreadyGrabbed = 1;
const asynchronous = 0x0101;

const hidden = new WeakMap<XConnection, Promise<number>>();

/**
 * Whether another client has grabbed the keyboard, as menus, launchers and lock screens do: keys then go there, whichever
 * window has the focus. Asked by a grab for a window that is not shown: the server answers "already grabbed" before it
 * answers "not viewable", and grabs nothing in either case.
 */
export async function isKeyboardGrabbed(x: XConnection): Promise<boolean> {
  const made = hidden.get(x) ?? createHiddenWindow(x, eventMask.none);
  hidden.set(x, made);
  const reply = await x.request(encodeRequest(grabKeyboard, 0, [await made, 0, asynchronous]));
  return reply[1] === alreadyGrabbed;
}
