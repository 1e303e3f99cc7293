import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { servePresses } from "../tests/fixtures/press-server.ts";
import { type App, apps } from "./lab/apps.ts";
import { compileThis } from "./lab/builds.ts";
import { isQuick, onlyApps } from "./lab/options.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { formatTable, showMs, spreadOf } from "./lab/table.ts";
import { openTestbed, type Testbed } from "./lab/testbed.ts";

// What a press is said to have done, beside texts that change by themselves, and what it did.

const kinds = ["text", "word", "countdown", "log", "text+word+countdown+log"] as const;
type Kind = (typeof kinds)[number];
/** Of each kind, in each application, with and without a daemon: 30 × 10 dead presses and 30 × 4 live ones in all. */
const [deadPresses, livePresses] = isQuick ? [2, 1] : [10, 4];
const fixtures = fileURLToPath(new URL("../tests/fixtures/apps/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "deskmap-bench-"));

interface Subject {
  readonly app: App;
  /** The application's own count. */
  countPresses(button: Button): number;
  close(): void;
}

type Button = "dead" | "live";

function makePage(browser: "chromium" | "firefox", kind: Kind): Subject {
  const server = servePresses();
  return {
    app: {
      ...apps[browser],
      title: /Restless/,
      prepare: (own) => {
        const [program, ...args] = apps[browser].prepare(own);
        return [program, ...args.slice(0, -1), `file://${fixtures}restless.html#${kind},${server.port}`];
      },
    },
    countPresses: server.count,
    close: server.stop,
  };
}

let instances = 0;

function makeGtk(kind: Kind): Subject {
  instances += 1;
  const state = join(folder, `${instances}.json`);
  return {
    app: {
      name: "gtk3",
      toolkit: "GTK 3",
      title: /^Restless$/,
      prepare: () => ["/usr/bin/python3", join(fixtures, "restless.py"), state, kind],
    },
    countPresses: (button) =>
      JSON.parse(readFileSync(state, "utf8")).presses.filter((one: string) => one === button).length,
    close: () => undefined,
  };
}

const makers: readonly (readonly [name: string, make: (kind: Kind) => Subject])[] = [
  ["chromium", (kind) => makePage("chromium", kind)],
  ["firefox", (kind) => makePage("firefox", kind)],
  ["gtk3", makeGtk],
];

interface Press {
  readonly toolkit: string;
  readonly kind: Kind;
  readonly mode: "daemon" | "alone";
  readonly button: Button;
  readonly verdict: string;
  readonly evidence: string;
  readonly ms: number;
  readonly isCounted: boolean;
}

/** The default policy, without its limit of actions per minute. */
function writePolicy({ env }: Testbed): void {
  const config = join(env.XDG_CONFIG_HOME ?? folder, "deskmap");
  mkdirSync(config, { recursive: true, mode: 0o700 });
  writeFileSync(join(config, "policy.json"), JSON.stringify({ actionsPerMinute: 0 }), { mode: 0o600 });
}

/** Dead and live presses in turn, at times that have nothing to do with the page's own. */
function listTurns(): readonly Button[] {
  const every = Math.ceil((deadPresses + livePresses) / livePresses);
  const turns = Array.from({ length: deadPresses + livePresses }, (_, index): Button => {
    return index % every === every - 1 ? "live" : "dead";
  });
  const missing = livePresses - turns.filter((button) => button === "live").length;
  return turns.map((button, index) => (index >= turns.length - missing ? "live" : button));
}

async function pressAll(testbed: Testbed, subject: Subject, program: string, kind: Kind, mode: Press["mode"]) {
  const env = { ...testbed.env, DESKMAP_DAEMON: mode === "daemon" ? "start" : "never" };
  const window = ["--window-id", String(testbed.subject.id)];
  const presses: Press[] = [];
  for (const button of listTurns()) {
    const before = subject.countPresses(button);
    const startedAt = performance.now();
    const args = ["click", button, "--role", "button", ...window, "--format", "json"];
    const { stdout, stderr } = spawnSync(program, args, { env, encoding: "utf8" });
    const ms = performance.now() - startedAt;
    const answer = JSON.parse(stdout || stderr);
    const deadline = performance.now() + 3000;
    while (subject.countPresses(button) === before && performance.now() < deadline) await pause(10);
    const isCounted = subject.countPresses(button) === before + 1;
    const verdict = String(answer.effect ?? answer.error?.code);
    const evidence = String(answer.evidence?.join("; ") ?? answer.error?.message);
    const press: Press = { toolkit: subject.app.toolkit, kind, mode, button, verdict, evidence, ms, isCounted };
    presses.push(press);
    const wrong = isWrong(press) ? "WRONG " : "";
    console.log(`  ${press.toolkit} ${kind} ${mode} ${button}: ${wrong}${verdict}, ${showMs(ms)} ms: ${evidence}`);
    await pause(Math.random() * 1000);
  }
  return presses;
}

function isWrong({ button, verdict, isCounted }: Press): boolean {
  return !isCounted || (verdict === "confirmed") !== (button === "live");
}

async function measure(make: (kind: Kind) => Subject, kind: Kind, program: string): Promise<Press[]> {
  const subject = make(kind);
  const testbed = await openTestbed(subject.app);
  try {
    writePolicy(testbed);
    const alone = await pressAll(testbed, subject, program, kind, "alone");
    return [...alone, ...(await pressAll(testbed, subject, program, kind, "daemon"))];
  } finally {
    spawnSync(program, ["serve", "stop"], { env: testbed.env });
    await testbed.close();
    subject.close();
  }
}

const presses: Press[] = [];
try {
  const program = compileThis(folder);
  for (const [name, make] of makers) {
    if (onlyApps !== undefined && !onlyApps.includes(name)) continue;
    for (const kind of kinds) presses.push(...(await measure(make, kind, program)));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const said = ["confirmed", "unverified", "no-change"];
const rows = [...Map.groupBy(presses, ({ toolkit, mode, button }) => `${toolkit}|${mode}|${button}`)].map(
  ([key, list]) => {
    const counts = said.map((verdict) => list.filter((one) => one.verdict === verdict).length);
    const rest = list.length - counts.reduce((sum, one) => sum + one, 0);
    const { median } = spreadOf(list.map(({ ms }) => ms));
    return [...key.split("|"), String(list.length), ...[...counts, rest].map(String), showMs(median)];
  },
);
const [dead, live] = (["dead", "live"] as const).map((button) => presses.filter((one) => one.button === button));
const isConfirmed = ({ verdict }: Press): boolean => verdict === "confirmed";
const falseOnes = dead?.filter(isConfirmed) ?? [];
const share = (live?.filter(isConfirmed).length ?? 0) / (live?.length ?? 1);
const misses = [
  ...(falseOnes.length > 0 ? [`${falseOnes.length} of ${dead?.length} presses without an effect were confirmed`] : []),
  ...(share < 0.95 ? [`${Math.round(share * 100)}% of the effects were confirmed, where 95% is asked`] : []),
  ...presses.filter(({ isCounted }) => !isCounted).map(({ toolkit, kind }) => `${toolkit}, ${kind}: not counted`),
];

publish("What is said of a press, and what it did", [
  `${isQuick ? "A quick run: too few trials to quote. " : ""}A button without an effect ("dead") and one that raises a count beside it ("live"), in a page or window with a text ` +
    "that changes by itself: at irregular times of 0.3 to 2.5 s, a word that comes and goes at such times, a countdown of seconds, a log that grows at such times, or all of them. " +
    "Every press is counted by the page or application itself. Each is a process of its own, with a daemon and without.",
  formatTable({ head: ["toolkit", "mode", "button", "presses", ...said, "other", "median ms"], rows }),
  describeMisses(misses),
]);
