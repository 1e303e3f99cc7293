import type { Desktop, Patience } from "../find/read.ts";
import type { WindowQuery } from "../find/select.ts";
import type { Gate } from "../guard/gate.ts";
import type { Guard } from "../guard/guard.ts";
import type { Aim, Order } from "../model/order.ts";

/** A desktop that may also be acted on: every action goes through the guard. */
export interface ActingDesktop extends Desktop {
  readonly guard: Guard;
}

/** The same during one action. */
export interface GatedDesktop extends Desktop {
  readonly gate: Gate;
}

export interface ActRequest extends WindowQuery, Patience {
  readonly tool: string;
  /** Undefined: whatever has the keyboard. */
  readonly aim: Aim | undefined;
  readonly order: Order;
  readonly isDryRun: boolean;
}
