import type { Env } from "../../../model/env.ts";
import { XConnection, XUnavailable } from "./connection.ts";
import { Leftovers } from "./leftovers.ts";
import { KeyboardTurn } from "./turn.ts";
import { encodeUndo, nothingToUndo, parseUndo } from "./undo.ts";
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
      const xtest = new XTest(extension, x.root);
      const { releaseButtons, releaseKeys } = undo;
      await orderTogether(x, encodeUndo(xtest, undefined, { ...nothingToUndo, releaseButtons, releaseKeys }));
      if (undo.sparedKeys !== undefined) await undoKeyboard(x, xtest);
    }
    x.close();
  } catch (error) {
    // A display that is gone holds nothing.
    if (!(error instanceof XUnavailable)) throw error;
  }
}

/**
 * On a busy machine this process starts seconds after the other one ended. Another may type by then: it has undone what
 * was left and has changed the keyboard for itself, so what is undone is what the note says, and only in turn.
 */
async function undoKeyboard(x: XConnection, xtest: XTest): Promise<void> {
  if (!(await new KeyboardTurn(x).take(timeoutMs))) return;
  // Called by hand it can only release, never press.
  await (await Leftovers.open(x)).undo(xtest, await Xkb.open(x), false);
}
