import type { InputDeed } from "../../src/model/deed.ts";
import { openHands, openPlatform } from "../../src/platform/pick.ts";

/** A process that does one deed, given as JSON: to be ended in the middle of it. */
const deed = JSON.parse(process.argv[2] ?? "") as InputDeed;
const platform = await openPlatform({ env: process.env, timeoutMs: 10_000 });
if (!platform.ok) throw new Error(platform.failure.message);
const hands = await openHands(platform.value);
if (!hands.ok) throw new Error(hands.failure.message);
const done = await hands.value.input(deed);
hands.value.close();
platform.value.close();
process.exit(done.ok ? 0 : 1);
