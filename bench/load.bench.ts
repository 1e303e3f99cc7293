import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { flatten } from "../src/model/element.ts";
import { connectAccessibility, listBusApplications } from "../src/platform/linux/atspi/access.ts";
import { Peer } from "../src/platform/linux/atspi/peer.ts";
import { getRole, rootPath } from "../src/platform/linux/atspi/protocol.ts";
import { openPlatform } from "../src/platform/pick.ts";
import { type App, apps, makeHuge } from "./lab/apps.ts";
import { onlyApps } from "./lab/options.ts";
import { publish } from "./lab/results.ts";
import { openStage, type Stage } from "./lab/stage.ts";
import { formatTable, showMs } from "./lab/table.ts";

const reads = 5;
const idleMs = 3000;
const pingEveryMs = 2;
const askScript = fileURLToPath(new URL("./contestants/ask.py", import.meta.url));

/** The page's own clock: a timer every 5 ms, which tells the longest time that it was kept waiting since it last told. */
let longestBeat = 0;
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch(request) {
    longestBeat = Math.max(longestBeat, Number(new URL(request.url).searchParams.get("gap")));
    return new Response("", { headers: { "access-control-allow-origin": "*" } });
  },
});

const measured: readonly App[] = [
  makeHuge(apps.firefox, server.port ?? 0),
  makeHuge(apps.chromium, server.port ?? 0),
  apps.calc,
];
/** What is done to a fresh browser before Deskmap reads it for the first time, by others than Deskmap. */
const earlierQuestions: readonly { readonly what: string; readonly ask: string | undefined }[] = [
  { what: "", ask: undefined },
  { what: "pyatspi asks for the name of the window", ask: "frame" },
  { what: "pyatspi asks how many children the page has", ask: "page" },
];
const rows: string[][] = [];
for (const app of measured.filter(({ name }) => onlyApps === undefined || onlyApps.includes(name))) {
  // Only Firefox was seen to stand still at the first question of all.
  for (const { what, ask } of app.name === apps.firefox.name ? earlierQuestions : earlierQuestions.slice(0, 1)) {
    const stage = await openStage(app);
    try {
      rows.push(...(await measure(stage, app, what, ask)));
    } finally {
      await stage.close();
    }
  }
}
await server.stop(true);

publish("What a read costs the application", [
  `Milliseconds and megabytes. Pages of 50,000 nodes; an empty sheet of 2³¹ cells. The application is left alone for ${idleMs / 1000} s, ` +
    `then read for the first time, then ${reads} times. Another connection asks it for one word every ${pingEveryMs} ms: the longest ` +
    "time until it answered shows for how long its own events had to wait. The page's clock is a timer of 5 ms in the page. " +
    "In two further runs a fresh Firefox is first asked one thing by pyatspi (its elements are then the answer), and read after that: " +
    "whoever asks about a page first makes Firefox build the page's tree.",
  formatTable({
    head: [
      "application",
      "while",
      "took ms",
      "elements",
      "longest answer ms",
      "longest gap of the page's clock ms",
      "memory MB",
    ],
    rows,
  }),
]);

async function measure(stage: Stage, app: App, what: string, ask: string | undefined): Promise<string[][]> {
  const opened = await openPlatform({ env: stage.env, timeoutMs: 10_000 });
  if (!opened.ok) throw new Error(opened.failure.message);
  const platform = opened.value;
  const read = async (): Promise<number> => {
    const result = await platform.readWindows({ windows: [stage.subject], includeHidden: false, timeoutMs: 20_000 });
    const root = result.ok ? result.value[0]?.root : undefined;
    return root === undefined ? 0 : flatten([root]).length;
  };
  const list = await platform.listWindows();
  if (!list.ok) throw new Error(list.failure.message);
  const lines: string[][] = [];
  const observe = async (what: string, work: () => Promise<number>): Promise<void> => {
    longestBeat = 0;
    const ping = await startPings(stage);
    const started = performance.now();
    const elements = await work();
    const ms = performance.now() - started;
    // The page tells every 100 ms.
    await pause(300);
    const beat = longestBeat === 0 ? "—" : showMs(longestBeat);
    lines.push([
      app.name,
      what,
      showMs(ms),
      String(elements),
      showMs(await ping.stop()),
      beat,
      readMemory(stage.subject.pid),
    ]);
    console.log(`  ${lines.at(-1)?.join("  ")}`);
  };
  try {
    await observe("nobody reads", () => pause(idleMs, 0));
    const after = ask === undefined ? "" : " after it";
    if (ask !== undefined) await observe(what, () => askByPyatspi(stage, ask));
    await observe(`the first read${after}`, read);
    await observe(`${reads} reads${after}`, async () => {
      let elements = 0;
      for (let count = 0; count < reads; count += 1) elements = await read();
      return elements;
    });
    return lines;
  } finally {
    platform.close();
  }
}

/** One question of another client, which has loaded its code and found the application before. */
async function askByPyatspi({ env, subject }: Stage, ask: string): Promise<number> {
  const child = spawn("/usr/bin/python3", [askScript, String(subject.pid), ask], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let answer = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    answer += chunk;
  });
  await new Promise((resolve) => child.once("exit", resolve));
  return Number(answer);
}

/** Asks the application for one word again and again, on a connection of its own. */
async function startPings({ env, subject }: Stage): Promise<{ stop(): Promise<number> }> {
  const bus = await connectAccessibility(env, 10_000);
  const application = (await listBusApplications(bus, 10_000)).find(({ pid }) => pid === subject.pid);
  if (application === undefined) throw new Error("the application is not on the accessibility bus");
  const peer = new Peer(bus, application.busName, 120_000);
  let isOver = false;
  let longest = 0;
  const pinging = (async () => {
    while (!isOver) {
      const started = performance.now();
      await getRole(peer, rootPath);
      longest = Math.max(longest, performance.now() - started);
      await pause(pingEveryMs);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await pinging;
      peer.close();
      bus.close();
      return longest;
    },
  };
}

function readMemory(pid: number): string {
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return String(Math.round(kilobytes / 1024));
}
