import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { FileRecords } from "../../src/guard/audit/file-records.ts";
import { findPlaces } from "../../src/guard/places.ts";
import { FileTurns, StoppableTurns } from "../../src/guard/turn.ts";
import { succeed } from "../../src/model/failure.ts";
import { waitFor } from "../wait.ts";

// A separate process that takes the turn, prints "taken", and keeps it.
//   obey    ends when everything is stopped
//   ignore  does not
//   child   leaves a process behind that outlives it

/** The kernel lets a parent go on before it has closed the files that its child does not inherit, the lock among them. */
async function leaveChild(): Promise<void> {
  const child = spawn("sleep", ["3"], { detached: true, stdio: "ignore" });
  child.unref();
  await waitFor("the child's own files", () => readdirSync(`/proc/${child.pid}/fd`).length === 3);
}

const [manner = "obey", client = "holder"] = process.argv.slice(2);
const places = findPlaces(process.env);
const turns = new StoppableTurns(new FileTurns(places), new FileRecords(places), {
  prepare: () => Promise.resolve(succeed(undefined)),
  onStop: () => {
    if (manner === "obey") process.exit(3);
  },
});
const turn = await turns.take({ client, tool: "type" }, 5000);
if (manner === "child") await leaveChild();
console.log(turn.ok ? "taken" : (turn.failure.reason ?? turn.failure.code));
if (turn.ok) setInterval(() => {}, 1000);
