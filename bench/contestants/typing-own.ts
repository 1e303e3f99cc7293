import { openHands, openPlatform } from "../../src/platform/pick.ts";

/** Types its argument into the focused control; a process of its own, as xdotool is. */
const platform = await openPlatform({ env: process.env, timeoutMs: 10_000 });
if (!platform.ok) throw new Error(platform.failure.message);
const hands = await openHands(platform.value);
if (!hands.ok) throw new Error(hands.failure.message);
const start = performance.now();
const typed = await hands.value.input({ kind: "type", text: process.argv[2] ?? "", delayMs: 0 });
const ms = performance.now() - start;
hands.value.close();
platform.value.close();
if (!typed.ok) throw new Error(typed.failure.message);
console.log(ms);
