import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { flatten } from "../src/model/element.ts";
import { connectAccessibility, listBusApplications } from "../src/platform/linux/atspi/access.ts";
import { Peer, rootPath } from "../src/platform/linux/atspi/peer.ts";
import { openPlatform } from "../src/platform/pick.ts";
import { type App, apps, makeHuge } from "./lab/apps.ts";
import { onlyApps } from "./lab/options.ts";
import { publish } from "./lab/results.ts";
import { formatTable, showMs } from "./lab/table.ts";
import { openTestbed, type Testbed } from "./lab/testbed.ts";

const reads = 5;
const idleMs = 3000;
const pingEveryMs = 2;
const askScript = fileURLToPath(new URL("./contestants/ask.py", import.meta.url));

/** The longest delay of a 5 ms timer in the page, as the page reports it. */
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
/** Queries of another client to a fresh browser, before Deskmap reads it for the first time. */
const earlierQueries: readonly { readonly what: string; readonly ask: string | undefined }[] = [
  { what: "", ask: undefined },
  { what: "pyatspi asks for the name of the window", ask: "frame" },
  { what: "pyatspi asks how many children the page has", ask: "page" },
];
const rows: string[][] = [];
for (const app of measured.filter(({ name }) => onlyApps === undefined || onlyApps.includes(name))) {
  // Only Firefox was observed to block at its very first query.
  for (const { what, ask } of app.name === apps.firefox.name ? earlierQueries : earlierQueries.slice(0, 1)) {
    const testbed = await openTestbed(app);
    try {
      rows.push(...(await measure(testbed, app, what, ask)));
    } finally {
      await testbed.close();
    }
  }
}
await server.stop(true);

publish("What a read costs the application", [
  `Milliseconds and megabytes. Pages of 50,000 nodes; an empty sheet of 2³¹ cells. The application is left alone for ${idleMs / 1000} s, ` +
    `then read for the first time, then ${reads} times. Another connection asks it for one word every ${pingEveryMs} ms: the longest ` +
    "time until it answered shows for how long its own events had to wait. The page's clock is a timer of 5 ms in the page. " +
    "In two further runs a fresh Firefox is first asked one thing by pyatspi (its elements are then the answer), and read after that: " +
    "the first query about a page makes Firefox build the page's tree.",
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

async function measure(testbed: Testbed, app: App, what: string, ask: string | undefined): Promise<string[][]> {
  const opened = await openPlatform({ env: testbed.env, timeoutMs: 10_000 });
  if (!opened.ok) throw new Error(opened.failure.message);
  const platform = opened.value;
  const read = async (): Promise<number> => {
    const result = await platform.readWindows({ windows: [testbed.subject], includeHidden: false, timeoutMs: 20_000 });
    const root = result.ok ? result.value[0]?.root : undefined;
    return root === undefined ? 0 : flatten([root]).length;
  };
  const list = await platform.listWindows();
  if (!list.ok) throw new Error(list.failure.message);
  const lines: string[][] = [];
  const observe = async (what: string, work: () => Promise<number>): Promise<void> => {
    longestBeat = 0;
    const ping = await startPings(testbed);
    const started = performance.now();
    const elements = await work();
    const ms = performance.now() - started;
    // The page reports every 100 ms.
    await pause(300);
    const beat = longestBeat === 0 ? "—" : showMs(longestBeat);
    lines.push([
      app.name,
      what,
      showMs(ms),
      String(elements),
      showMs(await ping.stop()),
      beat,
      readMemory(testbed.subject.pid),
    ]);
    console.log(`  ${lines.at(-1)?.join("  ")}`);
  };
  try {
    await observe("no reads", () => pause(idleMs, 0));
    const after = ask === undefined ? "" : " after it";
    if (ask !== undefined) await observe(what, () => askByPyatspi(testbed, ask));
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

/** One query of another client. */
async function askByPyatspi({ env, subject }: Testbed, ask: string): Promise<number> {
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

/** Queries the application for one value again and again, on a separate connection. */
async function startPings({ env, subject }: Testbed): Promise<{ stop(): Promise<number> }> {
  const bus = await connectAccessibility(env, 10_000);
  const application = (await listBusApplications(bus, 10_000)).find(({ pid }) => pid === subject.pid);
  if (application === undefined) throw new Error("the application is not on the accessibility bus");
  const peer = new Peer(bus, application.busName, 120_000);
  let isOver = false;
  let longest = 0;
  const pinging = (async () => {
    while (!isOver) {
      const started = performance.now();
      await peer.getRole(rootPath);
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
