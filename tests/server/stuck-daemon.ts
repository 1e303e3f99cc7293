import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { findPlaces } from "../../src/guard/places.ts";
import { acceptAsItIs } from "../guard/accept.ts";
import { openDaemonScene } from "./daemon-scene.ts";

/** A daemon in a separate process, which a stop may kill, over a desktop whose windows take forever to read. */
const { env, socket, runtime, daemon } = openDaemonScene();
// An in-memory desktop has no keyboard.
const places = findPlaces(env);
mkdirSync(dirname(places.policy), { recursive: true });
writeFileSync(places.policy, JSON.stringify({ hotkey: false }));
acceptAsItIs(places);
const platform = await runtime.openPlatform();
if (!platform.ok) throw new Error(platform.failure.message);
Object.assign(platform.value, {
  readWindows: () => {
    console.log("reads");
    return new Promise(() => undefined);
  },
});
process.on("SIGTERM", () => daemon.onTerminate());
console.log(JSON.stringify({ env, socket }));
console.log(await daemon.left);
process.exit();
