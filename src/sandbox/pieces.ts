import { runSupervisor } from "./supervisor.ts";
import { sweepSandboxes } from "./sweep.ts";

/** What runs in a process of its own; see entry.ts. */
export async function runPiece(piece: string | undefined): Promise<void> {
  if (piece === "sweep") await sweepSandboxes();
  else await runSupervisor();
}
