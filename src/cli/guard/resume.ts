import type { Command } from "commander";
import { confirmAtTerminal } from "../../guard/approval/person.ts";
import { FileRecords } from "../../guard/audit/file-records.ts";
import { findPlaces } from "../../guard/places.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { resumeAll } from "../../server/stop-all.ts";
import { isTerminal, print } from "../output.ts";
import { reportFailure } from "../report.ts";

const commandName = "deskmap resume";

/** Adds `deskmap resume`: only a person may. */
export function addResumeCommand(program: Command): void {
  program
    .command("resume")
    .summary("Let everything go on after a stop; a person confirms it in a terminal.")
    .action(async () => {
      const isJson = !isTerminal();
      const stop = new FileRecords(findPlaces(process.env)).findStop();
      const since = stop === undefined ? "" : ` It was stopped by ${stop.by} at ${showLocalTime(stop.atMs)}.`;
      const confirmed = await confirmAtTerminal(`Programs may look at this desktop and act on it again?${since}`);
      if (!confirmed.ok) return reportFailure(confirmed.failure, isJson);
      const resumed = await resumeAll(process.env, commandName);
      if (!resumed.ok) return reportFailure(resumed.failure, isJson);
      const names = resumed.value.map((name) => (name === "" ? "this desktop" : `the private desktop ${name}`));
      await print(names.length === 0 ? "nothing was stopped" : `it goes on: ${names.join(", ")}`);
    });
}
