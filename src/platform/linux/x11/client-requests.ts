import type { XConnection } from "./connection.ts";
import {
  changeTextProperty,
  codeOf,
  createWindow,
  destroyWindow,
  encodeRequest,
  encodeWithBytes,
  eventCode,
  eventMask,
} from "./wire.ts";

/** X11 core requests that act on other clients; each resolves when the server has processed it. */
const opcode = { configureWindow: 12, convertSelection: 24, sendEvent: 25, setInputFocus: 42 };
const revertToParent = 2;
const offScreen = { x: -10, y: -10, width: 1, height: 1 };

/** What window managers select on the root window. */
export const managerMask = eventMask.substructure | eventMask.substructureRedirect;

/** A client message of five numbers to the listeners on `to`. */
export function sendClientMessage(
  x: XConnection,
  message: {
    readonly to: number;
    readonly mask: number;
    readonly window: number;
    readonly type: number;
    readonly data: readonly number[];
  },
): Promise<void> {
  const { to, mask, window, type, data } = message;
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = data;
  const words = [window, type, first, second, third, fourth, fifth];
  return sendEvent(x, to, mask, encodeRequest(eventCode.clientMessage, 32, words));
}

export function sendEvent(x: XConnection, to: number, mask: number, event: Buffer): Promise<void> {
  return x.send(encodeWithBytes(opcode.sendEvent, 0, [to, mask], event));
}

export interface Configuration {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
}

export function configureWindow(x: XConnection, window: number, wanted: Configuration): Promise<void> {
  // In bit order.
  const values = [wanted.x, wanted.y, wanted.width, wanted.height];
  const mask = values.reduce<number>((bits, value, bit) => (value === undefined ? bits : bits | (1 << bit)), 0);
  const given = values.filter((value) => value !== undefined);
  return x.send(encodeRequest(opcode.configureWindow, 0, [window, mask, ...given]));
}

export function setInputFocus(x: XConnection, window: number, timeMs: number): Promise<void> {
  return x.send(encodeRequest(opcode.setInputFocus, revertToParent, [window, timeMs]));
}

/** An unmapped window for owning selections and receiving events. */
export async function createHiddenWindow(x: XConnection, events: number): Promise<number> {
  const window = x.allotId();
  await x.send(createWindow(window, x.root, offScreen, events));
  return window;
}

/** Asks the owner of a selection to store it, as `target`, in a property of our window. */
export function convertSelection(
  x: XConnection,
  wanted: {
    readonly requestor: number;
    readonly selection: number;
    readonly target: number;
    readonly property: number;
    readonly timeMs: number;
  },
): Promise<void> {
  const { requestor, selection, target, property, timeMs } = wanted;
  return x.send(encodeRequest(opcode.convertSelection, 0, [requestor, selection, target, property, timeMs]));
}

const wmName = 39;

/**
 * The server's clock, or 0 if it does not answer in time. Window managers compare it with the last user event, and
 * Mutter ignores requests without it; a property change is the standard way to get it.
 */
export async function readServerTime(x: XConnection, timeoutMs: number): Promise<number> {
  const window = await createHiddenWindow(x, eventMask.property);
  const isOwn = (event: Buffer): boolean => codeOf(event) === eventCode.property && event.readUInt32LE(4) === window;
  const queue = new EventQueue(x, isOwn);
  await x.send(changeTextProperty(window, wmName, ""));
  const event = await queue.next(performance.now() + timeoutMs);
  queue.close();
  await x.send(destroyWindow(window));
  return event?.readUInt32LE(12) ?? 0;
}

/** Queues matching events from its creation on, so that none is lost between two waits. */
export class EventQueue {
  private readonly events: Buffer[] = [];
  private wake: (() => void) | undefined;
  private readonly stop: () => void;

  constructor(x: XConnection, isFitting: (event: Buffer) => boolean) {
    this.stop = x.listen((event) => {
      if (!isFitting(event)) return;
      this.events.push(event);
      this.wake?.();
    });
  }

  /** The oldest event not yet taken; undefined if none came before the deadline. */
  async next(deadline: number): Promise<Buffer | undefined> {
    while (this.events.length === 0) {
      const leftMs = deadline - performance.now();
      if (leftMs <= 0) return undefined;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.events.shift();
  }

  close(): void {
    this.stop();
  }
}
