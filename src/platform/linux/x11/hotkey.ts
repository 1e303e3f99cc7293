import { fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import { type Combo, type Modifier, showCombo } from "../../../model/keys.ts";
import type { OpenOptions } from "../../port.ts";
import { describeLostDisplay } from "../failures.ts";
import { XConnection } from "./connection.ts";
import { keysymOf, keysymOfName } from "./keysyms.ts";
import { ignoreLoss, XError, XUnavailable } from "./transport.ts";
import { codeOf, encodeRequest, eventCode, pack } from "./wire.ts";

const opcode = { ungrabKeyboard: 32, grabKey: 33, ungrabKey: 34 };
const asynchronous = 1;
const anyKey = 0;
const anyModifier = 1 << 15;

/** As in every common layout (X keyboard configuration, "Modifier mapping"). */
const masks: Readonly<Record<Modifier, number>> = { shift: 1 << 0, ctrl: 1 << 2, alt: 1 << 3, super: 1 << 6 };
/** Grabs must include Caps Lock and Num Lock variants. */
const locks = [0, 1 << 1, 1 << 4, (1 << 1) | (1 << 4)];

/** Grabs a key combination over a separate connection: the server releases it with that. */
export async function listenForKeys(
  { env, timeoutMs }: OpenOptions,
  combo: Combo,
  onPressed: () => void,
): Promise<Result<() => void>> {
  let x: XConnection | undefined;
  try {
    x = await XConnection.connect(env, timeoutMs);
    const own = x;
    own.listen((message) => handleEvent(own, combo, message, onPressed));
    const isTaken = await grab(own, combo);
    if (isTaken) return succeed(() => own.close());
    own.close();
    return refuse(`this keyboard has no ${showCombo(combo)}`, "f9");
  } catch (error) {
    x?.close();
    if (error instanceof XError) return refuse(`another program uses ${showCombo(combo)}`, "ctrl+alt+k");
    if (error instanceof XUnavailable) return fail(describeLostDisplay(error));
    throw error;
  }
}

function handleEvent(x: XConnection, combo: Combo, message: Buffer, onPressed: () => void): void {
  if (codeOf(message) === eventCode.mapping) grabAgain(x, combo).catch(ignoreLoss);
  if (codeOf(message) !== eventCode.keyPress) return;
  // Otherwise the keyboard would stay grabbed while the keys are down.
  x.send(encodeRequest(opcode.ungrabKeyboard, 0, [0])).catch(ignoreLoss);
  onPressed();
}

async function grabAgain(x: XConnection, combo: Combo): Promise<void> {
  await x.send(encodeRequest(opcode.ungrabKey, anyKey, [x.root, anyModifier]));
  await grab(x, combo);
}

/** Returns false if the layout has no such key. */
async function grab(x: XConnection, { key, modifiers }: Combo): Promise<boolean> {
  const keycodes = await x.findKeycodes(keysymOfName(key) ?? keysymOf(key), "first level");
  const held = modifiers.reduce((mask, modifier) => mask | masks[modifier], 0);
  const grabs = keycodes.flatMap((keycode) =>
    locks.map((lock) => {
      const key = pack(held | lock, keycode | (asynchronous << 8));
      return encodeRequest(opcode.grabKey, 0, [x.root, key, asynchronous]);
    }),
  );
  await x.sendAll(grabs);
  return keycodes.length > 0;
}

function refuse(message: string, otherKeys: string): Result<never> {
  return fail(makeFailure("UNAVAILABLE", message, `choose other keys: --hotkey ${otherKeys}`));
}
