// The phases of one `deskmap read`: phases.ts WINDOW_ID prints the time of each. Everything is imported when its phase
// begins, in the order of src/cli/main.ts, so that loading counts for the phase that needs it. No top-level await: the
// program is bundled as CommonJS.
import type { MapStore } from "../../src/map/store/port.ts";
import type { Result } from "../../src/model/failure.ts";
import type { Platform } from "../../src/platform/port.ts";

const timeoutMs = 30_000;
const [, , windowId = "0"] = process.argv;
const phases: [name: string, ms: number][] = [];
/** Milliseconds since Bun itself began. */
let last = 0;

function endPhase(name: string): void {
  const now = performance.now();
  phases.push([name, now - last]);
  last = now;
}

async function main(): Promise<void> {
  endPhase("start the runtime");
  await declareCommands();
  const { SqliteStore } = await import("../../src/map/store/sqlite.ts");
  const { openSession } = await import("../../src/host/session.ts");
  endPhase("load the map");
  const store = unwrap(SqliteStore.open(`${process.env.XDG_DATA_HOME}/phases/map.db`));
  endPhase("open the map");
  const session = openSession(process.env, timeoutMs);
  await import("../../src/platform/linux/open.ts");
  endPhase("load the platform");
  const platform = unwrap(await session.openPlatform());
  endPhase("connect to X");
  await platform.listWindows();
  endPhase("list the windows");
  await platform.covers([]);
  endPhase("connect to accessibility");
  await readAndShow(platform, store);
  session.close();
  store.close();
  endPhase("close");
  process.stdout.write(`${JSON.stringify({ phases, endedAt: last })}\n`);
}

async function declareCommands(): Promise<void> {
  const { Command } = await import("commander");
  endPhase("load commander");
  await import("zod");
  endPhase("load zod");
  const { loadTools } = await import("../../src/tools/index.ts");
  const tools = await loadTools();
  endPhase("load the tools");
  const { addToolCommand } = await import("../../src/cli/run-tool.ts");
  endPhase("load the commands");
  const program = new Command("deskmap");
  for (const tool of tools) addToolCommand(program, tool);
  endPhase("declare the options");
}

async function readAndShow(platform: Platform, marks: MapStore): Promise<void> {
  const { read } = await import("../../src/desktop/index.ts");
  const { showView } = await import("../../src/show/text.ts");
  let treeMs = 0;
  const readWindows = platform.readWindows.bind(platform);
  platform.readWindows = async (request) => {
    const started = performance.now();
    const reads = await readWindows(request);
    treeMs = performance.now() - started;
    return reads;
  };
  const query = { windowId: Number(windowId), includeHidden: false, timeoutMs };
  const view = unwrap(await read({ platform, marks }, query));
  const now = performance.now();
  phases.push(["read the tree", treeMs], ["list again, know, allot marks", now - last - treeMs]);
  last = now;
  showView(view, { withPoints: false, isFlat: false });
  endPhase("write the text");
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
