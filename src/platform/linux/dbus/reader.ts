import { alignmentOf, MalformedMessage, parseSignature, type Type } from "./signature.ts";

export type Value = string | number | bigint | boolean | Variant | readonly Value[];
export interface Variant {
  readonly signature: string;
  readonly value: Value;
}

/** D-Bus specification: arrays are limited to 64 MiB. */
const maxArrayBytes = 64 * 1024 * 1024;
const maxVariantDepth = 64;
/** An application may give every element a name of a megabyte. Only a text requested by itself is kept whole. */
const maxTextBytes = 16 * 1024;

/** Reads D-Bus values from one message. Every length and offset is checked before use. */
export class Reader {
  private readonly view: DataView;
  private readonly bytes: Buffer;
  private variantDepth = 0;
  private isTextWhole = true;

  constructor(
    bytes: Uint8Array,
    private readonly isLittle: boolean,
    private at: number,
    private readonly end: number,
  ) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (end > bytes.byteLength) throw new MalformedMessage("message is shorter than it says");
  }

  readAll(signature: string): Value[] {
    return parseSignature(signature).map((type) => this.read(type));
  }

  /** The values from an offset on, which must be all that is left. */
  readBody(offset: number, signature: string): Value[] {
    this.at = offset;
    this.isTextWhole = signature === "s";
    const values = this.readAll(signature);
    if (this.at !== this.end) throw new MalformedMessage("message is longer than its signature");
    return values;
  }

  /** The type of a header field's value; all fields defined by D-Bus have a single basic type. */
  readFieldType(): string {
    const signature = this.readText(this.readByte());
    if (signature.length !== 1) throw new MalformedMessage(`header field of type "${signature}"`);
    return signature;
  }

  /** Skips a header field's value without creating a string: half of a reply is its sender and destination. */
  passOver(type: string): void {
    if (type === "s" || type === "o") this.take(this.readUint32() + 1, 1);
    else if (type === "g") this.take(this.readByte() + 1, 1);
    else this.readAll(type);
  }

  align(alignment: number): void {
    const next = Math.ceil(this.at / alignment) * alignment;
    if (next > this.end) throw new MalformedMessage("padding runs past the end");
    this.at = next;
  }

  get position(): number {
    return this.at;
  }

  readByte(): number {
    return this.view.getUint8(this.take(1, 1));
  }

  readUint32(): number {
    return this.view.getUint32(this.take(4, 4), this.isLittle);
  }

  read(type: Type): Value {
    switch (type.code) {
      case "s":
      case "o":
        return this.readText(this.readUint32());
      case "g":
        return this.readText(this.readByte());
      case "u":
      case "h":
        return this.readUint32();
      case "i":
        return this.view.getInt32(this.take(4, 4), this.isLittle);
      case "b":
        return this.readUint32() !== 0;
      case "y":
        return this.readByte();
      case "n":
        return this.view.getInt16(this.take(2, 2), this.isLittle);
      case "q":
        return this.view.getUint16(this.take(2, 2), this.isLittle);
      case "x":
        return this.view.getBigInt64(this.take(8, 8), this.isLittle);
      case "t":
        return this.view.getBigUint64(this.take(8, 8), this.isLittle);
      case "d":
        return this.view.getFloat64(this.take(8, 8), this.isLittle);
      case "a":
        return this.readArray(type.inner[0]);
      case "(":
        return this.readStruct(type.inner);
      case "v":
        return this.readVariant();
      default:
        throw new MalformedMessage(`unknown type "${type.code}"`);
    }
  }

  readVariant(): Variant {
    if (this.variantDepth >= maxVariantDepth) throw new MalformedMessage("variants nest too deeply");
    this.variantDepth += 1;
    const signature = this.readText(this.readByte());
    const types = parseSignature(signature);
    const type = types[0];
    if (type === undefined || types.length !== 1) throw new MalformedMessage("a variant holds exactly one value");
    const value = this.read(type);
    this.variantDepth -= 1;
    return { signature, value };
  }

  private readStruct(fields: readonly Type[]): Value[] {
    this.align(8);
    const values: Value[] = [];
    for (const field of fields) values.push(this.read(field));
    return values;
  }

  private readArray(element: Type | undefined): Value[] {
    if (element === undefined) throw new MalformedMessage("array without an element type");
    const byteLength = this.readUint32();
    if (byteLength > maxArrayBytes) throw new MalformedMessage("array longer than 64 MiB");
    this.align(alignmentOf(element.code));
    const stop = this.at + byteLength;
    if (stop > this.end) throw new MalformedMessage("array runs past the end");
    const values: Value[] = [];
    while (this.at < stop) values.push(this.read(element));
    if (this.at !== stop) throw new MalformedMessage("array element runs past its array");
    return values;
  }

  readText(byteLength: number): string {
    const start = this.take(byteLength + 1, 1);
    if (this.bytes[start + byteLength] !== 0) throw new MalformedMessage("string without its closing zero");
    const keptBytes = this.isTextWhole ? byteLength : Math.min(byteLength, maxTextBytes);
    return this.bytes.toString("utf8", start, start + keptBytes);
  }

  /** Moves past `byteLength` bytes and returns their start. */
  private take(byteLength: number, alignment: number): number {
    const remainder = this.at % alignment;
    const start = remainder === 0 ? this.at : this.at + alignment - remainder;
    if (start + byteLength > this.end) throw new MalformedMessage("value runs past the end");
    this.at = start + byteLength;
    return start;
  }
}
