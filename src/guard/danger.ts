import type { Deed } from "../model/deed.ts";
import type { Request } from "./gate.ts";
import type { Danger, Policy } from "./policy.ts";

/** Why a person should know of a deed first. */
export interface Warning {
  readonly danger: Danger;
  /** What makes it so: `it says "Delete"`. */
  readonly because: string;
}

/** What is sensitive about a deed; nothing of most. */
export function findDangers(deed: Deed, _request: Request, _policy: Policy): readonly Warning[] {
  if (deed.kind === "fill-secret") return [{ danger: "fill-secret", because: `it gives away "${deed.secret}"` }];
  return [];
}
