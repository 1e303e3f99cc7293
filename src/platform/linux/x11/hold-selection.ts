import type { Selection } from "../../../model/clipboard.ts";
import { convertSelection, createHiddenWindow, readServerTime, sendEvent } from "./client-requests.ts";
import { numbersOf, type XConnection } from "./connection.ts";
import { selectionAtoms } from "./selection-owner.ts";
import { XError } from "./transport.ts";
import {
  changeProperty,
  codeOf,
  encodeNumbers,
  encodeRequest,
  eventCode,
  eventMask,
  type PropertyValue,
  selectInput,
  setSelectionOwner,
} from "./wire.ts";

const atomNames = [
  "CLIPBOARD",
  "PRIMARY",
  "CLIPBOARD_MANAGER",
  "SAVE_TARGETS",
  "TARGETS",
  "MULTIPLE",
  "TIMESTAMP",
  "INCR",
  "ATOM",
  "ATOM_PAIR",
  "INTEGER",
  "UTF8_STRING",
  "text/plain;charset=utf-8",
  "text/plain",
  "TEXT",
  "STRING",
  "DESKMAP_SELECTION",
] as const;
type Atoms = Readonly<Record<(typeof atomNames)[number], number>>;

/** Piece size for large texts: requests are limited to 256 kB. */
const pieceBytes = 128 << 10;
const deleted = 1;
const longestSendingMs = 10_000;

/**
 * Owns a selection and serves it (ICCCM 2) until another application takes it or a clipboard manager took it over: in
 * X11 copied text exists only while its owner answers. Returns why it ended.
 */
export async function holdSelection(
  x: XConnection,
  selection: Selection,
  text: string,
  timeoutMs: number,
): Promise<string> {
  const atoms = await x.internAtoms(atomNames);
  const window = await createHiddenWindow(x, eventMask.property);
  const timeMs = await readServerTime(x, timeoutMs);
  const ended = Promise.withResolvers<string>();
  const holder = new Holder(
    x,
    atoms,
    { window, selection: atoms[selectionAtoms[selection]], timeMs },
    text,
    ended.resolve,
  );
  const stop = x.listen((event) => holder.handleEvent(event));
  try {
    await holder.take();
    if (selection === "clipboard") await holder.offerToManager();
    const reason = await ended.promise;
    await holder.finish();
    return reason;
  } finally {
    stop();
  }
}

class Holder {
  private readonly utf8: Buffer;
  /** Only if it can be represented in Latin-1. */
  private readonly latin1: Buffer | undefined;
  private readonly transfers = new Map<string, { readonly answer: PropertyValue; sent: number }>();
  private ending: string | undefined;
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly x: XConnection,
    private readonly atoms: Atoms,
    private readonly own: { readonly window: number; readonly selection: number; readonly timeMs: number },
    text: string,
    private readonly end: (reason: string) => void,
  ) {
    this.utf8 = Buffer.from(text, "utf8");
    this.latin1 = /[\u0100-\uffff]/.test(text) ? undefined : Buffer.from(text, "latin1");
  }

  async take(): Promise<void> {
    const { window, selection, timeMs } = this.own;
    await this.x.send(setSelectionOwner(window, selection, timeMs));
    if ((await this.x.getSelectionOwner(selection)) !== window) this.end("another application was faster");
  }

  /** A clipboard manager keeps the content: then this process may end. */
  async offerToManager(): Promise<void> {
    const { atoms, own, x } = this;
    if ((await x.getSelectionOwner(atoms.CLIPBOARD_MANAGER)) === 0) return;
    await convertSelection(x, {
      requestor: own.window,
      selection: atoms.CLIPBOARD_MANAGER,
      target: atoms.SAVE_TARGETS,
      property: atoms.DESKMAP_SELECTION,
      timeMs: own.timeMs,
    });
  }

  /** In order of arrival; a requestor that is gone is skipped. */
  handleEvent(event: Buffer): void {
    this.work = this.work
      .then(() => this.answer(event))
      .catch((error: unknown) => {
        if (!(error instanceof XError)) this.end("the display went away");
      });
  }

  finish(): Promise<void> {
    return this.work;
  }

  private async answer(event: Buffer): Promise<void> {
    const { window, selection } = this.own;
    switch (codeOf(event)) {
      case eventCode.selectionRequest:
        if (event.readUInt32LE(8) === window) await this.serve(event);
        break;
      case eventCode.property:
        if (event[16] === deleted) await this.sendPiece(event.readUInt32LE(4), event.readUInt32LE(8));
        break;
      case eventCode.selectionClear:
        if (event.readUInt32LE(12) === selection && event.readUInt32LE(8) === window) {
          this.endWhenSent("another application took it");
        }
        break;
      case eventCode.selectionNotify: {
        const isSaved = event.readUInt32LE(12) === this.atoms.CLIPBOARD_MANAGER && event.readUInt32LE(20) !== 0;
        if (isSaved) this.endWhenSent("the clipboard manager has taken it over");
        break;
      }
    }
  }

  /** Requests made while it was ours are still served; a stalled requestor is not waited for. */
  private endWhenSent(reason: string): void {
    this.ending = reason;
    if (this.transfers.size === 0) return this.end(reason);
    setTimeout(() => this.end(reason), longestSendingMs).unref();
  }

  private async serve(request: Buffer): Promise<void> {
    const { atoms } = this;
    const [timeMs, requestor, selection, target] = [4, 12, 16, 20].map((at) => request.readUInt32LE(at));
    if (timeMs === undefined || requestor === undefined || selection === undefined || target === undefined) return;
    // Pre-ICCCM clients name no property; the target's name is used.
    const property = request.readUInt32LE(24) || target;
    const isGiven =
      target === atoms.MULTIPLE
        ? await this.giveSeveral(requestor, property)
        : await this.give(requestor, property, target);
    const words = [timeMs, requestor, selection, target, isGiven ? property : 0, 0, 0];
    const notice = encodeRequest(eventCode.selectionNotify, 0, words);
    await sendEvent(this.x, requestor, eventMask.none, notice);
  }

  private async giveSeveral(requestor: number, property: number): Promise<boolean> {
    const pairs = numbersOf(await this.x.getProperty(requestor, property));
    const given: number[] = [];
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      const [target = 0, place = 0] = pairs.slice(at, at + 2);
      given.push(target, (await this.give(requestor, place, target)) ? place : 0);
    }
    const { ATOM_PAIR: type } = this.atoms;
    await this.x.send(changeProperty(requestor, property, { type, format: 32, bytes: encodeNumbers(given) }));
    return pairs.length > 0;
  }

  private async give(requestor: number, property: number, target: number): Promise<boolean> {
    const answer = this.convert(target);
    if (answer === undefined) return false;
    if (answer.bytes.length <= pieceBytes) {
      await this.x.send(changeProperty(requestor, property, answer));
      return true;
    }
    await this.x.send(selectInput(requestor, eventMask.property));
    this.transfers.set(`${requestor} ${property}`, { answer, sent: 0 });
    const size = encodeNumbers([answer.bytes.length]);
    await this.x.send(changeProperty(requestor, property, { type: this.atoms.INCR, format: 32, bytes: size }));
    return true;
  }

  /** The next piece, after the previous one was taken; an empty one ends the transfer. */
  private async sendPiece(requestor: number, property: number): Promise<void> {
    const key = `${requestor} ${property}`;
    const transfer = this.transfers.get(key);
    if (transfer === undefined) return;
    const { type, bytes } = transfer.answer;
    const piece = bytes.subarray(transfer.sent, transfer.sent + pieceBytes);
    transfer.sent += piece.length;
    if (piece.length === 0) this.transfers.delete(key);
    if (this.transfers.size === 0 && this.ending !== undefined) this.end(this.ending);
    await this.x.send(changeProperty(requestor, property, { type, format: 8, bytes: piece }));
    const isBusy = [...this.transfers.keys()].some((other) => other.startsWith(`${requestor} `));
    if (!isBusy && requestor !== this.own.window) await this.x.send(selectInput(requestor, eventMask.none));
  }

  private convert(target: number): PropertyValue | undefined {
    const { atoms } = this;
    const asUtf8 = { type: target, format: 8, bytes: this.utf8 } as const;
    switch (target) {
      case atoms.TARGETS:
        return { type: atoms.ATOM, format: 32, bytes: encodeNumbers(this.listTargets()) };
      case atoms.TIMESTAMP:
        return { type: atoms.INTEGER, format: 32, bytes: encodeNumbers([this.own.timeMs]) };
      case atoms.UTF8_STRING:
      case atoms["text/plain;charset=utf-8"]:
      case atoms["text/plain"]:
        return asUtf8;
      case atoms.TEXT:
        return { ...asUtf8, type: atoms.UTF8_STRING };
      case atoms.STRING:
        return this.latin1 && { ...asUtf8, bytes: this.latin1 };
      default:
        return undefined;
    }
  }

  private listTargets(): number[] {
    const { atoms } = this;
    const { TARGETS, MULTIPLE, TIMESTAMP, UTF8_STRING, TEXT, STRING } = atoms;
    const plain = [atoms["text/plain;charset=utf-8"], atoms["text/plain"]];
    return [TARGETS, MULTIPLE, TIMESTAMP, UTF8_STRING, ...plain, TEXT, ...(this.latin1 === undefined ? [] : [STRING])];
  }
}
