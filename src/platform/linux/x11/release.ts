import type { Env } from "../../../model/env.ts";
import { XConnection, XUnavailable } from "./connection.ts";
import { Leftovers } from "./leftovers.ts";
import { addStuckKeys } from "./pressed-keys.ts";
import { encodeUndo, parseUndo } from "./undo.ts";
import { Xkb } from "./xkb.ts";
import { orderTogether, XTest } from "./xtest.ts";

/** A key that stays down is worse than a process that waits: only a display that is gone is given up. */
const timeoutMs = 30_000;

/** Undoes what a process that ended left held or changed; run by the watchdog. */
export async function releaseInput(text: string, env: Env): Promise<void> {
  const undo = parseUndo(text);
  if (undo === undefined) return;
  try {
    const x = await XConnection.connect(env, timeoutMs);
    const extension = await x.findExtension("XTEST");
    if (extension !== undefined) {
      // Called by hand it can only release, never press.
      const all = { ...(await addStuckKeys(x, undo)), pressKeys: [] };
      const requests = encodeUndo(new XTest(extension, x.root), await Xkb.open(x), all);
      await orderTogether(x, [...requests, (await Leftovers.open(x)).remove()]);
    }
    x.close();
  } catch (error) {
    // A display that is gone holds nothing.
    if (!(error instanceof XUnavailable)) throw error;
  }
}
