// cua-driver's SDK in process, under Node: node cua-driver.mjs PEERS_FOLDER. See lab/contestant.ts for the protocol.
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const entry = join(process.argv[2], "node_modules/@trycua/cua-driver/dist/index.js");
const sdk = await import(pathToFileURL(entry).href);
const driver = sdk.CuaDriver.create(undefined);

function readWindow({ pid, windowId }) {
  const input = { pid, windowId: BigInt(windowId), includeAccessibilityTree: true, includeScreenshot: false };
  return driver.getWindowState(sdk.GetWindowStateInput.new(input));
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  const started = performance.now();
  const state = await readWindow(order);
  const ms = performance.now() - started;
  const elements = state.elements ?? [];
  const report = {
    ms,
    nodes: Number(state.totalElementCount ?? elements.length),
    shown: elements.filter(({ frame }) => frame !== undefined).length,
    notes: [state.degradedReason, state.truncationReason].filter((note) => note !== undefined),
  };
  if (order.wantsText) {
    report.text = state.treeMarkdown;
    report.elements = elements.map(({ elementIndex, label, frame }) => ({
      index: Number(elementIndex),
      label: label ?? "",
      frame,
    }));
  }
  console.log(JSON.stringify(report));
}
await driver.shutdown();
process.exit(0);
