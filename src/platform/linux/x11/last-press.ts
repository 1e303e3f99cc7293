import type { Point } from "../../../model/bounds.ts";
import type { Button } from "../../../model/command.ts";
import { numbersOf, type XConnection } from "./connection.ts";
import { encodeNumbers, pad4 } from "./wire.ts";

/** The last press is stored on the root window, where all Deskmap processes find it. */
export const lastPressProperty = "_DESKMAP_LAST_PRESS";

export const buttonNumbers: Readonly<Record<Button, number>> = { left: 1, middle: 2, right: 3 };

/** GTK and Qt default to 400 ms, browsers and Java to 500. */
const usualMs = 500;
const longestMs = 5000;
/** Time between writing the property and the press. */
const marginMs = 40;
/** GTK and Qt allow 5 pixels, twice as many on a dense screen. */
const nearPx = 16;
const wrap = 2 ** 32;

/** Position, button, and the time in milliseconds modulo 2³². */
export function encodePress({ x, y }: Point, button: Button): Buffer {
  return encodeNumbers([x, y, buttonNumbers[button], Date.now() % wrap]);
}

/** How long to wait so that a press does not form a double click with the last one. */
export async function findPressPauseMs(x: XConnection, point: Point, button: Button): Promise<number> {
  const atoms = await x.internAtoms([lastPressProperty]);
  const property = await x.getProperty(x.root, atoms[lastPressProperty]);
  const [lastX = 0, lastY = 0, number = 0, timeMs = 0] = numbersOf(property);
  const isNear = Math.abs(lastX - point.x) <= nearPx && Math.abs(lastY - point.y) <= nearPx;
  if (number !== buttonNumbers[button] || !isNear) return 0;
  const elapsedMs = ((Date.now() % wrap) - timeMs + wrap) % wrap;
  if (elapsedMs > longestMs + marginMs) return 0;
  return Math.max(0, (await readDoubleClickMs(x)) + marginMs - elapsedMs);
}

/** From XSETTINGS; never less than the default. */
async function readDoubleClickMs(x: XConnection): Promise<number> {
  const atoms = await x.internAtoms(["_XSETTINGS_S0", "_XSETTINGS_SETTINGS"]);
  const manager = await x.getSelectionOwner(atoms._XSETTINGS_S0);
  const settings = manager === 0 ? undefined : await x.getProperty(manager, atoms._XSETTINGS_SETTINGS);
  const set = settings === undefined ? 0 : findSetting(settings.bytes, "Net/DoubleClickTime");
  return Math.min(longestMs, Math.max(usualMs, set));
}

const headBytes = 4;
const wholeNumber = 0;

/** An integer setting: type and name length, name, serial, value. */
function findSetting(bytes: Buffer, name: string): number {
  const at = bytes.indexOf(name, 0, "latin1");
  const valueAt = at + pad4(name.length) + 4;
  if (at < headBytes || bytes[at - headBytes] !== wholeNumber || valueAt + 4 > bytes.length) return 0;
  return bytes[0] === 0 ? bytes.readInt32LE(valueAt) : bytes.readInt32BE(valueAt);
}
