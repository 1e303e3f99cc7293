import type { Selection } from "../../model/clipboard.ts";
import type { OpenOptions } from "../port.ts";
import { XConnection } from "./x11/connection.ts";

/** Lets go of what a process that was killed left held or changed: the last act of its watchdog. */
export async function releaseLinuxInput(undo: string, env: OpenOptions["env"]): Promise<void> {
  const { releaseInput } = await import("./x11/release.ts");
  await releaseInput(undo, env);
}

/** Serves a text that was copied until another application takes the selection: what the process does that holds it. */
export async function serveLinuxSelection(env: OpenOptions["env"], selection: Selection, text: string): Promise<void> {
  const { holdSelection } = await import("./x11/hold-selection.ts");
  const x = await XConnection.connect(env, serveTimeoutMs);
  try {
    await holdSelection(x, selection, text, serveTimeoutMs);
  } finally {
    x.close();
  }
}

const serveTimeoutMs = 5000;
