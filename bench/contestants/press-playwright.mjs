// Playwright clicks a button of a page and waits for the text that the click changes: press-playwright.mjs PORT
// Each line on standard input is an order, answered by a line; see lab/press.ts.
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const browser = await chromium.connectOverCDP(`http://127.0.0.1:${process.argv[2]}`);
const [page] = browser.contexts()[0].pages();

for await (const line of createInterface({ input: process.stdin })) {
  const { label, expected } = JSON.parse(line);
  const started = performance.now();
  await page.getByRole("button", { name: label, exact: true }).click();
  await page.getByText(expected, { exact: true }).waitFor();
  console.log(JSON.stringify({ ms: performance.now() - started, verdict: "seen" }));
}
await browser.close();
process.exit(0);
