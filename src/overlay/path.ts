import { isWithinReach, type Piece } from "./path-reach.ts";

/** How many numbers each command of SVG's path data takes (SVG 2, "Path data"). */
const numbersOf: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

export const maxPathLength = 4000;
const maxSegments = 500;
const farthest = 1e6;

/** So many times its box, on every side of it: what lies farther away is nothing that belongs to a control. */
const reach = 4;

const token = /\s*,?\s*(?:([A-Za-z])|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))/y;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Why a text is no path data that belongs to a box of this size, in words; undefined where it is. */
export function findPathTrouble(path: string, size: Size): string | undefined {
  if (path.length > maxPathLength) return `it is longer than ${maxPathLength} characters`;
  const tokens = readTokens(path.trim());
  if (typeof tokens === "string") return tokens;
  if (tokens[0] !== "M" && tokens[0] !== "m") return "it does not begin with M";
  const pieces = splitPieces(tokens);
  if (typeof pieces === "string") return pieces;
  if (pieces.length > maxSegments) return `it has more than ${maxSegments} pieces`;
  return isWithinReach(pieces, size, reach) ? undefined : `it goes farther than ${reach} times its box away from it`;
}

function splitPieces(tokens: readonly (string | number)[]): readonly Piece[] | string {
  const pieces: Piece[] = [];
  for (let at = 0; at < tokens.length; ) {
    const command = tokens[at];
    if (typeof command !== "string") return "a number stands where a command should";
    const wanted = numbersOf[command.toUpperCase()];
    if (wanted === undefined) return `it has no command ${command}`;
    const numbers: number[] = [];
    for (at += 1; ; at += 1) {
      const number = tokens[at];
      if (typeof number !== "number") break;
      numbers.push(number);
    }
    if (wanted === 0 ? numbers.length > 0 : numbers.length === 0 || numbers.length % wanted !== 0) {
      return `${command} takes ${wanted} numbers, or as many again`;
    }
    if (wanted === 0) pieces.push({ command, numbers });
    for (let from = 0; from < numbers.length; from += wanted) {
      // After the first pair of M the others are lines.
      const own = from === 0 ? command : command.replace("M", "L").replace("m", "l");
      pieces.push({ command: own, numbers: numbers.slice(from, from + wanted) });
    }
  }
  return pieces;
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
