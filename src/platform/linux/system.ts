import { closeSync } from "node:fs";
import type { ClipboardCommand, ProgramCommand } from "../../model/command.ts";
import { fail, makeFailure, nothingDone, type Result, succeed } from "../../model/failure.ts";
import { quoteText } from "../../model/plain-text.ts";
import type { Window } from "../../model/window.ts";
import { processes, programs } from "../../os/index.ts";
import { flattenResult, type Parts } from "./connections.ts";
import { followEnd, openComplaints } from "./endings.ts";
import { startDetached } from "./start-process.ts";
import { arrangeWindow } from "./x11/arrange.ts";
import { findObstacle } from "./x11/arrange-obstacles.ts";
import { selectionWords } from "./x11/clipboard.ts";
import { selectionAtoms } from "./x11/selection-owner.ts";
import { readWindowFacts } from "./x11/window-facts.ts";

type CommandOf<Kind extends ProgramCommand["kind"]> = Extract<ProgramCommand, { readonly kind: Kind }>;

const pollMs = 5;

export async function doToProgram(parts: Parts, command: ProgramCommand): Promise<Result<string>> {
  switch (command.kind) {
    case "open":
      return open(parts, command);
    case "quit":
      return quit(parts, command);
    case "terminate":
      return terminate(parts, command.window);
  }
}

async function open(parts: Parts, { opener }: CommandOf<"open">): Promise<Result<string>> {
  const { command, cwd } = opener;
  const complaints = openComplaints();
  try {
    const { env } = parts.options;
    const started = await startDetached({ command, cwd, env, error: complaints });
    followEnd(started, opener, env, complaints);
    return succeed(`started as process ${started.pid}`);
  } catch (error) {
    if (complaints !== undefined) closeSync(complaints);
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${command[0]} cannot be started: ${reason}`;
    return fail(makeFailure("FAILED", message, "run it by hand to see why."));
  }
}

/** Asks every window of a process to close; those that cannot be asked end with the others. */
async function quit(parts: Parts, { windows }: CommandOf<"quit">): Promise<Result<string>> {
  const { x, options } = parts;
  const operation = { name: "close" } as const;
  const asked = await parts.withDisplay(async (): Promise<Result<string>> => {
    const facts = await Promise.all(windows.map(({ id }) => readWindowFacts(x, id)));
    const obstacles = facts.map((one) => one && findObstacle(one, operation));
    // Closing a dialog that waits for an answer would dismiss it.
    const dialog = facts.findIndex((one) => one?.dialog !== undefined);
    const open = windows.filter((_window, index) => facts[index] !== undefined && obstacles[index] === undefined);
    const obstacle = obstacles[dialog] ?? (open.length === 0 ? obstacles.find((one) => one !== undefined) : undefined);
    if (obstacle !== undefined) {
      return fail({ ...obstacle, message: `cannot quit: ${obstacle.message}`, done: nothingDone });
    }
    for (const window of open) await arrangeWindow(x, { kind: "window", window, operation }, options.timeoutMs);
    return succeed(`asked ${open.map(({ title }) => quoteText(title)).join(", ")} to close`);
  });
  return flattenResult(asked);
}

/** Only a process that the display confirms as the window's owner, and never this process or the caller's. */
async function terminate(parts: Parts, window: Window): Promise<Result<string>> {
  const owner = await parts.withDisplay(() => parts.x.findClientPid(window.id));
  if (!owner.ok) return owner;
  const { pid } = window;
  const { callerPid = process.pid } = parts.options;
  const lineage = [...processes.listLineage(process.pid), ...processes.listLineage(callerPid)];
  const isSafe = pid > 1 && owner.value === pid && !lineage.includes(pid);
  if (!isSafe) {
    const message =
      owner.value === pid
        ? `process ${pid} is this command's own, or the system's`
        : `the display does not confirm that process ${pid} owns ${quoteText(window.title)}`;
    return fail(makeFailure("REFUSED", message, "end it by hand if you are sure."));
  }
  try {
    process.kill(pid, "SIGTERM");
    return succeed(`process ${pid} was asked to end`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `process ${pid} cannot be ended: ${reason}`;
    return fail(makeFailure("FAILED", message, "its owner can end it."));
  }
}

/**
 * In X11 a process must serve what was copied: this command, started again in the background. The text goes through a
 * pipe, so that no process list shows it.
 */
export async function writeClipboard(parts: Parts, { text, selection }: ClipboardCommand): Promise<Result<string>> {
  const { x, options } = parts;
  const deadline = performance.now() + options.timeoutMs * 0.8;
  const owner = await parts.withDisplay(async () => {
    const atoms = await x.internAtoms(["CLIPBOARD", "PRIMARY"]);
    const source = atoms[selectionAtoms[selection]];
    const before = await x.getSelectionOwner(source);
    const command = programs.commandOfSelf("serve-selection", selection);
    const { ended } = await startDetached({ command, env: options.env, cwd: "/", input: text });
    let end: string | undefined;
    void ended.then((reason) => {
      end = reason;
    });
    for (;;) {
      const now = await x.getSelectionOwner(source);
      // If a clipboard manager took over, the process exits normally; the caller reads the content back.
      if ((now !== before && now !== 0) || end === "exit code 0") return undefined;
      if (end !== undefined) return `the background process ended with ${end}`;
      if (performance.now() > deadline) return "the background process did not take it in time";
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  });
  if (!owner.ok) return owner;
  if (owner.value === undefined) return succeed("held in the background");
  const message = `${selectionWords[selection]} was not written: ${owner.value}`;
  return fail(makeFailure("FAILED", message, "try again with a longer --timeout-ms."));
}
