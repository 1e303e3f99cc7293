import { type Failure, fail, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { type Combo, type Modifier, showCombo } from "../../../model/keys.ts";
import type { OpenOptions } from "../../port.ts";
import { describeLostDisplay } from "../unavailable.ts";
import { XConnection, XError, XUnavailable } from "./connection.ts";
import { keysymOf, keysymOfName } from "./keysyms.ts";

const opcode = { ungrabKeyboard: 32, grabKey: 33, ungrabKey: 34, getKeyboardMapping: 101 };
const event = { keyPress: 2, mapping: 34 };
const asynchronous = 1;
const anyModifier = 1 << 15;
const firstKeycode = 8;
const keycodeCount = 248;

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
    own.listen((message) => hear(own, combo, message, onPressed));
    const isTaken = await grab(own, combo);
    if (isTaken) return succeed(() => own.close());
    own.close();
    return fail(describeKeyless(combo));
  } catch (error) {
    x?.close();
    if (error instanceof XError) return fail(describeTaken(combo));
    if (error instanceof XUnavailable) return fail(describeLostDisplay(error));
    throw error;
  }
}

function hear(x: XConnection, combo: Combo, message: Buffer, onPressed: () => void): void {
  const kind = (message[0] ?? 0) & 0x7f;
  if (kind === event.mapping) {
    grabAgain(x, combo).catch(ignoreLoss);
  }
  if (kind !== event.keyPress) return;
  // Otherwise the keyboard would stay grabbed while the keys are down.
  letGo(x).catch(ignoreLoss);
  onPressed();
}

async function grabAgain(x: XConnection, combo: Combo): Promise<void> {
  const bytes = Buffer.alloc(12);
  bytes[0] = opcode.ungrabKey;
  bytes.writeUInt32LE(x.root, 4);
  bytes.writeUInt16LE(anyModifier, 8);
  await x.order(bytes);
  await grab(x, combo);
}

/** Returns false if the layout has no such key. */
async function grab(x: XConnection, { key, modifiers }: Combo): Promise<boolean> {
  const keycodes = await findKeycodes(x, keysymOfName(key) ?? keysymOf(key));
  const held = modifiers.reduce((mask, modifier) => mask | masks[modifier], 0);
  const grabs = keycodes.flatMap((keycode) =>
    locks.map((lock) => {
      const bytes = Buffer.alloc(16);
      bytes[0] = opcode.grabKey;
      bytes.writeUInt32LE(x.root, 4);
      bytes.writeUInt16LE(held | lock, 8);
      bytes[10] = keycode;
      bytes[11] = asynchronous;
      bytes[12] = asynchronous;
      return bytes;
    }),
  );
  await x.orderAll(grabs);
  return keycodes.length > 0;
}

/** The keys that produce it without Shift, in any group. */
async function findKeycodes(x: XConnection, keysym: number): Promise<number[]> {
  const bytes = Buffer.alloc(8);
  bytes[0] = opcode.getKeyboardMapping;
  bytes[4] = firstKeycode;
  bytes[5] = keycodeCount;
  const reply = await x.request(bytes);
  const width = reply[1] ?? 0;
  const keycodes: number[] = [];
  for (let row = 0; row < keycodeCount && width > 0; row += 1) {
    const at = 32 + row * width * 4;
    if (at + 4 <= reply.length && reply.readUInt32LE(at) === keysym) keycodes.push(firstKeycode + row);
  }
  return keycodes;
}

function letGo(x: XConnection): Promise<void> {
  const bytes = Buffer.alloc(8);
  bytes[0] = opcode.ungrabKeyboard;
  return x.order(bytes);
}

function ignoreLoss(error: unknown): void {
  if (!(error instanceof XUnavailable || error instanceof XError)) throw error;
}

function describeTaken(combo: Combo): Failure {
  return {
    code: "UNAVAILABLE",
    message: `another program uses ${showCombo(combo)}`,
    suggestion: "choose other keys: --hotkey ctrl+alt+k",
    done: nothingDone,
  };
}

function describeKeyless(combo: Combo): Failure {
  return {
    code: "UNAVAILABLE",
    message: `this keyboard has no ${showCombo(combo)}`,
    suggestion: "choose other keys: --hotkey f9",
    done: nothingDone,
  };
}
