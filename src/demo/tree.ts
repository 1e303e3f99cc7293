import { isAnswer } from "../host/port.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { cleanText, quoteText } from "../model/plain-text.ts";
import { maxTreeLine } from "./file.ts";
import { plainRole } from "./replay/answers.ts";
import type { Asking } from "./replay/asking.ts";

/** The answer of the tool read, as far as a part of the tree needs it. */
interface Node {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
  readonly v?: string;
  /** False: it is disabled. */
  readonly e?: boolean;
  readonly s?: boolean;
  readonly x?: readonly string[];
  readonly c?: readonly Node[];
}

interface Read {
  readonly elements?: readonly Node[];
  readonly windows?: readonly { readonly elements?: readonly Node[] }[];
}

/** States that stay when pointer and focus are elsewhere; a box's own state is its value. */
const lasting: ReadonlySet<string> = new Set(["expanded", "collapsed", "pressed", "readonly", "required"]);

/** Which part of which window. Without a mark, the whole window. */
export interface TreePart {
  readonly app?: string | undefined;
  readonly windowId?: number | undefined;
  readonly mark?: number | undefined;
}

/** A part of a tree in lines, each control below what contains it: `checkbox "Agree" = "on"`. */
export async function readTree(asking: Asking, { mark, ...where }: TreePart): Promise<Result<readonly string[]>> {
  const { data, failure } = await asking.call("read", { ...where });
  if (failure !== undefined) return fail(failure);
  const read = isAnswer<Read>(data) ? data : {};
  const roots = [...(read.elements ?? []), ...(read.windows ?? []).flatMap(({ elements = [] }) => elements)];
  const node = mark === undefined ? undefined : findNode(roots, mark);
  if (mark !== undefined && node === undefined) {
    return fail(makeFailure("NOT_FOUND", `the control ${mark} is in no window that can be read`));
  }
  return succeed((node === undefined ? roots : [node]).flatMap((one) => showNode(one, 0)));
}

function findNode(nodes: readonly Node[], mark: number): Node | undefined {
  for (const node of nodes) {
    const found = node.i === mark ? node : findNode(node.c ?? [], mark);
    if (found !== undefined) return found;
  }
  return undefined;
}

function showNode({ r, t, v, e, s, x = [], c = [] }: Node, depth: number): readonly string[] {
  const states = [
    ...(e === false ? ["disabled"] : []),
    ...(s === true ? ["selected"] : []),
    ...x.filter((one) => lasting.has(one)),
  ];
  const words = [
    plainRole(r),
    ...(t === undefined ? [] : [quoteText(t, 80)]),
    ...(v === undefined ? [] : [`= ${quoteText(v, 80)}`]),
    ...(states.length === 0 ? [] : [`[${states.join(", ")}]`]),
  ];
  const line = `${"  ".repeat(Math.min(depth, 20))}${cleanText(words.join(" "), maxTreeLine - 40)}`;
  return [line, ...c.flatMap((child) => showNode(child, depth + 1))];
}

/** What is different: "- " what is missing, "+ " what is new, "~ " what is there otherwise. */
export function diffTrees(wanted: readonly string[], got: readonly string[]): readonly string[] {
  const longest = measureCommon(wanted, got);
  const lines: string[] = [];
  let [a, b] = [0, 0];
  while (a < wanted.length || b < got.length) {
    const [old, now] = [wanted[a], got[b]];
    if (old !== undefined && old === now) {
      a += 1;
      b += 1;
    } else if (
      old !== undefined &&
      now !== undefined &&
      isSameControl(old, now) &&
      longest(a + 1, b + 1) >= Math.max(longest(a + 1, b), longest(a, b + 1))
    ) {
      lines.push(`~ ${old.trim()} is now ${now.trim()}`);
      a += 1;
      b += 1;
    } else if (now === undefined || (old !== undefined && longest(a + 1, b) >= longest(a, b + 1))) {
      lines.push(`- ${old ?? ""}`);
      a += 1;
    } else {
      lines.push(`+ ${now}`);
      b += 1;
    }
  }
  return lines;
}

/** The same role at the same depth, and the same name or the same value. */
function isSameControl(one: string, other: string): boolean {
  const [, deep, role, name] = /^( *)(\S+)(?: ("(?:[^"\\]|\\.)*"))?/.exec(one) ?? [];
  const [, otherDeep, otherRole, otherName] = /^( *)(\S+)(?: ("(?:[^"\\]|\\.)*"))?/.exec(other) ?? [];
  const rest = (line: string): string => line.slice(line.indexOf(" = "));
  const isNamed = name === otherName || (one.includes(" = ") && rest(one) === rest(other));
  return deep === otherDeep && role === otherRole && isNamed;
}

/** How many lines are the same in order, from each place on. */
function measureCommon(one: readonly string[], other: readonly string[]): (a: number, b: number) => number {
  const width = other.length + 1;
  const counts = new Uint16Array((one.length + 1) * width);
  for (let a = one.length - 1; a >= 0; a -= 1) {
    for (let b = other.length - 1; b >= 0; b -= 1) {
      const down = counts[(a + 1) * width + b] ?? 0;
      const right = counts[a * width + b + 1] ?? 0;
      const both = (counts[(a + 1) * width + b + 1] ?? 0) + 1;
      counts[a * width + b] = one[a] === other[b] ? both : Math.max(down, right);
    }
  }
  return (a, b) => (a > one.length || b > other.length ? 0 : (counts[a * width + b] ?? 0));
}
