import { PartError } from "./desktop-parts.ts";
import { type Problem, readErrorText } from "./problem.ts";
import type { SandboxRecord } from "./record.ts";

export function explainNameTaken(name: string): Problem {
  return {
    code: "NAME_TAKEN",
    message: `a sandbox named "${name}" is running already`,
    there: "",
    suggestion: `another --name, or: deskmap sandbox stop ${name}`,
    done: "nothing was started.",
  };
}

export function explainUnknownName(name: string, running: readonly SandboxRecord[]): Problem {
  const names = running.map((record) => `${record.name} (${record.display || "starting"})`);
  return {
    code: "UNKNOWN_SANDBOX",
    message: `no sandbox named "${name}" is running`,
    there: names.length === 0 ? "running: none" : `running: ${names.join(", ")}`,
    suggestion: names.length === 0 ? `deskmap sandbox --detach --name ${name}` : "one of these names.",
    done: "nothing was done.",
  };
}

export function explainStartFailure(error: unknown): Problem {
  const log = error instanceof PartError ? error.log : "";
  return {
    code: "START_FAILED",
    message: `the sandbox could not be opened: ${readErrorText(error)}`,
    there: log === "" ? "" : `its last words:\n${log}`,
    suggestion: "run the part by hand to see why; free memory, processes and disk space are the usual reasons.",
    done: "what had been started was ended and removed.",
  };
}

export function explainStopFailure(name: string, left: string): Problem {
  return {
    code: "STOP_FAILED",
    message: `the sandbox "${name}" is not wholly gone`,
    there: left,
    suggestion: `deskmap sandbox stop ${name}   once more.`,
    done: "all that could be ended was ended.",
  };
}
