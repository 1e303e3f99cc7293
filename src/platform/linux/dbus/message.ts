import { MalformedMessage } from "./errors.ts";
import { Reader, type Value } from "./reader.ts";
import { Writer } from "./writer.ts";

export const messageType = { call: 1, reply: 2, error: 3, signal: 4 } as const;
const field = {
  path: 1,
  interface: 2,
  member: 3,
  errorName: 4,
  replySerial: 5,
  destination: 6,
  sender: 7,
  signature: 8,
};
const headerSignature = "yyyyuua(yv)";
const fixedHeaderBytes = 16;
/** D-Bus specification: no message is longer than 128 MiB. */
const maxMessageBytes = 128 * 1024 * 1024;

export interface Call {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly args?: readonly Value[];
}

export interface Message {
  readonly type: number;
  readonly serial: number;
  readonly replySerial: number;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly errorName: string;
  readonly sender: string;
  readonly signature: string;
  /** Decodes the body; deferred, since many replies are dropped unread after a deadline. */
  readBody(): Value[];
}

export function encodeCall(call: Call, serial: number): Uint8Array {
  const signature = call.signature ?? "";
  const fields: Value[] = [
    [field.path, { signature: "o", value: call.path }],
    [field.interface, { signature: "s", value: call.interface }],
    [field.member, { signature: "s", value: call.member }],
    [field.destination, { signature: "s", value: call.destination }],
  ];
  if (signature !== "") fields.push([field.signature, { signature: "g", value: signature }]);
  const writer = new Writer();
  writer.writeAll(headerSignature, [0x6c, messageType.call, 0, 1, 0, serial, fields]);
  writer.align(8);
  const bodyAt = writer.length;
  writer.writeAll(signature, call.args ?? []);
  writer.setUint32(4, writer.length - bodyAt);
  return writer.finish();
}

/** How long the message at the start of `bytes` is, or undefined while too little has arrived to tell. */
export function measureMessage(bytes: Uint8Array): number | undefined {
  if (bytes.length < fixedHeaderBytes) return undefined;
  const isLittle = readEndianness(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const bodyBytes = view.getUint32(4, isLittle);
  const fieldBytes = view.getUint32(12, isLittle);
  const total = alignTo8(fixedHeaderBytes + fieldBytes) + bodyBytes;
  if (total > maxMessageBytes) throw new MalformedMessage("message longer than 128 MiB");
  return total;
}

export function decodeMessage(bytes: Uint8Array): Message {
  const isLittle = readEndianness(bytes);
  const header = new Reader(bytes, isLittle, 0, bytes.length);
  const [, type, , version, , serial, fields] = header.readAll(headerSignature);
  if (version !== 1) throw new MalformedMessage(`protocol version ${String(version)}`);
  header.align(8);
  const bodyAt = header.position;
  const known = readFields(fields);
  const signature = textOf(known.get(field.signature));
  return {
    type: numberOf(type),
    serial: numberOf(serial),
    replySerial: numberOf(known.get(field.replySerial)),
    path: textOf(known.get(field.path)),
    interface: textOf(known.get(field.interface)),
    member: textOf(known.get(field.member)),
    errorName: textOf(known.get(field.errorName)),
    sender: textOf(known.get(field.sender)),
    signature,
    readBody: () => new Reader(bytes, isLittle, bodyAt, bytes.length).readAll(signature),
  };
}

function readFields(fields: Value | undefined): Map<number, Value> {
  const known = new Map<number, Value>();
  if (!Array.isArray(fields)) return known;
  for (const entry of fields) {
    if (!Array.isArray(entry)) continue;
    const [code, variant] = entry;
    if (typeof code === "number" && typeof variant === "object" && "value" in variant) known.set(code, variant.value);
  }
  return known;
}

function readEndianness(bytes: Uint8Array): boolean {
  if (bytes[0] === 0x6c) return true;
  if (bytes[0] === 0x42) return false;
  throw new MalformedMessage("neither little- nor big-endian");
}

function alignTo8(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}

function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: Value | undefined): number {
  return typeof value === "number" ? value : 0;
}
