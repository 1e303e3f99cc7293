// One `deskmap read` taken apart: phases.ts STARTED_AT_MS WINDOW_ID prints what each phase took. Everything is imported
// when its phase begins, in the order of src/cli/main.ts, so that the cost of loading falls where it belongs.
const [, , startedAt = "0", windowId = "0"] = process.argv;
const phases: [name: string, ms: number][] = [];
let last = Number(startedAt);

function endPhase(name: string): void {
  const now = performance.timeOrigin + performance.now();
  phases.push([name, now - last]);
  last = now;
}

endPhase("launcher and runtime");
const { Command } = await import("commander");
endPhase("load commander");
await import("zod");
endPhase("load zod");
const { tools } = await import("../../src/tools/index.ts");
endPhase("load the tools");
const { addToolCommand } = await import("../../src/cli/run-tool.ts");
const { addSandboxCommand } = await import("../../src/cli/sandbox.ts");
const { addTourCommand } = await import("../../src/cli/tour.ts");
endPhase("load the commands");
const program = new Command("deskmap");
for (const tool of tools) addToolCommand(program, tool);
addSandboxCommand(program);
addTourCommand(program);
endPhase("declare the options");
const { openSession } = await import("../../src/session.ts");
const { SqliteStore } = await import("../../src/map/store/sqlite.ts");
endPhase("load the map");
const session = openSession(process.env, 30_000);
const desktop = await openOnlyMap();
endPhase("open the map");
await import("../../src/platform/linux/open.ts");
endPhase("load the platform");
const platform = unwrap(await session.openPlatform());
endPhase("connect to X");
await platform.listWindows();
endPhase("list the windows");
await platform.listApplications([]);
endPhase("connect to accessibility");
const { read } = await import("../../src/desktop.ts");
const { showView } = await import("../../src/show/text.ts");
const timed = timeTree();
const view = unwrap(
  await read(
    { platform: timed.platform, marks: desktop },
    { windowId: Number(windowId), includeHidden: false, timeoutMs: 30_000 },
  ),
);
const readEnd = performance.timeOrigin + performance.now();
phases.push(["read the tree", timed.spentMs()], ["list again, know, allot marks", readEnd - last - timed.spentMs()]);
last = readEnd;
showView(view, { withPoints: false, isFlat: false });
endPhase("write the text");
session.close();
desktop.close();
endPhase("close");
process.stdout.write(`${JSON.stringify({ phases, endedAt: last })}\n`);

async function openOnlyMap(): Promise<InstanceType<typeof SqliteStore>> {
  const { mkdtempSync } = await import("node:fs");
  const store = SqliteStore.open(`${mkdtempSync(`${process.env.TMPDIR ?? "/tmp"}/map-`)}/deskmap/map.db`);
  return unwrap(store);
}

function timeTree() {
  let spent = 0;
  const readWindows: typeof platform.readWindows = async (request) => {
    const started = performance.now();
    const reads = await platform.readWindows(request);
    spent += performance.now() - started;
    return reads;
  };
  return { platform: { ...bindAll(), readWindows }, spentMs: () => spent };
}

function bindAll(): typeof platform {
  return {
    name: platform.name,
    listWindows: () => platform.listWindows(),
    listApplications: (windows) => platform.listApplications(windows),
    readWindows: (request) => platform.readWindows(request),
    close: () => platform.close(),
  };
}

function unwrap<T>(result: { ok: true; value: T } | { ok: false; failure: { message: string } }): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
