const space = /[ \t\n\r]*/y;
const scalar =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

type Expected = "a value" | "a name or }" | "a name" | "a value or ]" | ":" | ", or }" | ", or ]" | "the end";

/** Where a text stops being JSON, and what should be there; undefined if it is JSON. Nothing is built, and nothing recurses. */
export function findJsonFault(text: string): { readonly at: number; readonly expected: Expected } | undefined {
  const open: ("{" | "[")[] = [];
  let expected: Expected = "a value";
  const close = (): Expected => {
    open.pop();
    return open.length === 0 ? "the end" : open.at(-1) === "{" ? ", or }" : ", or ]";
  };
  for (let at = skip(text, 0); ; at = skip(text, at)) {
    const sign = text[at];
    if (sign === undefined) return expected === "the end" ? undefined : { at, expected };
    const takesValue: boolean = expected === "a value" || expected === "a value or ]";
    const takesName: boolean = expected === "a name" || expected === "a name or }";
    if (takesValue && (sign === "{" || sign === "[")) {
      open.push(sign);
      expected = sign === "{" ? "a name or }" : "a value or ]";
      at += 1;
    } else if (
      (sign === "}" && (expected === "a name or }" || expected === ", or }")) ||
      (sign === "]" && (expected === "a value or ]" || expected === ", or ]"))
    ) {
      expected = close();
      at += 1;
    } else if (sign === "," && (expected === ", or }" || expected === ", or ]")) {
      expected = expected === ", or }" ? "a name" : "a value";
      at += 1;
    } else if (sign === ":" && expected === ":") {
      expected = "a value";
      at += 1;
    } else if (takesValue || (takesName && sign === '"')) {
      scalar.lastIndex = at;
      if (!scalar.test(text)) return { at, expected };
      at = scalar.lastIndex;
      expected = takesName ? ":" : open.length === 0 ? "the end" : open.at(-1) === "{" ? ", or }" : ", or ]";
    } else return { at, expected };
  }
}

/** Parsing a text that is nested without end takes memory without end. Brackets in strings are counted, too: names have few. */
export function isTooDeep(text: string, most: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === openBrace || code === openBracket) depth += 1;
    else if (code === openBrace + 2 || code === openBracket + 2) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

const [openBrace, openBracket] = [0x7b, 0x5b];

function skip(text: string, at: number): number {
  space.lastIndex = at;
  space.test(text);
  return space.lastIndex;
}
