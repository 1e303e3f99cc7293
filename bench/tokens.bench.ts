import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { read } from "../src/desktop/index.ts";
import { openSession } from "../src/host/session.ts";
import { flatten } from "../src/model/element.ts";
import type { Result } from "../src/model/failure.ts";
import type { MarkedElement } from "../src/model/view.ts";
import { showView } from "../src/show/text.ts";
import { type App, apps } from "./lab/apps.ts";
import { compete, contestants, type Report } from "./lab/contestant.ts";
import { installPeers, peers } from "./lab/peers.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { pairElements } from "./lab/same-elements.ts";
import { formatTable } from "./lab/table.ts";
import { openTestbed, type Testbed } from "./lab/testbed.ts";

const mostPerElement = 6;
const mostWithPoints = 11;
const mostOfPeer = 0.5;
const timeoutMs = 30_000;

interface OwnText {
  readonly elements: readonly MarkedElement[];
  readonly plain: string;
  readonly withPoints: string;
}

/** The text of `deskmap read --interactive`, without and with `--points`. */
async function readOwn({ env, subject }: Testbed): Promise<OwnText> {
  const session = openSession(env, timeoutMs);
  try {
    const desktop = unwrap(await session.openDesktop());
    const query = { windowId: subject.id, includeHidden: false, isInteractive: true, timeoutMs };
    const view = unwrap(await read(desktop, query));
    return {
      elements: view.windows.flatMap(({ elements }) => flatten(elements)),
      plain: showView(view, { withPoints: false, isFlat: false }),
      withPoints: showView(view, { withPoints: true, isFlat: false }),
    };
  } finally {
    session.close();
  }
}

/** The tokens of an element beyond its own name and value, including the lines about the window. */
function costPerElement(text: string, elements: readonly MarkedElement[]): number {
  const own = elements.reduce((sum, { name, value }) => sum + countTokens(name) + countTokens(value), 0);
  return (countTokens(`${text}\n`) - own) / elements.length;
}

interface Comparison {
  readonly pairs: number;
  readonly own: number;
  readonly peer: number;
}

/** Compares the lines of the elements that both texts list. */
function compare({ elements, plain }: OwnText, { text = "", elements: theirs = [] }: Report): Comparison {
  const ownLines = new Map(plain.split("\n").map((line) => [Number.parseInt(line.trim(), 10), line]));
  const peerLines = new Map<number, string>();
  for (const line of text.split("\n")) {
    const index = /^\s*- \[(\d+)\]/.exec(line)?.[1];
    if (index !== undefined) peerLines.set(Number(index), line);
  }
  let own = 0;
  let peer = 0;
  let pairs = 0;
  for (const [element, { index }] of pairElements(elements, theirs)) {
    const ownLine = ownLines.get(element.mark);
    const peerLine = peerLines.get(index);
    if (ownLine === undefined || peerLine === undefined) continue;
    pairs += 1;
    own += countTokens(`${ownLine}\n`);
    peer += countTokens(`${peerLine}\n`);
  }
  return { pairs, own, peer };
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

await installPeers();
const rows: string[][] = [];
const misses: string[] = [];
const measured: readonly App[] = Object.values(apps);
for (const app of measured) {
  const testbed = await openTestbed(app);
  try {
    const own = await readOwn(testbed);
    const peer = await compete(contestants.cua, testbed, app.toolkit, true);
    const plain = costPerElement(own.plain, own.elements);
    const withPoints = costPerElement(own.withPoints, own.elements);
    const same = compare(own, peer);
    const share = same.own / same.peer;
    const problems = [
      ...(plain > mostPerElement ? [`${plain.toFixed(1)} an element (${mostPerElement})`] : []),
      ...(withPoints > mostWithPoints ? [`${withPoints.toFixed(1)} an element with points (${mostWithPoints})`] : []),
      ...(share > mostOfPeer ? [`${share.toFixed(2)} of cua-driver's (${mostOfPeer})`] : []),
    ];
    if (problems.length > 0) misses.push(`${app.name}: ${problems.join(", ")}`);
    rows.push([
      `${app.name} (${app.toolkit})`,
      String(own.elements.length),
      String(countTokens(own.plain)),
      plain.toFixed(1),
      withPoints.toFixed(1),
      String(same.pairs),
      (same.own / same.pairs).toFixed(1),
      (same.peer / same.pairs).toFixed(1),
      share.toFixed(2),
      String(countTokens(peer.text ?? "")),
      problems.length === 0 ? "met" : "NOT MET",
    ]);
    console.log(`  ${app.name}: ${own.elements.length} elements, ${same.pairs} of them in both texts`);
  } finally {
    await testbed.close();
  }
}

publish("Size of the text", [
  `Tokens (gpt-tokenizer, o200k) of \`deskmap read --interactive\` of one window, and of the tree that cua-driver ${peers["@trycua/cua-driver"]} gives of it. ` +
    `"beyond" is what an element costs beyond its own name and value, the lines about the window included: at most ${mostPerElement}, with \`--points\` at most ${mostWithPoints}. ` +
    `"same elements" are those that both texts list (same size and place, or same name), whole lines, names included, without positions: ` +
    `at most ${mostOfPeer} of cua-driver's. The figure before the verdict is cua-driver's whole tree, which also lists what does not show. Marks come from a fresh map: above 999 each costs one token more.`,
  formatTable({
    head: [
      "application",
      "elements",
      "tokens",
      "beyond",
      "with points",
      "same elements",
      "deskmap each",
      "cua each",
      "share",
      "cua tree",
      "verdict",
    ],
    rows,
  }),
  describeMisses(misses),
]);
