import type { Value, Variant } from "./reader.ts";
import { alignmentOf, MalformedMessage, parseSignature, type Type } from "./signature.ts";

/** Writes D-Bus values, little-endian, into a growing buffer. */
export class Writer {
  private bytes = Buffer.allocUnsafe(256);
  private at = 0;

  finish(): Uint8Array {
    return this.bytes.subarray(0, this.at);
  }

  writeAll(signature: string, values: readonly Value[]): void {
    const types = parseSignature(signature);
    if (types.length !== values.length) throw new MalformedMessage(`"${signature}" wants ${types.length} values`);
    types.forEach((type, index) => {
      this.write(type, values[index]);
    });
  }

  private align(alignment: number): void {
    const padding = (alignment - (this.at % alignment)) % alignment;
    this.reserve(padding);
    this.bytes.fill(0, this.at, this.at + padding);
    this.at += padding;
  }

  private writeByte(value: number): void {
    this.reserve(1);
    this.bytes[this.at] = value;
    this.at += 1;
  }

  private writeUint32(value: number): void {
    this.align(4);
    this.reserve(4);
    this.at = this.bytes.writeUInt32LE(value, this.at);
  }

  private writeDouble(value: number): void {
    this.align(8);
    this.reserve(8);
    this.at = this.bytes.writeDoubleLE(value, this.at);
  }

  private writeString(text: string): void {
    const byteLength = Buffer.byteLength(text);
    this.writeUint32(byteLength);
    this.writeText(text, byteLength);
  }

  private writeSignature(signature: string): void {
    this.writeByte(signature.length);
    this.writeText(signature, signature.length);
  }

  private write(type: Type, value: Value | undefined): void {
    switch (type.code) {
      case "s":
      case "o":
        if (typeof value === "string") return this.writeString(value);
        break;
      case "g":
        if (typeof value === "string") return this.writeSignature(value);
        break;
      case "u":
        if (typeof value === "number") return this.writeUint32(value);
        break;
      case "i":
        if (typeof value === "number") return this.writeUint32(value >>> 0);
        break;
      case "d":
        if (typeof value === "number") return this.writeDouble(value);
        break;
      case "b":
        if (typeof value === "boolean") return this.writeUint32(value ? 1 : 0);
        break;
      case "y":
        if (typeof value === "number") return this.writeByte(value);
        break;
      case "v":
        if (isVariant(value)) {
          this.writeSignature(value.signature);
          return this.writeAll(value.signature, [value.value]);
        }
        break;
      case "a":
        if (isList(value)) return this.writeArray(type.inner[0], value);
        break;
      case "(":
        if (isList(value)) {
          this.align(8);
          type.inner.forEach((field, index) => {
            this.write(field, value[index]);
          });
          return;
        }
        break;
    }
    throw new MalformedMessage(`cannot write ${typeof value} as "${type.code}"`);
  }

  private writeArray(element: Type | undefined, values: readonly Value[]): void {
    if (element === undefined) throw new MalformedMessage("array without an element type");
    this.writeUint32(0);
    const lengthAt = this.at - 4;
    this.align(alignmentOf(element.code));
    const start = this.at;
    for (const value of values) this.write(element, value);
    this.bytes.writeUInt32LE(this.at - start, lengthAt);
  }

  private writeText(text: string, byteLength: number): void {
    this.reserve(byteLength + 1);
    this.bytes.write(text, this.at, "utf8");
    this.bytes[this.at + byteLength] = 0;
    this.at += byteLength + 1;
  }

  private reserve(byteLength: number): void {
    if (this.at + byteLength <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + byteLength));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
  }
}

function isVariant(value: Value | undefined): value is Variant {
  return typeof value === "object" && !Array.isArray(value);
}

function isList(value: Value | undefined): value is readonly Value[] {
  return Array.isArray(value);
}
