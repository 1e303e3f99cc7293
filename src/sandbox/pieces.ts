import { sweepSandboxes } from "./running.ts";
import { runSupervisor } from "./supervisor.ts";

/** Entry points that run in a separate process; see entry.ts. */
export async function runPiece(piece: string | undefined): Promise<void> {
  if (piece === "sweep") await sweepSandboxes();
  else await runSupervisor();
}
