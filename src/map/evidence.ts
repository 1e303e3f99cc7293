import type { Ref } from "../model/ref.ts";
import { kindOfRole } from "../model/role.ts";

/**
 * Exact evidence that two sightings are the same control. Each is a text in which every word must agree; the store keeps
 * only its hash. Values and states are never evidence.
 */
export interface Evidence {
  /** The very object, while its application lives. */
  readonly runtime: string;
  /** Its automation or DOM id, in its page or container; empty where it has none. */
  readonly id: string;
  /** Its role, name, containers and place among look-alikes. */
  readonly look: string;
}

export function gatherEvidence(ref: Ref): Evidence {
  const place = ref.path.map(({ role, name, index, count }) => `${role}:${name}:${index}/${count}`).join("\u0003");
  const base = [ref.app, ref.window, ref.role];
  return {
    runtime: join(["runtime", ref.runtimeId, ref.role, ref.owner, runtimeName(ref)]),
    id: ref.platformId === "" ? "" : join(["id", ...base, idScope(ref), ref.platformId, `${ref.index}/${ref.count}`]),
    look: join(["look", ...base, place, ref.owner, ref.platformId, ref.name, `${ref.index}/${ref.count}`]),
  };
}

/**
 * A list that recycles its row widgets shows another item through the same object, so the object alone proves nothing:
 * its name must agree too. Only a text may change its words and stay the same control, or an element with an id.
 */
function runtimeName(ref: Ref): string {
  if (ref.platformId !== "") return `#${ref.platformId}`;
  return kindOfRole(ref.role) === "text" && ref.owner === "" ? "" : ref.name;
}

/** An id is unique within its page; a page is known by its address. */
function idScope(ref: Ref): string {
  return ref.path.findLast((step) => step.role === "web")?.name ?? "";
}

function join(parts: readonly string[]): string {
  return parts.join("\u0004");
}
