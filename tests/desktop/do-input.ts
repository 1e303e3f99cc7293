import type { InputCommand } from "../../src/model/command.ts";
import { openHands, openPlatform } from "../../src/platform/pick.ts";

/** A process that executes one command, given as JSON, and is killed in the middle of it. */
const command = JSON.parse(process.argv[2] ?? "") as InputCommand;
const platform = await openPlatform({ env: process.env, timeoutMs: 10_000 });
if (!platform.ok) throw new Error(platform.failure.message);
const hands = await openHands(platform.value);
if (!hands.ok) throw new Error(hands.failure.message);
const done = await hands.value.input(command);
hands.value.close();
platform.value.close();
process.exit(done.ok ? 0 : 1);
