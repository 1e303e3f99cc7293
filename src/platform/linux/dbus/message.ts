import { Reader, type Value } from "./reader.ts";
import { MalformedMessage } from "./signature.ts";
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
const littleEndian = 0x6c;
const bigEndian = 0x42;
const protocolVersion = 1;
const fixedHeaderBytes = 16;
/** D-Bus specification: messages are limited to 128 MiB. */
const maxMessageBytes = 128 * 1024 * 1024;

export interface Call {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly args?: readonly Value[];
  /** Its content may be private text and must not stay in memory. */
  readonly isPrivate?: boolean;
}

/** A signal without its content. */
export interface Signal {
  readonly sender: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  /** Not decoded: it may be private text. */
  readonly body: Uint8Array;
}

export interface Message {
  readonly type: number;
  readonly replySerial: number;
  readonly errorName: string;
  readonly signature: string;
  /** Decodes the body; deferred, since replies after their deadline are dropped unread. */
  readBody(): Value[];
}

/**
 * A read sends the same few calls to hundreds of objects: everything but serial and path is reused. Encoding is half of
 * our own time in a read by a fresh process, before JIT compilation.
 */
interface Template {
  readonly fields: Uint8Array;
  readonly body: Uint8Array;
}

const templates = new Map<string, Template>();
const maxTemplates = 1000;

export function encodeSignal(signal: Call, serial: number): Uint8Array {
  const bytes = encodeCall(signal, serial);
  bytes[1] = messageType.signal;
  return bytes;
}

export function encodeCall(call: Call, serial: number): Uint8Array {
  const { fields, body } = findTemplate(call);
  const pathBytes = Buffer.byteLength(call.path);
  const fieldsAt = alignTo8(fixedHeaderBytes + 8 + pathBytes + 1);
  const bodyAt = alignTo8(fieldsAt + fields.length);
  const bytes = Buffer.alloc(bodyAt + body.length);
  bytes[0] = littleEndian;
  bytes[1] = messageType.call;
  bytes[3] = protocolVersion;
  bytes.writeUInt32LE(body.length, 4);
  bytes.writeUInt32LE(serial, 8);
  bytes.writeUInt32LE(fieldsAt + fields.length - fixedHeaderBytes, 12);
  bytes[16] = field.path;
  bytes[17] = 1;
  bytes[18] = 0x6f;
  bytes.writeUInt32LE(pathBytes, 20);
  bytes.write(call.path, 24, "utf8");
  bytes.set(fields, fieldsAt);
  bytes.set(body, bodyAt);
  return bytes;
}

function findTemplate(call: Call): Template {
  const { destination, interface: interfaceName, member, signature = "", args = [] } = call;
  const key = `${destination}\n${interfaceName}\n${member}\n${signature}\n${args.join("\n")}`;
  // Lists and variants cannot be part of the joined key: such calls are rare and encoded anew.
  const isPlain = call.isPrivate !== true && args.every((arg) => typeof arg !== "object");
  const known = isPlain ? templates.get(key) : undefined;
  if (known !== undefined) return known;
  const template = makeTemplate(destination, interfaceName, member, signature, args);
  if (templates.size >= maxTemplates) templates.clear();
  if (isPlain) templates.set(key, template);
  return template;
}

function makeTemplate(
  destination: string,
  interfaceName: string,
  member: string,
  signature: string,
  args: readonly Value[],
): Template {
  const fields = new Writer();
  const texts: [number, string][] = [
    [field.interface, interfaceName],
    [field.member, member],
    [field.destination, destination],
  ];
  for (const [code, value] of texts) fields.writeAll("(yv)", [[code, { signature: "s", value }]]);
  if (signature !== "") fields.writeAll("(yv)", [[field.signature, { signature: "g", value: signature }]]);
  const body = new Writer();
  body.writeAll(signature, args);
  return { fields: fields.finish(), body: body.finish() };
}

/** The length of the message at the start of `bytes`; undefined if too little has arrived. */
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
  if (bytes[3] !== protocolVersion) throw new MalformedMessage(`protocol version ${bytes[3]}`);
  if (measureMessage(bytes) !== bytes.length) throw new MalformedMessage("message is not as long as it says");
  const header = new Reader(bytes, isLittle, 12, bytes.length);
  const fieldsEnd = fixedHeaderBytes + header.readUint32();
  let replySerial = 0;
  let errorName = "";
  let signature = "";
  while (header.position < fieldsEnd) {
    header.align(8);
    const code = header.readByte();
    const type = header.readFieldType();
    if (code === field.replySerial && type === "u") replySerial = header.readUint32();
    else if (code === field.signature && type === "g") signature = header.readText(header.readByte());
    else if (code === field.errorName && type === "s") errorName = header.readText(header.readUint32());
    else header.passOver(type);
  }
  if (header.position !== fieldsEnd) throw new MalformedMessage("header fields run past their end");
  const bodyAt = alignTo8(fieldsEnd);
  const readBody = (): Value[] => header.readBody(bodyAt, signature);
  return { type: bytes[1] ?? 0, replySerial, errorName, signature, readBody };
}

/** The sender and path of a signal; other fields stay unread. */
export function decodeSignal(bytes: Uint8Array): Signal {
  const header = new Reader(bytes, readEndianness(bytes), 12, bytes.length);
  const fieldsEnd = fixedHeaderBytes + header.readUint32();
  const texts = new Map<number, string>();
  while (header.position < fieldsEnd) {
    header.align(8);
    const code = header.readByte();
    const type = header.readFieldType();
    if (type === "s" || type === "o") texts.set(code, header.readText(header.readUint32()));
    else header.passOver(type);
  }
  return {
    sender: texts.get(field.sender) ?? "",
    path: texts.get(field.path) ?? "",
    interface: texts.get(field.interface) ?? "",
    member: texts.get(field.member) ?? "",
    body: bytes.subarray(alignTo8(fieldsEnd)),
  };
}

function readEndianness(bytes: Uint8Array): boolean {
  if (bytes[0] === littleEndian) return true;
  if (bytes[0] === bigEndian) return false;
  throw new MalformedMessage("neither little- nor big-endian");
}

function alignTo8(offset: number): number {
  return Math.ceil(offset / 8) * 8;
}
