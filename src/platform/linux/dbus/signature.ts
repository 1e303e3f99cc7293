/** Bytes that are not a valid D-Bus message. The connection cannot be used afterwards. */
export class MalformedMessage extends Error {
  override readonly name = "MalformedMessage";
}

/** One parsed D-Bus type. `inner` holds an array's element or a struct's fields. */
export interface Type {
  readonly code: string;
  readonly inner: readonly Type[];
}

/** D-Bus specification: arrays and structs nest at most 32 levels each. */
const maxDepth = 64;
const basicCodes = "ybnqiuxtdsogvh";
const parsed = new Map<string, readonly Type[]>();

export function parseSignature(signature: string): readonly Type[] {
  const known = parsed.get(signature);
  if (known !== undefined) return known;
  if (signature.length > 255) throw new MalformedMessage("signature longer than 255 bytes");
  const types: Type[] = [];
  let at = 0;
  while (at < signature.length) {
    const [type, next] = parseType(signature, at, 0);
    types.push(type);
    at = next;
  }
  // Signatures come from the wire: a hostile peer must not make this cache grow.
  if (parsed.size < 1000) parsed.set(signature, types);
  return types;
}

function parseType(signature: string, at: number, depth: number): [Type, number] {
  if (depth > maxDepth) throw new MalformedMessage("signature nests too deeply");
  const code = signature[at];
  if (code === undefined) throw new MalformedMessage(`signature "${signature}" ends too early`);
  if (basicCodes.includes(code)) return [{ code, inner: [] }, at + 1];
  if (code === "a") {
    const [inner, next] = parseType(signature, at + 1, depth + 1);
    return [{ code, inner: [inner] }, next];
  }
  const closing = code === "(" ? ")" : code === "{" ? "}" : undefined;
  if (closing === undefined) throw new MalformedMessage(`signature has an unknown type "${code}"`);
  const inner: Type[] = [];
  let next = at + 1;
  while (signature[next] !== closing) {
    const [field, after] = parseType(signature, next, depth + 1);
    inner.push(field);
    next = after;
  }
  if (inner.length === 0) throw new MalformedMessage("signature has an empty struct");
  return [{ code: "(", inner }, next + 1];
}

export function alignmentOf(code: string): number {
  switch (code) {
    case "y":
    case "g":
    case "v":
      return 1;
    case "n":
    case "q":
      return 2;
    case "x":
    case "t":
    case "d":
    case "(":
      return 8;
    default:
      return 4;
  }
}
