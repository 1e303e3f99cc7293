import type { XConnection } from "./connection.ts";
import type { Undo } from "./undo.ts";

const queryKeymap = 44;

/** The keycodes that are down on any keyboard. */
export async function readPressedKeys(x: XConnection): Promise<number[]> {
  const bytes = Buffer.alloc(4);
  bytes[0] = queryKeymap;
  const bits = (await x.request(bytes)).subarray(8, 40);
  return Array.from({ length: 256 }, (_, keycode) => keycode).filter(
    (keycode) => ((bits[keycode >> 3] ?? 0) & (1 << (keycode & 7))) !== 0,
  );
}

/**
 * Adds keys that are down now and were not before. A stroke is one write but not atomic: a server interrupted after the
 * press that finds the client killed drops the rest. Which keys were struck is not recorded.
 */
export async function addStuckKeys(x: XConnection, undo: Undo): Promise<Undo> {
  const { sparedKeys } = undo;
  if (sparedKeys === undefined) return undo;
  const stuck = (await readPressedKeys(x)).filter((keycode) => !sparedKeys.includes(keycode));
  return { ...undo, releaseKeys: [...new Set([...undo.releaseKeys, ...stuck])] };
}
