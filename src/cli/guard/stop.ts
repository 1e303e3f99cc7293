import type { Stopped } from "../../guard/stop/stop.ts";
import { describeHolder } from "../../guard/turn.ts";
import { succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { resumeAll, type StoppedDesktop, stopAll } from "../../server/stop-all.ts";
import { defineCommand, reportFailure } from "../define.ts";
import { isTerminal, print } from "../output.ts";

const notes = `Whoever is in the middle of something is ended, its keys and buttons are let go of, and everything is refused until a
person runs deskmap resume in a terminal. Pressing Escape twice does the same while something is being done.
Private desktops of yours are stopped too; from within one, only that one is.`;

export const stop = defineCommand({
  name: "stop",
  summary: "Stop everything at once, on every desktop of yours; a person resumes it.",
  options: [["--format <text|json>", "output format (text on a terminal, json when piped)"]],
  notes,
  async run({ format }: { readonly format?: string }) {
    const isJson = format === undefined ? !isTerminal() : format === "json";
    const desktops = await stopAll(process.env, "deskmap stop");
    await print(isJson ? toJson(desktops) : desktops.flatMap(describe).join("\n"));
    for (const { result } of desktops) if (!result.ok) reportFailure(result.failure, isJson);
    if (desktops.some(({ result }) => result.ok && !result.value.isReleased)) process.exitCode = 1;
    return succeed(undefined);
  },
});

function toJson(desktops: readonly StoppedDesktop[]): string {
  const stopped = desktops.flatMap(({ name, result }) =>
    result.ok ? [{ sandbox: name === "" ? undefined : name, ...result.value }] : [],
  );
  return JSON.stringify({ stopped });
}

function describe({ name, result }: StoppedDesktop): string[] {
  if (!result.ok) return [];
  const where = name === "" ? "everything is stopped" : `so is the private desktop ${name}`;
  return [`${where}${describeStop(result.value)}`];
}

function describeStop({ interrupted, isReleased, earlier }: Stopped): string {
  const was = earlier === undefined ? "" : `, as it was already (by ${earlier.by})`;
  const who = interrupted.length === 0 ? "; nobody was in the middle of anything" : "; ended:";
  const names = interrupted.map((held) => ` ${describeHolder(held)}`).join(",");
  const left = isReleased ? "" : ". NOT ALL OF IT IS LET GO OF: somebody still holds the desktop";
  return `${was}${who}${names}${left}. A person lets it go on: deskmap resume`;
}

export const resume = defineCommand({
  name: "resume",
  summary: "Let everything go on after a stop; a person confirms it in a terminal.",
  async run() {
    const [{ confirmAtTerminal }, { FileRecords }, { findPlaces }] = await Promise.all([
      import("../../guard/approval/pin.ts"),
      import("../../guard/audit/file-records.ts"),
      import("../../guard/places.ts"),
    ]);
    const stopped = new FileRecords(findPlaces(process.env)).findStop();
    const since = stopped === undefined ? "" : ` It was stopped by ${stopped.by} at ${showLocalTime(stopped.atMs)}.`;
    const confirmed = await confirmAtTerminal(`Programs may look at this desktop and act on it again?${since}`);
    if (!confirmed.ok) return confirmed;
    const resumed = await resumeAll(process.env, "deskmap resume");
    if (!resumed.ok) return resumed;
    const names = resumed.value.map((name) => (name === "" ? "this desktop" : `the private desktop ${name}`));
    return succeed(names.length === 0 ? "nothing was stopped" : `it goes on: ${names.join(", ")}`);
  },
});
