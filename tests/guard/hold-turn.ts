import { spawn } from "node:child_process";
import { FileRecords } from "../../src/guard/audit/file-records.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { StoppableTurns } from "../../src/guard/stop/stoppable-turns.ts";
import { FileTurns } from "../../src/guard/turn.ts";
import { succeed } from "../../src/model/failure.ts";

// A separate process that takes the turn, prints "taken", and keeps it.
//   obey    ends when everything is stopped
//   ignore  does not
//   child   leaves a process behind that outlives it

const [manner = "obey", client = "holder"] = process.argv.slice(2);
const places = findPlaces(process.env);
const turns = new StoppableTurns(new FileTurns(places), new FileRecords(places), {
  prepare: () => Promise.resolve(succeed(undefined)),
  onStop: () => {
    if (manner === "obey") process.exit(3);
  },
});
const turn = await turns.take({ client, tool: "type" }, 5000);
if (manner === "child") spawn("sleep", ["3"], { detached: true, stdio: "ignore" }).unref();
console.log(turn.ok ? "taken" : (turn.failure.reason ?? turn.failure.code));
if (turn.ok) setInterval(() => {}, 1000);
