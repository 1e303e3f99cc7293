import { openLinuxDrawingSurface } from "../../src/platform/linux/x11/drawing-surface/open-surface.ts";
import { unwrap } from "./controls-scene.ts";
import { box, notePicks } from "./sheet-scene.ts";

// Draws a box and lets a person pick, until it is killed.
const sheet = unwrap(await openLinuxDrawingSurface({ env: process.env, timeoutMs: 10_000 }));
await sheet.draw([box("one", { x: 200, y: 160, width: 120, height: 60 })]);
unwrap(await sheet.pick(notePicks().picker));
process.stdout.write("ready\n");
setInterval(() => undefined, 1000);
