import { hashNear } from "../model/hash.ts";
import type { StoredRef } from "../model/ref.ts";
import { isInEntry } from "./evidence.ts";
import { isLastingId } from "./lasting-id.ts";
import { listVisibleSteps, windowOf } from "./unmatched.ts";

/** Hashes for a control that is alone with its role and name in its window, whatever is beside it. */
export interface Sole {
  readonly own: string;
  /** Known once two controls were alone in turn, such as the "Next" of two pages: then `own` tells nothing. */
  readonly shared: string;
}

export function hashSole(ref: StoredRef): Sole | undefined {
  if (ref.name === "" || ref.hasTwin || isInEntry(ref)) return undefined;
  const way = listVisibleSteps(ref.path).map(({ role, name }) => `${role}:${name}`);
  const id = isLastingId(ref.platformId) ? ref.platformId : "";
  const words = [ref.app, windowOf(ref), ref.role, ref.name, id, ...way].join("\u0004");
  return { own: hashNear(ref.app, `sole\u0004${words}`), shared: hashNear(ref.app, `shared\u0004${words}`) };
}
