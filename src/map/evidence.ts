import type { Ref } from "../model/ref.ts";
import { kindOfRole } from "../model/role.ts";

/**
 * Exact evidence that two sightings are the same control, strongest first. Each is a text in which every word must agree;
 * the store keeps only its hash. Values and states are never evidence.
 *
 *   runtime   the very object, while its application lives
 *   id        its automation or DOM id, in its page or window
 *   look      its role, name, containers and place among look-alikes
 *
 * Where another element of the window looks the same, the texts around it must agree as well: a list that recycles its
 * rows shows another item through the same objects, and a list that was filled anew shows another item in the same place.
 */
export function gatherEvidence(ref: Ref): string[][] {
  const around = ["owned", ref.owner];
  const scopes = ref.hasTwin ? [around] : [["alone"], around];
  const tiers = [
    scopes.map((scope) => [...runtimeOf(ref), ...scope]),
    ref.platformId === "" ? [] : [idOf(ref)],
    scopes.map((scope) => [...lookOf(ref), ...scope]),
  ];
  return tiers.map((tier) => tier.map((words) => words.join("\u0004")));
}

function runtimeOf(ref: Ref): string[] {
  return ["runtime", ref.runtimeId, ref.role, lastingName(ref)];
}

/** An object may change its words and stay the same control only if it is a text, or has an id. */
function lastingName(ref: Ref): string {
  if (ref.platformId !== "") return `#${ref.platformId}`;
  return kindOfRole(ref.role) === "text" && !ref.hasTwin ? "" : `=${ref.name}`;
}

/** An id is meant to be unique in its page; a page is known by its address. */
function idOf(ref: Ref): string[] {
  const page = ref.path.findLast((step) => step.role === "web")?.name ?? "";
  return [
    "id",
    ref.app,
    ref.window,
    page,
    ref.role,
    ref.platformId,
    `${ref.index}/${ref.count}`,
    ref.hasTwin ? ref.owner : "",
  ];
}

function lookOf(ref: Ref): string[] {
  const path = ref.path.map(({ role, name, index, count }) => `${role}:${name}:${index}/${count}`).join("\u0003");
  return ["look", ref.app, ref.window, path, ref.role, ref.name, ref.platformId, `${ref.index}/${ref.count}`];
}
