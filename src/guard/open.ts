import type { Env } from "../model/env.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { ProcessKey } from "../os/index.ts";
import type { Approver } from "./approval/approver.ts";
import { Guard } from "./guard.ts";
import type { GuardOptions } from "./permit.ts";
import type { Places } from "./places.ts";
import { StoppableTurns } from "./stop/stoppable-turns.ts";
import { FileTurns, type Holder } from "./turn.ts";

export interface OpenGuardOptions extends Omit<GuardOptions, "approver"> {
  readonly env: Env;
  readonly places: Places;
  /** Called if a person stops everything while this process has the turn. */
  onStop(holder: Holder): void;
  /** The process at whose terminal a person may be asked; if undefined, only `deskmap approve` asks. */
  readonly terminal: "own" | ProcessKey | undefined;
}

/** The guard of a real desktop. Its turns and questions are shared by all processes of the user. */
export function openGuard({ env, places, onStop, terminal, ...options }: OpenGuardOptions): Guard {
  const approver: Approver = {
    // Loaded lazily: its cryptography takes longer than most actions.
    ask: async (...question) => {
      const { openOwnTerminal, PersonApprover } = await import("./approval/ask.ts");
      const { Terminal } = await import("./approval/terminal.ts");
      const openTerminal = terminal === "own" ? openOwnTerminal : () => terminal && Terminal.openOf(terminal);
      return new PersonApprover(places, undefined, openTerminal).ask(...question);
    },
  };
  const prepare = (): Promise<Result<void>> => prepareHotkey(options.policy.hasHotkey, env, places);
  const turns = new StoppableTurns(new FileTurns(places), options.records, { prepare, onStop });
  return new Guard({ ...options, approver }, turns);
}

/** Makes sure that a process listens for the stop keys. To be called by the holder of the turn. */
export async function prepareHotkey(hasHotkey: boolean, env: Env, places: Places): Promise<Result<void>> {
  if (!hasHotkey) return succeed(undefined);
  const { ensureHotkey, startHotkey } = await import("./stop/hotkey.ts");
  return ensureHotkey(places, () => startHotkey(env));
}
