// The same picture of the whole screen by node-screenshots: capture-node-screenshots.mjs PEERS_FOLDER REPEATS.
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";

const [, , peersFolder, repeats] = process.argv;
const { Monitor } = createRequire(join(peersFolder, "package.json"))("node-screenshots");
const [monitor] = Monitor.all();

const whole = [];
let image;
for (let count = 0; count < Number(repeats); count += 1) {
  const started = performance.now();
  image = monitor.captureImageSync();
  whole.push(performance.now() - started);
}
// Red, green, blue, alpha.
const pixels = image.toRawSync();
const rgb = Buffer.alloc((pixels.length / 4) * 3);
for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) pixels.copy(rgb, to, from, from + 3);
console.log(JSON.stringify({ whole, hash: createHash("sha1").update(rgb).digest("hex") }));
