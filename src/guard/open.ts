import type { Env } from "../model/env.ts";
import { type Result, succeed } from "../model/failure.ts";
import type { ProcessKey } from "../os/index.ts";
import type { Approver } from "./approval/approver.ts";
import { Guard } from "./guard.ts";
import type { Means } from "./permit.ts";
import type { Places } from "./places.ts";
import { StoppableTurns } from "./stop/stoppable-turns.ts";
import { FileTurns, type Holder } from "./turn.ts";

/** What one client's guard needs of its surroundings. */
export interface Surroundings extends Omit<Means, "approver"> {
  readonly env: Env;
  readonly places: Places;
  /** A person has stopped everything while this process had the turn. */
  onStop(holder: Holder): void;
  /** At whose terminal a person may be asked: this process's own, another's; where undefined, only `deskmap approve` asks. */
  readonly terminal: "own" | ProcessKey | undefined;
}

/** The guard of a real desktop: its turns and its questions are shared with every process of the user. */
export function openGuard({ env, places, onStop, terminal, ...means }: Surroundings): Guard {
  const approver: Approver = {
    // Loaded only when somebody is to be asked: its cryptography costs more than most actions.
    ask: async (...question) => {
      const { openOwnTerminal, PersonApprover } = await import("./approval/ask.ts");
      const { Terminal } = await import("./approval/terminal.ts");
      const openTerminal = terminal === "own" ? openOwnTerminal : () => terminal && Terminal.openOf(terminal);
      return new PersonApprover(places, undefined, openTerminal).ask(...question);
    },
  };
  const prepare = (): Promise<Result<void>> => prepareHotkey(means.policy.hasHotkey, env, places);
  const turns = new StoppableTurns(new FileTurns(places), means.records, { prepare, onStop });
  return new Guard({ ...means, approver }, turns);
}

/** Makes sure that the keys that stop everything are listened for; called by who has the turn. */
export async function prepareHotkey(hasHotkey: boolean, env: Env, places: Places): Promise<Result<void>> {
  if (!hasHotkey) return succeed(undefined);
  const [{ ensureHotkey }, { startHotkey }] = await Promise.all([
    import("./stop/hotkey.ts"),
    import("./stop/start-hotkey.ts"),
  ]);
  return ensureHotkey(places, () => startHotkey(env));
}
