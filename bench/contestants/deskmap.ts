// Deskmap in process: deskmap.ts with-marks|platform-only. See lab/contestant.ts for the protocol.
import { createInterface } from "node:readline";
import { read } from "../../src/desktop/index.ts";
import { openSession } from "../../src/host/session.ts";
import { flatten } from "../../src/model/element.ts";
import type { Result } from "../../src/model/failure.ts";
import type { Order, Report } from "../lab/contestant.ts";

const timeoutMs = 30_000;
const mode = process.argv[2];
const session = openSession(process.env, timeoutMs);
const desktop = unwrap(await session.openDesktop());

for await (const line of createInterface({ input: process.stdin })) {
  const order: Order = JSON.parse(line);
  const report = mode === "with-marks" ? await readWithMarks(order) : await readPlatformOnly(order);
  console.log(JSON.stringify(report));
}
session.close();

/** The code path of `deskmap read`, from the list of windows to the marks. */
async function readWithMarks({ windowId }: Order): Promise<Report> {
  const started = performance.now();
  const view = unwrap(await read(desktop, { windowId, includeHidden: false, isWhole: true, timeoutMs }));
  const ms = performance.now() - started;
  const [window] = view.windows;
  return describe(ms, flatten(window?.elements ?? []), window?.notes ?? []);
}

/** Only the tree, as the platform returns it. */
async function readPlatformOnly({ windowId }: Order): Promise<Report> {
  const { windows } = unwrap(await desktop.platform.listWindows());
  const wanted = windows.filter(({ id }) => id === windowId);
  const started = performance.now();
  const [window] = unwrap(await desktop.platform.readWindows({ windows: wanted, includeHidden: false, timeoutMs }));
  const ms = performance.now() - started;
  return describe(ms, window?.root === undefined ? [] : flatten([window.root]), window?.notes ?? []);
}

function describe(
  ms: number,
  elements: readonly { readonly bounds: unknown }[],
  notes: readonly { readonly text: string }[],
): Report {
  const shown = elements.filter(({ bounds }) => bounds !== undefined).length;
  return { ms, nodes: elements.length, shown, notes: notes.map(({ text }) => text) };
}

function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}
