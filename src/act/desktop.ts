import type { Desktop, ReadOptions } from "../find/read.ts";
import type { WindowQuery } from "../find/select.ts";
import type { Gate } from "../guard/gate.ts";
import type { Guard } from "../guard/guard.ts";
import type { Foretold } from "../model/foretold.ts";
import type { Aim, Order } from "../model/order.ts";

/** A desktop that can also be acted on; every action goes through the guard. */
export interface ActingDesktop extends Desktop {
  readonly guard: Guard;
}

/** The same during one action, with the guard's gate for it. */
export interface GatedDesktop extends Desktop {
  readonly gate: Gate;
}

export interface ActOptions {
  /** How long the effect may take to show. */
  readonly timeoutMs: number;
  readonly isDryRun: boolean;
  /** Whether to answer once it is delivered, without looking for its effect. */
  readonly isUnverified?: boolean | undefined;
  /** What a recording of it saw. */
  readonly foretold?: Foretold | undefined;
}

export interface ActRequest extends WindowQuery, ReadOptions, ActOptions {
  readonly tool: string;
  /** Undefined: the focused control. */
  readonly aim: Aim | undefined;
  readonly order: Order;
}
