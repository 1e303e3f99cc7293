// Takes pictures through Deskmap's platform: capture-own.ts REPEATS. See capture.bench.ts for what is measured.
import { createHash } from "node:crypto";
import { openPlatform } from "../../src/platform/pick.ts";

const repeats = Number(process.argv[2]);
const opened = await openPlatform({ env: process.env, timeoutMs: 10_000 });
if (!opened.ok) throw new Error(opened.failure.message);
const platform = opened.value;
const list = await platform.listWindows();
if (!list.ok) throw new Error(list.failure.message);
const { screen } = list.value;
const parts = { whole: screen, region: { x: 700, y: 350, width: 400, height: 300 } };

const times: Record<keyof typeof parts, number[]> = { whole: [], region: [] };
let pixels = new Uint8Array();
for (const name of ["whole", "region"] as const) {
  for (let count = 0; count < repeats; count += 1) {
    const started = performance.now();
    const taken = await platform.captureScreen(parts[name]);
    times[name].push(performance.now() - started);
    if (!taken.ok) throw new Error(taken.failure.message);
    if (name === "whole") pixels = new Uint8Array(taken.value.pixels);
  }
}
platform.close();

const rgb = Buffer.alloc((pixels.length / 4) * 3);
for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
  rgb.set([pixels[from + 2] ?? 0, pixels[from + 1] ?? 0, pixels[from] ?? 0], to);
}
console.log(JSON.stringify({ ...times, hash: createHash("sha1").update(rgb).digest("hex") }));
