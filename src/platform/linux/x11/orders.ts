import type { XConnection } from "./connection.ts";
import { pad4 } from "./setup.ts";

/** X11 core requests that change something; each resolves when the server has processed it. */
const opcode = {
  createWindow: 1,
  changeAttributes: 2,
  destroyWindow: 4,
  configureWindow: 12,
  changeProperty: 18,
  deleteProperty: 19,
  setSelectionOwner: 22,
  convertSelection: 24,
  sendEvent: 25,
  setInputFocus: 42,
};
export const eventCode = {
  propertyNotify: 28,
  selectionClear: 29,
  selectionRequest: 30,
  selectionNotify: 31,
  clientMessage: 33,
};
export const eventMask = {
  none: 0,
  structure: 1 << 17,
  /** What window managers select on the root window: SubstructureNotify and SubstructureRedirect. */
  manager: (1 << 19) | (1 << 20),
  properties: 1 << 22,
};
const eventBytes = 32;
const inputOnly = 2;
const attribute = { overrideRedirect: 1 << 9, eventMask: 1 << 11 };
const revertToParent = 2;

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
  const event = Buffer.alloc(eventBytes);
  event[0] = eventCode.clientMessage;
  event[1] = 32;
  event.writeUInt32LE(message.window, 4);
  event.writeUInt32LE(message.type, 8);
  message.data.slice(0, 5).forEach((value, index) => {
    event.writeUInt32LE(value >>> 0, 12 + index * 4);
  });
  return sendEvent(x, message.to, message.mask, event);
}

export function sendEvent(x: XConnection, to: number, mask: number, event: Buffer): Promise<void> {
  const bytes = Buffer.alloc(12 + eventBytes);
  bytes[0] = opcode.sendEvent;
  bytes.writeUInt32LE(to, 4);
  bytes.writeUInt32LE(mask, 8);
  event.copy(bytes, 12);
  return x.order(bytes);
}

export interface Configuration {
  readonly x?: number;
  readonly y?: number;
  readonly width?: number;
  readonly height?: number;
  /** Above or below all siblings. */
  readonly stack?: "above" | "below";
}

export function configureWindow(x: XConnection, window: number, wanted: Configuration): Promise<void> {
  const stack = wanted.stack === undefined ? undefined : wanted.stack === "above" ? 0 : 1;
  // In bit order: x, y, width, height, border, sibling, stack mode.
  const values = [wanted.x, wanted.y, wanted.width, wanted.height, undefined, undefined, stack];
  const given = values.filter((value) => value !== undefined);
  const bytes = Buffer.alloc(12 + given.length * 4);
  bytes[0] = opcode.configureWindow;
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt16LE(
    values.reduce<number>((mask, value, bit) => (value === undefined ? mask : mask | (1 << bit)), 0),
    8,
  );
  given.forEach((value, index) => {
    bytes.writeInt32LE(value, 12 + index * 4);
  });
  return x.order(bytes);
}

export function setInputFocus(x: XConnection, window: number, timeMs: number): Promise<void> {
  const bytes = Buffer.alloc(12);
  bytes[0] = opcode.setInputFocus;
  bytes[1] = revertToParent;
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(timeMs, 8);
  return x.order(bytes);
}

/** An unmapped window for owning selections and receiving events. */
export async function createHiddenWindow(x: XConnection, mask: number): Promise<number> {
  const window = x.allotId();
  const bytes = Buffer.alloc(40);
  bytes[0] = opcode.createWindow;
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(x.root, 8);
  bytes.writeInt16LE(-10, 12);
  bytes.writeInt16LE(-10, 14);
  bytes.writeUInt16LE(1, 16);
  bytes.writeUInt16LE(1, 18);
  bytes.writeUInt16LE(inputOnly, 22);
  bytes.writeUInt32LE(attribute.overrideRedirect | attribute.eventMask, 28);
  bytes.writeUInt32LE(1, 32);
  bytes.writeUInt32LE(mask, 36);
  await x.order(bytes);
  return window;
}

export function destroyWindow(x: XConnection, window: number): Promise<void> {
  return x.order(nameOne(opcode.destroyWindow, window));
}

/** Selects events of another client's window. */
export function selectEvents(x: XConnection, window: number, mask: number): Promise<void> {
  const bytes = Buffer.alloc(16);
  bytes[0] = opcode.changeAttributes;
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(attribute.eventMask, 8);
  bytes.writeUInt32LE(mask, 12);
  return x.order(bytes);
}

export function changeProperty(
  x: XConnection,
  window: number,
  property: number,
  value: { readonly type: number; readonly format: 8 | 32; readonly bytes: Buffer; readonly isAppended?: boolean },
): Promise<void> {
  const bytes = Buffer.alloc(24 + pad4(value.bytes.length));
  bytes[0] = opcode.changeProperty;
  bytes[1] = value.isAppended === true ? 2 : 0;
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(property, 8);
  bytes.writeUInt32LE(value.type, 12);
  bytes[16] = value.format;
  bytes.writeUInt32LE(value.bytes.length / (value.format / 8), 20);
  value.bytes.copy(bytes, 24);
  return x.order(bytes);
}

export function deleteProperty(x: XConnection, window: number, property: number): Promise<void> {
  const bytes = Buffer.alloc(12);
  bytes[0] = opcode.deleteProperty;
  bytes.writeUInt32LE(window, 4);
  bytes.writeUInt32LE(property, 8);
  return x.order(bytes);
}

export function setSelectionOwner(x: XConnection, selection: number, owner: number, timeMs: number): Promise<void> {
  const bytes = Buffer.alloc(16);
  bytes[0] = opcode.setSelectionOwner;
  bytes.writeUInt32LE(owner, 4);
  bytes.writeUInt32LE(selection, 8);
  bytes.writeUInt32LE(timeMs, 12);
  return x.order(bytes);
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
  const bytes = Buffer.alloc(24);
  bytes[0] = opcode.convertSelection;
  bytes.writeUInt32LE(wanted.requestor, 4);
  bytes.writeUInt32LE(wanted.selection, 8);
  bytes.writeUInt32LE(wanted.target, 12);
  bytes.writeUInt32LE(wanted.property, 16);
  bytes.writeUInt32LE(wanted.timeMs, 20);
  return x.order(bytes);
}

/** The next matching event from now on; undefined if none comes in time. */
function awaitEvent(
  x: XConnection,
  isFitting: (event: Buffer) => boolean,
  timeoutMs: number,
): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const finish = (event?: Buffer): void => {
      clearTimeout(timer);
      stop();
      resolve(event);
    };
    const timer = setTimeout(finish, timeoutMs);
    const stop = x.listen((event) => {
      if (isFitting(event)) finish(event);
    });
  });
}

/** The event code, whether sent by the server or a client. */
export function codeOf(event: Buffer): number {
  return (event[0] ?? 0) & 0x7f;
}

/**
 * The server's clock. Window managers compare it with the last user event, and Mutter ignores requests without it; a
 * property change is the standard way to get it.
 */
export async function readServerTime(x: XConnection, timeoutMs: number): Promise<number> {
  const window = await createHiddenWindow(x, eventMask.properties);
  const wmName = 39;
  const stringType = 31;
  const told = awaitEvent(
    x,
    (event) => codeOf(event) === eventCode.propertyNotify && event.readUInt32LE(4) === window,
    timeoutMs,
  );
  await changeProperty(x, window, wmName, { type: stringType, format: 8, bytes: Buffer.alloc(0), isAppended: true });
  const event = await told;
  await destroyWindow(x, window);
  return event?.readUInt32LE(12) ?? 0;
}

function nameOne(code: number, resource: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes[0] = code;
  bytes.writeUInt32LE(resource, 4);
  return bytes;
}
