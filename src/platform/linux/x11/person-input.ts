import { fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import type { Modifier } from "../../../model/keys.ts";
import type { PersonInput } from "../../../model/person-input.ts";
import type { OpenOptions } from "../../port.ts";
import { describeLostDisplay } from "../failures.ts";
import { XConnection } from "./connection.ts";
import { eventType, fakeInput, isOwn } from "./fake-input.ts";
import { findKeysym, type Keymap } from "./keymap.ts";
import { nameOfKeysym, textOfKeysym } from "./keysyms.ts";
import { openXkb, readKeymap, selectMapEvents } from "./read-keymap.ts";
import { ignoreLoss, type XExtension, XUnavailable } from "./transport.ts";
import { codeOf, encodeRequest } from "./wire.ts";

/** The RECORD extension 1.13. */
const minor = { createContext: 1, enableContext: 5 };
const allClients = 3;
const category = { fromServer: 0, fromClient: 1 };
const eventBytes = 32;

const buttons = { 1: "left", 2: "middle", 3: "right" } as const;
const wheel = { 4: "up", 5: "down", 6: "left", 7: "right" } as const;
/** As in every common layout (X keyboard configuration, "Modifier mapping"). */
const masks: readonly (readonly [Modifier, number])[] = [
  ["ctrl", 1 << 2],
  ["alt", 1 << 3],
  ["shift", 1 << 0],
  ["super", 1 << 6],
];

/**
 * Reports a person's buttons, wheel and keys, whatever has the focus or a grab, and takes nothing from anybody: RECORD
 * copies device events to us, with the place and the modifiers of that moment, which raw events of X Input lack. The
 * same stream has the requests by which programs send input, each before its event: that is how Deskmap's own are told
 * from those of other programs, which count as a person's.
 */
export async function listenToPerson(
  { env, timeoutMs }: OpenOptions,
  onInput: (input: PersonInput) => void,
  onLost: (why: string) => void,
): Promise<Result<() => void>> {
  const opened: XConnection[] = [];
  const close = (): void => {
    for (const one of opened) one.close();
  };
  try {
    const [control, data] = await Promise.all([
      XConnection.connect(env, timeoutMs),
      XConnection.connect(env, timeoutMs),
    ]);
    opened.push(control, data);
    const [record, test, xkb] = await Promise.all([
      data.findExtension("RECORD"),
      data.findExtension("XTEST"),
      openXkb(control),
      control.findExtension("RECORD"),
    ]);
    if (record === undefined || xkb === undefined) {
      close();
      return fail(describeDeaf(record === undefined ? "RECORD" : "XKEYBOARD"));
    }
    const listener = new InputListener(control, xkb, onInput);
    await listener.begin(data, record, test);
    let isClosed = false;
    data.onEnd(() => {
      if (!isClosed) onLost("the display went away");
    });
    return succeed(() => {
      isClosed = true;
      close();
    });
  } catch (error) {
    close();
    if (error instanceof XUnavailable) return fail(describeLostDisplay(error));
    throw error;
  }
}

class InputListener {
  private keymap: Keymap = { rows: [], types: [], modifierMap: new Map(), keycodesWithActions: new Set() };
  /** Whose the last request to send an event of a type was; the event follows at once. */
  private readonly sent = new Map<number, "own" | "other">();
  /** What follows a change of the keyboard layout, until the new layout is known. */
  private delayed: Buffer[] | undefined;
  private isStale = false;
  /** The smallest difference seen between the wall clock and the server's. */
  private offsetMs = Number.POSITIVE_INFINITY;

  constructor(
    private readonly control: XConnection,
    private readonly xkb: XExtension,
    private readonly onInput: (input: PersonInput) => void,
  ) {}

  async begin(data: XConnection, record: XExtension, test: XExtension | undefined): Promise<void> {
    const { control } = this;
    this.keymap = await readKeymap(control, this.xkb);
    control.listen((message) => {
      if (codeOf(message) === this.xkb.firstEvent) this.readKeys().catch(ignoreLoss);
    });
    await control.send(selectMapEvents(this.xkb));
    const context = control.allotId();
    await control.send(encodeContext(record, context, test));
    const begun = data.stream(encodeRequest(record.opcode, minor.enableContext, [context]), (reply) =>
      this.handleReply(reply),
    );
    await begun;
  }

  private async readKeys(): Promise<void> {
    this.isStale = true;
    if (this.delayed !== undefined) return;
    this.delayed = [];
    while (this.isStale) {
      this.isStale = false;
      this.keymap = await readKeymap(this.control, this.xkb);
    }
    const replies = this.delayed;
    this.delayed = undefined;
    for (const reply of replies) this.handleReply(reply);
  }

  private handleReply(reply: Buffer): void {
    if (this.delayed !== undefined) {
      this.delayed.push(reply);
      return;
    }
    this.noteTime(reply.readUInt32LE(16));
    const content = reply.subarray(32);
    if (reply[1] === category.fromClient) this.handleRequests(content);
    if (reply[1] !== category.fromServer) return;
    for (let at = 0; at + eventBytes <= content.length; at += eventBytes) {
      this.handleEvent(content.subarray(at, at + eventBytes));
    }
  }

  private handleRequests(content: Buffer): void {
    for (let at = 0; at + 8 <= content.length; ) {
      const length = content.readUInt16LE(at + 2) * 4;
      if (length === 0) return;
      const request = content.subarray(at, at + length);
      this.sent.set(request[4] ?? 0, isOwn(request) ? "own" : "other");
      at += length;
    }
  }

  private handleEvent(event: Buffer): void {
    const kind = codeOf(event);
    const sender = this.sent.get(kind);
    this.sent.delete(kind);
    if (sender === "own") return;
    const timeMs = event.readUInt32LE(4);
    this.noteTime(timeMs);
    const atMs = timeMs + this.offsetMs;
    const state = event.readUInt16LE(28);
    const held = masks.filter(([, mask]) => (state & mask) !== 0).map(([modifier]) => modifier);
    const moment = { atMs, lagMs: Math.max(0, Date.now() - atMs), modifiers: held };
    const point = { x: event.readInt16LE(20), y: event.readInt16LE(22) };
    const detail = event[1] ?? 0;
    if (kind === eventType.keyPress || kind === eventType.keyRelease)
      return this.handleKey(kind, detail, state, moment);
    const button = findNamed(buttons, detail);
    if (button !== undefined) {
      return this.onInput({ ...moment, kind: kind === eventType.buttonPress ? "press" : "release", button, point });
    }
    const direction = findNamed(wheel, detail);
    if (direction !== undefined && kind === eventType.buttonPress) {
      this.onInput({ ...moment, kind: "wheel", direction, point });
    }
  }

  private handleKey(
    kind: number,
    keycode: number,
    state: number,
    moment: Pick<PersonInput, "atMs" | "lagMs" | "modifiers">,
  ): void {
    const keysym = findKeysym(this.keymap, keycode, state);
    const key = nameOfKeysym(keysym);
    if (key === undefined) return;
    if (kind === eventType.keyPress) this.onInput({ ...moment, kind: "key", key, text: textOfKeysym(keysym) });
    else this.onInput({ ...moment, kind: "key-release", key });
  }

  /** The server counts milliseconds from its own start, and begins anew after 49 days. */
  private noteTime(serverMs: number): void {
    const offsetMs = Date.now() - serverMs;
    const hasJumped = Math.abs(offsetMs - this.offsetMs) > longestLagMs;
    if (offsetMs < this.offsetMs || hasJumped) this.offsetMs = offsetMs;
  }
}

/** A greater difference is a clock that was set, or a server's that began anew. */
const longestLagMs = 60_000;

function findNamed<Name extends string>(names: Readonly<Record<number, Name>>, number: number): Name | undefined {
  return names[number];
}

/** One range: the device events of keys and buttons, and the requests to fake them. */
function encodeContext(record: XExtension, context: number, test: XExtension | undefined): Buffer {
  const range = Buffer.alloc(24);
  if (test !== undefined) {
    range.set([test.opcode, test.opcode], 4);
    range.writeUInt16LE(fakeInput, 6);
    range.writeUInt16LE(fakeInput, 8);
  }
  range.set([eventType.keyPress, eventType.buttonRelease], 18);
  const head = encodeRequest(record.opcode, minor.createContext, [context, 0, 1, 1, allClients]);
  return Buffer.concat([head, range]);
}

function describeDeaf(extension: string) {
  return makeFailure(
    "UNAVAILABLE",
    `a person's input cannot be observed: this X server has no ${extension} extension`,
    `start it without “-extension ${extension}”.`,
  );
}
