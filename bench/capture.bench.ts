import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openSandbox, type Sandbox } from "../src/sandbox/index.ts";
import { isQuick } from "./lab/options.ts";
import { installPeers, peers, peersFolder } from "./lab/peers.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { waitUntilQuiet } from "./lab/settle.ts";
import { formatTable, showRange, showRatio, spreadOf } from "./lab/table.ts";

const rounds = isQuick ? 2 : 7;
/** Pictures that each process takes. The first ones (`runIn`) do not count: the code is still being compiled. */
const repeats = { own: 150, peer: 25 };
const runIn = { own: 50, peer: 5 };
/** The least speed-up over node-screenshots, and the largest share of a region in the time of the whole screen. */
const bars = { faster: 5, part: 0.1 };
const own = fileURLToPath(new URL("./contestants/capture-own.ts", import.meta.url));
const peer = fileURLToPath(new URL("./contestants/capture-node-screenshots.mjs", import.meta.url));

interface Report {
  readonly whole: readonly number[];
  readonly region?: readonly number[];
  /** Of the colours of the last picture; both contestants must have the same. */
  readonly hash: string;
}

const commands = {
  own: [process.execPath, own, String(repeats.own)],
  peer: ["node", peer, peersFolder, String(repeats.peer)],
} as const;

function measure(name: keyof typeof commands, sandbox: Sandbox): Report {
  const [program, ...args] = commands[name];
  const { status, stdout, stderr } = spawnSync(program, args, {
    env: sandbox.env,
    encoding: "utf8",
    timeout: 120_000,
  });
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr.slice(-1000)}`);
  return JSON.parse(stdout);
}

await installPeers();
const figures: Record<"whole" | "region" | "peer", number[]> = { whole: [], region: [], peer: [] };
let different = 0;
const sandbox = await openSandbox({ width: 1920, height: 1080, boundary: "off" });
try {
  const child = sandbox.spawn(["zenity", "--info", "--text=Something to see", "--width=600"], { stdio: "ignore" });
  await waitUntilQuiet(child.pid ?? 0);
  for (let round = 1; round <= rounds; round += 1) {
    const mine = measure("own", sandbox);
    const theirs = measure("peer", sandbox);
    figures.whole.push(...mine.whole.slice(runIn.own));
    figures.region.push(...(mine.region ?? []).slice(runIn.own));
    figures.peer.push(...theirs.whole.slice(runIn.peer));
    if (mine.hash !== theirs.hash) different += 1;
    console.log(`  ${round}/${rounds}`);
  }
} finally {
  await sandbox.close();
}

const [whole, region, other] = [spreadOf(figures.whole), spreadOf(figures.region), spreadOf(figures.peer)];
const faster = other.median / whole.median;
const part = region.median / whole.median;
const misses = [
  ...(faster >= bars.faster ? [] : [`${showRatio(faster)} faster than node-screenshots, asked for ${bars.faster}×`]),
  ...(part < bars.part ? [] : [`a region takes ${part.toFixed(3)} of the whole, asked for less than ${bars.part}`]),
  ...(different === 0 ? [] : [`${different} of ${rounds} times the two saw different pixels`]),
];
publish("Screen capture", [
  "Pixels of a screen of 1920×1080 in a sandbox, in memory, not encoded; connection open, code loaded. " +
    `node-screenshots ${peers["node-screenshots"]} by captureImageSync in Node; in turns, ${rounds} processes of each; ` +
    "the last of each are compared.",
  formatTable({
    head: ["picture", "median ms", "min–max", "ratio"],
    rows: [
      ["Deskmap, 1920×1080", whole.median.toFixed(2), showRange(whole), "1.0×"],
      ["Deskmap, 400×300 of it", region.median.toFixed(2), showRange(region), `${part.toFixed(3)}×`],
      ["node-screenshots, 1920×1080", other.median.toFixed(2), showRange(other), showRatio(faster)],
    ],
  }),
  `Bars: ${bars.faster}× node-screenshots, and a region in less than ${bars.part} of the whole. ${describeMisses(misses)}`,
]);
