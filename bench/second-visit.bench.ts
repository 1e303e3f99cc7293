import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Window } from "../src/model/window.ts";
import { openPlatform } from "../src/platform/pick.ts";
import { openSandbox, type Sandbox } from "../src/sandbox/index.ts";
import { apps } from "./lab/apps.ts";
import { compete, contestants } from "./lab/contestant.ts";
import { installPeers, peers } from "./lab/peers.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { waitUntilQuiet } from "./lab/settle.ts";
import { formatTable } from "./lab/table.ts";

// A task of ten steps, done by an agent that reads text: in an application that the map does not know, in the same one
// after a restart, and as peers do it, which read the whole window before every step because their numbers change each time.

const mostOfPeer = 1 / 3;
const launcher = fileURLToPath(new URL("../deskmap", import.meta.url));

interface Step {
  readonly role: string;
  readonly name: string;
  /** The command without its target. */
  readonly words: readonly string[];
}

interface Task {
  readonly name: string;
  readonly app: string;
  readonly toolkit: string;
  readonly title: RegExp;
  readonly steps: readonly Step[];
  prepare(folder: string): readonly [string, ...string[]];
}

const press = (name: string): Step => ({ role: "btn", name, words: ["click"] });
const fields = ["Name", "Street", "Town", "Country", "Phone", "Company", "Order", "Remark"];

const tasks: readonly Task[] = [
  {
    name: "a sum",
    app: "gnome-calculator",
    toolkit: "GTK 4",
    title: apps["gnome-calculator"].title,
    steps: ["1", "2", "+", "3", "4", "+", "5", "6", "=", "1"].map(press),
    prepare: apps["gnome-calculator"].prepare,
  },
  {
    name: "a form among 150 links",
    app: "firefox",
    toolkit: "Gecko",
    title: /Delivery/,
    steps: [
      ...fields.map((name): Step => ({ role: "input", name, words: ["set-value", `the ${name.toLowerCase()}`] })),
      { role: "chk", name: "Express", words: ["check"] },
      press("Order now"),
    ],
    prepare(folder) {
      const [program = "", ...args] = apps.firefox.prepare(folder);
      // The same address each time; the profile is new.
      const page = join(folder, "../delivery.html");
      writeFileSync(page, makeForm());
      return [program, ...args.slice(0, -1), page];
    },
  },
];

function makeForm(): string {
  const links = Array.from({ length: 150 }, (_, at) => `<a href="#${at}">Article ${at} of our catalogue</a>`).join(" ");
  const inputs = fields.map((name) => `<p><label>${name} <input></label></p>`).join("");
  return `<!doctype html><title>Delivery</title><form onsubmit="return false">${inputs}
<p><label><input type="checkbox"> Express</label></p>
<button onclick="document.getElementById('done').textContent = 'Thank you'">Order now</button><p id="done">Nothing ordered</p></form><nav>${links}</nav>`;
}

interface Cost {
  readonly tokens: number;
  readonly ms: number;
}

/** Runs one command as an agent does, and counts the tokens of the command and its output, and the time. */
function runCommand(sandbox: Sandbox, args: readonly string[]): Cost & { readonly output: string } {
  const started = performance.now();
  const { stdout, stderr, status } = spawnSync(launcher, [...args, "--format", "text"], {
    env: sandbox.env,
    encoding: "utf8",
  });
  const ms = performance.now() - started;
  if (status !== 0) throw new Error(`deskmap ${args.join(" ")}: ${status} ${stderr}${stdout}`);
  return { output: stdout, ms, tokens: countTokens(`deskmap ${args.join(" ")}\n`) + countTokens(stdout) };
}

function add(costs: readonly Cost[]): Cost {
  return costs.reduce((sum, { tokens, ms }) => ({ tokens: sum.tokens + tokens, ms: sum.ms + ms }), {
    tokens: 0,
    ms: 0,
  });
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Finds the mark of a step's control in a text that an agent has read. */
function findMark(text: string, { role, name }: Step): string {
  const learner =
    new Map([
      ["btn", "button"],
      ["chk", "checkbox"],
    ]).get(role) ?? role;
  const line = new RegExp(`^\\s*(\\d+) (?:${role}|${learner}) "${escapePattern(name)}"`, "m").exec(text);
  if (line?.[1] === undefined)
    throw new Error(`no ${role} "${name}" among ${text.length} characters: ${text.slice(0, 800)}`);
  return line[1];
}

/** Reads once, then does the ten steps by mark: every answer says what changed, so nothing has to be read again. */
function visit(sandbox: Sandbox, task: Task, look: readonly string[]): { readonly look: Cost; readonly steps: Cost } {
  const seen = runCommand(sandbox, look);
  const steps = task.steps.map((step) => {
    const [verb = "", ...rest] = step.words;
    return runCommand(sandbox, [verb, ...rest, "--id", findMark(seen.output, step)]);
  });
  return { look: seen, steps: add(steps) };
}

async function start(sandbox: Sandbox, task: Task, folder: string): Promise<Window> {
  mkdirSync(folder);
  sandbox.spawn(task.prepare(folder), { stdio: "ignore" }).unref();
  const opened = await openPlatform({ env: sandbox.env, timeoutMs: 10_000 });
  if (!opened.ok) throw new Error(opened.failure.message);
  try {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await Bun.sleep(50)) {
      const list = await opened.value.listWindows();
      const window = list.ok ? list.value.windows.find(({ title }) => task.title.test(title)) : undefined;
      if (window === undefined) continue;
      await waitUntilQuiet(window.pid);
      return window;
    }
    throw new Error(`${task.app} showed no window`);
  } finally {
    opened.value.close();
  }
}

async function end({ pid }: Window): Promise<void> {
  process.kill(pid, "SIGTERM");
  for (const deadline = performance.now() + 10_000; performance.now() < deadline; await Bun.sleep(50)) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
  }
  process.kill(pid, "SIGKILL");
}

await installPeers();
const rows: string[][] = [];
const misses: string[] = [];
for (const task of tasks) {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-visit-"));
  const sandbox = await openSandbox({ width: 1280, height: 900, boundary: "off" });
  try {
    const first = await start(sandbox, task, join(folder, "first"));
    const unknown = visit(sandbox, task, ["read", "--interactive", "--app", task.app]);
    const again = runCommand(sandbox, ["read", "--interactive", "--app", task.app]);
    await end(first);
    const second = await start(sandbox, task, join(folder, "second"));
    const known = visit(sandbox, task, ["get_screen_targets", "--learned-only"]);
    const testbed = {
      env: sandbox.env,
      subject: second,
      runIn: second,
      waitUntilQuiet: () => waitUntilQuiet(second.pid),
      close: async () => {},
    };
    const peer = await compete(contestants.cua, testbed, task.toolkit, true);
    await end(second);
    // The peer's clicks are not counted, only what it has to read before each.
    const peerTokens = countTokens(peer.text ?? "") * task.steps.length;
    const [visitOne, visitTwo] = [add([unknown.look, unknown.steps]), add([known.look, known.steps])];
    const rereading = again.tokens * task.steps.length + unknown.steps.tokens;
    const share = visitTwo.tokens / peerTokens;
    if (share > mostOfPeer)
      misses.push(`${task.name}: ${share.toFixed(2)} of the peer's tokens (${mostOfPeer.toFixed(2)})`);
    rows.push([
      `${task.name} (${task.app})`,
      String(visitOne.tokens),
      String(visitTwo.tokens),
      `${unknown.look.tokens} → ${known.look.tokens}`,
      String(rereading),
      String(peerTokens),
      share.toFixed(2),
      (visitTwo.tokens / visitOne.tokens).toFixed(2),
      `${(visitOne.ms / 1000).toFixed(1)} → ${(visitTwo.ms / 1000).toFixed(1)} s`,
      share > mostOfPeer ? "NOT MET" : "met",
    ]);
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

publish("A second visit", [
  `A task of ten steps by an agent that reads text. Tokens (gpt-tokenizer, o200k) of everything that it writes and reads. First visit: one \`read --interactive\`, then ten commands by mark, ` +
    `whose answers say what changed. Second visit, after the application was started again: one \`get_screen_targets --learned-only\`, then the same. "looking" is the part of the look. ` +
    `"reading again" is Deskmap with a whole read before every step; "cua-driver" the tree that cua-driver ${peers["@trycua/cua-driver"]} gives of the window, ten times, since its numbers are new each time; its clicks are not counted. ` +
    "A second visit may cost at most a third of that. Time: all commands, each its own process.",
  formatTable({
    head: [
      "task",
      "first visit",
      "second visit",
      "looking",
      "reading again",
      "cua-driver",
      "second / cua",
      "second / first",
      "time",
      "bar",
    ],
    rows,
  }),
  describeMisses(misses),
]);
if (misses.length > 0) process.exitCode = 1;
