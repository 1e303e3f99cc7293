// cua-driver presses a button and reads the window again: press-cua-driver.mjs PEERS_FOLDER [ORDER]
// Without ORDER, each line on standard input is an order, answered by a line; see lab/press.ts.
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , peersFolder, only] = process.argv;
const entry = join(peersFolder, "node_modules/@trycua/cua-driver/dist/index.js");
const sdk = await import(pathToFileURL(entry).href);
const driver = sdk.CuaDriver.create(undefined);

function readWindow({ pid, windowId }) {
  const input = { pid, windowId: BigInt(windowId), includeAccessibilityTree: true, includeScreenshot: false };
  return driver.getWindowState(sdk.GetWindowStateInput.new(input));
}

async function press({ pid, windowId }, elementToken) {
  const input = {
    target: sdk.ActionTarget.Window.new({ pid, windowId: BigInt(windowId) }),
    position: sdk.ClickPosition.Element.new({ elementToken }),
    deliveryMode: sdk.InputDeliveryMode.Background,
  };
  const { effect } = await driver.click(sdk.ClickInput.new(input));
  return sdk.ActionEffect?.[effect] ?? String(effect);
}

function findToken(state, { label }) {
  const token = state.elements.find((element) => element.label === label && element.elementToken)?.elementToken;
  if (token === undefined) throw new Error(`no button "${label}" among ${state.elements.length} elements`);
  return token;
}

/** The token comes from the last read: it is there before the clock starts. */
const tokens = new Map();
async function handle(order) {
  const key = `${order.pid} ${order.label}`;
  if (!tokens.has(key)) tokens.set(key, findToken(await readWindow(order), order));
  const started = performance.now();
  const effect = await press(order, tokens.get(key));
  const after = await readWindow(order);
  const ms = performance.now() - started;
  tokens.set(key, findToken(after, order));
  // Labels are not among its elements, only in its text.
  const isSeen = after.treeMarkdown?.includes(order.expected) === true;
  console.log(JSON.stringify({ ms, verdict: `${effect}, ${isSeen ? "seen" : "not seen"} afterwards` }));
}

if (only !== undefined) await handle(JSON.parse(only));
else for await (const line of createInterface({ input: process.stdin })) await handle(JSON.parse(line));
await driver.shutdown();
process.exit(0);
