import type { Env } from "../../../model/env.ts";
import type { StopKeys } from "../../module.ts";
import { XConnection } from "./connection.ts";
import { DoubleEscape, ownEscapeProperty } from "./double-escape.ts";
import { escapeKeysym } from "./keysyms.ts";
import { ignoreLoss, type XExtension, XUnavailable } from "./transport.ts";
import { codeOf, encodeRequest, eventCode, eventMask, pack, pad4, selectInput } from "./wire.ts";

/** The X Input extension, version 2 (XI2proto). */
const xi = { selectEvents: 46, queryVersion: 47, queryDevice: 48 };
const raw = { keyPress: 13, keyRelease: 14, buttonPress: 15 };
const kinds = new Map<number, "press" | "release" | "button">([
  [raw.keyPress, "press"],
  [raw.keyRelease, "release"],
  [raw.buttonPress, "button"],
]);
const allDevices = 0;
const allMasters = 1;
const repeatFlag = 1 << 16;
const connectTimeoutMs = 5000;

/**
 * Calls back when a person presses Escape twice, whatever has the focus or a grab: raw events reach every listener (XI
 * 2.1) without disturbing others.
 */
export async function listenForStopKeys(env: Env, onPressed: () => void): Promise<StopKeys | string> {
  let x: XConnection;
  try {
    x = await XConnection.connect(env, connectTimeoutMs);
  } catch (error) {
    if (!(error instanceof XUnavailable)) throw error;
    return error.message;
  }
  const extension = await x.findExtension("XInputExtension");
  const listener = extension === undefined ? undefined : new EscapeListener(x, extension, onPressed);
  if (listener !== undefined && (await listener.begin()))
    return { ended: listener.ended.promise, close: () => x.close() };
  x.close();
  return "this X server has no X Input 2.1";
}

class EscapeListener {
  readonly ended = Promise.withResolvers<void>();
  private escapes: ReadonlySet<number> = new Set();
  private programmed: ReadonlySet<number> = new Set();
  private atoms = { own: 0, typing: 0 };
  /** Events that follow a change of the keyboard layout, until the new layout is known. */
  private delayed: Buffer[] | undefined;
  private readonly keys = new DoubleEscape((source) => this.programmed.has(source));

  constructor(
    private readonly x: XConnection,
    private readonly extension: XExtension,
    private readonly onPressed: () => void,
  ) {}

  async begin(): Promise<boolean> {
    const { x, extension } = this;
    const version = await x.request(encodeRequest(extension.opcode, xi.queryVersion, [pack(2, 2)]));
    if (version.readUInt16LE(8) < 2 || (version.readUInt16LE(8) === 2 && version.readUInt16LE(10) < 1)) return false;
    const atoms = await x.internAtoms([ownEscapeProperty, "_DESKMAP_KEYBOARD"]);
    this.atoms = { own: atoms[ownEscapeProperty], typing: atoms._DESKMAP_KEYBOARD };
    this.programmed = parseProgrammed(await x.request(encodeRequest(extension.opcode, xi.queryDevice, [allDevices])));
    await this.readEscapes();
    x.listen((message) => this.handleEvent(message));
    x.onEnd(() => this.ended.resolve());
    await x.send(selectInput(x.root, eventMask.property));
    const rawEvents = [...kinds.keys()].reduce((mask, kind) => mask | (1 << kind), 0);
    // One mask of one word.
    const words = [x.root, 1, pack(allMasters, 1), rawEvents];
    await x.send(encodeRequest(extension.opcode, xi.selectEvents, words));
    return true;
  }

  private handleEvent(message: Buffer): void {
    if (this.delayed !== undefined) {
      this.delayed.push(message);
      return;
    }
    const kind = codeOf(message);
    if (kind === eventCode.mapping) {
      this.delayed = [];
      this.readEscapes()
        .then(() => this.handleDelayed())
        .catch(ignoreLoss);
    }
    if (kind === eventCode.property && message.readUInt32LE(8) === this.atoms.own) {
      this.keys.expectOwn(message.readUInt32LE(12));
    }
    if (kind === eventCode.generic && message[1] === this.extension.opcode) this.handleRaw(message);
  }

  private handleDelayed(): void {
    const messages = this.delayed ?? [];
    this.delayed = undefined;
    for (const message of messages) this.handleEvent(message);
  }

  private handleRaw(message: Buffer): void {
    const kind = kinds.get(message.readUInt16LE(8));
    if (kind === undefined || (message.readUInt32LE(24) & repeatFlag) !== 0) return;
    const keycode = message.readUInt32LE(16);
    const meaning = this.keys.judge({
      kind,
      keycode,
      source: message.readUInt16LE(20),
      isEscape: kind !== "button" && this.escapes.has(keycode),
      timeMs: message.readUInt32LE(12),
    });
    if (meaning === "stop") this.onPressed();
    if (meaning === "stop-while-typing") this.stopIfTyping().catch(ignoreLoss);
  }

  private async stopIfTyping(): Promise<void> {
    if ((await this.x.getSelectionOwner(this.atoms.typing)) !== 0) this.onPressed();
  }

  private async readEscapes(): Promise<void> {
    this.escapes = new Set(await this.x.findKeycodes(escapeKeysym, "any level"));
  }
}

/** The devices that programs use (XTEST has one per pointer and keyboard pair). */
function parseProgrammed(reply: Buffer): Set<number> {
  const found = new Set<number>();
  let at = 32;
  for (let count = reply.readUInt16LE(8); count > 0; count -= 1) {
    const [id, classes, nameLength] = [reply.readUInt16LE(at), reply.readUInt16LE(at + 6), reply.readUInt16LE(at + 8)];
    const name = reply.toString("utf8", at + 12, at + 12 + nameLength);
    if (/ XTEST (keyboard|pointer)$/.test(name)) found.add(id);
    at += 12 + pad4(nameLength);
    for (let index = 0; index < classes; index += 1) at += reply.readUInt16LE(at + 2) * 4;
  }
  return found;
}
