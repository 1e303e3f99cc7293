import type { XConnection } from "./connection.ts";
import type { Undo } from "./undo.ts";

const queryKeymap = 44;

/** The keycodes that are down, on whatever keyboard. */
export async function readPressedKeys(x: XConnection): Promise<number[]> {
  const bytes = Buffer.alloc(4);
  bytes[0] = queryKeymap;
  const bits = (await x.request(bytes)).subarray(8, 40);
  return Array.from({ length: 256 }, (_, keycode) => keycode).filter(
    (keycode) => ((bits[keycode >> 3] ?? 0) & (1 << (keycode & 7))) !== 0,
  );
}

/**
 * With the keys that are down and were not before. A stroke is one write, and yet no whole: a server that is interrupted
 * after the press, and finds then that the client has been killed, forgets the rest. Which keys are struck is told to nobody.
 */
export async function addStuckKeys(x: XConnection, undo: Undo): Promise<Undo> {
  const { sparedKeys } = undo;
  if (sparedKeys === undefined) return undo;
  const stuck = (await readPressedKeys(x)).filter((keycode) => !sparedKeys.includes(keycode));
  return { ...undo, releaseKeys: [...new Set([...undo.releaseKeys, ...stuck])] };
}
