import type { Value, Variant } from "../../../../src/platform/linux/dbus/reader.ts";
import { fc } from "../../../property.ts";

// A second D-Bus marshaller, written from the specification and for both byte orders, to check the codec against.

/** One type signature with random values of that type. */
interface Kind {
  readonly signature: string;
  readonly values: fc.Arbitrary<Value>;
}

const text = fc.string({ unit: "grapheme", maxLength: 12 }).filter((value) => !value.includes("\0"));
const path = fc.array(fc.stringMatching(/^[A-Za-z0-9_]{1,6}$/), { maxLength: 3 }).map((parts) => `/${parts.join("/")}`);

/** The types that Deskmap both reads and writes. */
export const writtenKinds: readonly Kind[] = [
  { signature: "y", values: fc.nat(255) },
  { signature: "b", values: fc.boolean() },
  { signature: "i", values: fc.integer() },
  { signature: "u", values: fc.nat(0xffffffff) },
  { signature: "s", values: text },
  { signature: "o", values: path },
  { signature: "g", values: fc.constantFrom("", "s", "a(so)", "a{sv}") },
  { signature: "d", values: fc.double({ noNaN: true }) },
];

/** The types that Deskmap only reads. */
export const readKinds: readonly Kind[] = [
  ...writtenKinds,
  { signature: "n", values: fc.integer({ min: -32768, max: 32767 }) },
  { signature: "q", values: fc.nat(65535) },
  { signature: "x", values: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) },
  { signature: "t", values: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) },
];

/** Random nested types, each with random values. */
export function nestKinds(basics: readonly Kind[], depth = 3): fc.Arbitrary<Kind> {
  const basic = fc.constantFrom(...basics);
  if (depth === 0) return basic;
  const inner = nestKinds(basics, depth - 1);
  return fc.oneof(
    { weight: 2, arbitrary: basic },
    { weight: 1, arbitrary: inner.map(arrayOf) },
    { weight: 1, arbitrary: fc.array(inner, { minLength: 1, maxLength: 3 }).map(structOf) },
    { weight: 1, arbitrary: inner.map(variantOf) },
    { weight: 1, arbitrary: fc.tuple(basic, inner).map(dictionaryOf) },
  );
}

function arrayOf({ signature, values }: Kind): Kind {
  return { signature: `a${signature}`, values: fc.array(values, { maxLength: 3 }) };
}

function structOf(fields: readonly Kind[]): Kind {
  const values = fc.tuple(...fields.map((field) => field.values));
  return { signature: `(${fields.map((field) => field.signature).join("")})`, values };
}

function variantOf({ signature, values }: Kind): Kind {
  return { signature: "v", values: values.map((value): Variant => ({ signature, value })) };
}

function dictionaryOf([key, value]: readonly [Kind, Kind]): Kind {
  const entries = fc.array(fc.tuple(key.values, value.values), { maxLength: 3 });
  return { signature: `a{${key.signature}${value.signature}}`, values: entries };
}

const alignments: Readonly<Record<string, number>> = { y: 1, g: 1, v: 1, n: 2, q: 2, x: 8, t: 8, d: 8, "(": 8, "{": 8 };

/** Marshals values of one signature after another, from an offset that is a multiple of 8. */
export function marshal(signature: string, values: readonly Value[], isLittle: boolean): Uint8Array {
  const bytes: number[] = [];
  const pad = (alignment: number): void => {
    while (bytes.length % alignment !== 0) bytes.push(0);
  };
  const putNumber = (size: 1 | 2 | 4 | 8, set: (view: DataView) => void): void => {
    pad(size);
    const view = new DataView(new ArrayBuffer(size));
    set(view);
    for (let at = 0; at < size; at += 1) bytes.push(view.getUint8(at));
  };
  const putLength = (length: number): void => putNumber(4, (view) => view.setUint32(0, length, isLittle));
  const putText = (value: string): void => void bytes.push(...Buffer.from(value), 0);

  const put = (type: string, value: Value): void => {
    switch (type[0]) {
      case "y":
        return putNumber(1, (view) => view.setUint8(0, Number(value)));
      case "b":
        return putLength(value === true ? 1 : 0);
      case "n":
        return putNumber(2, (view) => view.setInt16(0, Number(value), isLittle));
      case "q":
        return putNumber(2, (view) => view.setUint16(0, Number(value), isLittle));
      case "i":
        return putNumber(4, (view) => view.setInt32(0, Number(value), isLittle));
      case "u":
        return putLength(Number(value));
      case "x":
        return putNumber(8, (view) => view.setBigInt64(0, value as bigint, isLittle));
      case "t":
        return putNumber(8, (view) => view.setBigUint64(0, value as bigint, isLittle));
      case "d":
        return putNumber(8, (view) => view.setFloat64(0, Number(value), isLittle));
      case "s":
      case "o":
        putLength(Buffer.byteLength(String(value)));
        return putText(String(value));
      case "g":
        bytes.push(String(value).length);
        return putText(String(value));
      case "v": {
        const variant = value as Variant;
        put("g", variant.signature);
        return put(variant.signature, variant.value);
      }
      case "(":
      case "{":
        pad(8);
        splitTypes(type.slice(1, -1)).forEach((field, index) => {
          put(field, (value as readonly Value[])[index] ?? 0);
        });
        return;
      case "a": {
        const element = type.slice(1);
        putLength(0);
        const lengthAt = bytes.length - 4;
        pad(alignments[element[0] ?? ""] ?? 4);
        const start = bytes.length;
        for (const one of value as readonly Value[]) put(element, one);
        const view = new DataView(new ArrayBuffer(4));
        view.setUint32(0, bytes.length - start, isLittle);
        for (let at = 0; at < 4; at += 1) bytes[lengthAt + at] = view.getUint8(at);
        return;
      }
      default:
        throw new Error(`no such type: ${type}`);
    }
  };
  splitTypes(signature).forEach((type, index) => {
    put(type, values[index] ?? 0);
  });
  return Uint8Array.from(bytes);
}

/** "sa{sv}(ii)" → "s", "a{sv}", "(ii)" */
function splitTypes(signature: string): string[] {
  const types: string[] = [];
  let at = 0;
  while (at < signature.length) {
    const start = at;
    while (signature[at] === "a") at += 1;
    let depth = 0;
    do {
      if (signature[at] === "(" || signature[at] === "{") depth += 1;
      if (signature[at] === ")" || signature[at] === "}") depth -= 1;
      at += 1;
    } while (depth > 0);
    types.push(signature.slice(start, at));
  }
  return types;
}

/** A complete reply message in either byte order. */
export function makeReply(signature: string, values: readonly Value[], isLittle: boolean, replySerial = 7): Uint8Array {
  const body = marshal(signature, values, isLittle);
  const fields: Value[] = [[5, { signature: "u", value: replySerial }]];
  if (signature !== "") fields.push([8, { signature: "g", value: signature }]);
  const head = [isLittle ? 0x6c : 0x42, 2, 0, 1, body.length, 99, fields];
  const header = marshal("yyyyuua(yv)", head, isLittle);
  const padding = (8 - (header.length % 8)) % 8;
  return Buffer.concat([header, new Uint8Array(padding), body]);
}
