/** How many numbers each command of SVG's path data takes (SVG 2, "Path data"). */
const numbersOf: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

export const maxPathLength = 4000;
const maxSegments = 500;
const farthest = 1e6;

const token = /\s*,?\s*(?:([A-Za-z])|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))/y;

/** Why a text is no path data, in words; undefined where it is. */
export function findPathTrouble(path: string): string | undefined {
  if (path.length > maxPathLength) return `it is longer than ${maxPathLength} characters`;
  const tokens = readTokens(path.trim());
  if (typeof tokens === "string") return tokens;
  if (tokens[0] !== "M" && tokens[0] !== "m") return "it does not begin with M";
  let segments = 0;
  for (let at = 0; at < tokens.length; ) {
    const command = tokens[at];
    if (typeof command !== "string") return "a number stands where a command should";
    const wanted = numbersOf[command.toUpperCase()];
    if (wanted === undefined) return `it has no command ${command}`;
    let numbers = 0;
    at += 1;
    while (typeof tokens[at] === "number") {
      numbers += 1;
      at += 1;
    }
    if (wanted === 0 ? numbers > 0 : numbers === 0 || numbers % wanted !== 0) {
      return `${command} takes ${wanted} numbers, or as many again`;
    }
    segments += wanted === 0 ? 1 : numbers / wanted;
  }
  return segments > maxSegments ? `it has more than ${maxSegments} pieces` : undefined;
}

function readTokens(path: string): (string | number)[] | string {
  const tokens: (string | number)[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < path.length) {
    const at = token.lastIndex;
    const found = token.exec(path);
    if (found === null) return `nothing is known to begin with "${path.slice(at, at + 10).trim()}"`;
    const [, command, number] = found;
    const value = Number(number);
    if (command === undefined && !(Math.abs(value) <= farthest)) return `${number} is too far away`;
    tokens.push(command ?? value);
  }
  return tokens;
}
