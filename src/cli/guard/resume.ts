import { confirmAtTerminal } from "../../guard/approval/person.ts";
import { FileRecords } from "../../guard/audit/file-records.ts";
import { findPlaces } from "../../guard/places.ts";
import { succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { resumeAll } from "../../server/stop-all.ts";
import { defineCommand } from "../define.ts";

const commandName = "deskmap resume";

/** Only a person may. */
export const resume = defineCommand({
  name: "resume",
  summary: "Let everything go on after a stop; a person confirms it in a terminal.",
  async run() {
    const stop = new FileRecords(findPlaces(process.env)).findStop();
    const since = stop === undefined ? "" : ` It was stopped by ${stop.by} at ${showLocalTime(stop.atMs)}.`;
    const confirmed = await confirmAtTerminal(`Programs may look at this desktop and act on it again?${since}`);
    if (!confirmed.ok) return confirmed;
    const resumed = await resumeAll(process.env, commandName);
    if (!resumed.ok) return resumed;
    const names = resumed.value.map((name) => (name === "" ? "this desktop" : `the private desktop ${name}`));
    return succeed(names.length === 0 ? "nothing was stopped" : `it goes on: ${names.join(", ")}`);
  },
});
