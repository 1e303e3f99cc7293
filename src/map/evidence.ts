import { hashNear, hashText } from "../model/hash.ts";
import type { Ref } from "../model/ref.ts";
import { entryRoles, kindOfRole } from "../model/role.ts";

/**
 * Exact evidence that two sightings are the same control, in tiers, strongest first. Each is a text in which every word must
 * agree; the store keeps only its hash. Values and states are never evidence.
 *
 *   runtime   the very object, while its application lives
 *   id        its automation or DOM id, in its page or window, with its name: pages make ids up anew
 *   look      its role, name, containers, place among look-alikes, and the text beside it
 *
 * While it lives, the text beside a control need not agree, so that a label may count or a title change; unless another
 * element of the window looks the same: a list that recycles its rows shows another item through the same objects.
 */
export function gatherEvidence(ref: Ref): string[][] {
  const owned = ["owned", ref.owner];
  const runtime = ref.hasTwin ? [owned] : [["alone"], owned];
  const tiers = [
    runtime.map((scope) => [...runtimeOf(ref), ...scope]),
    ...ref.windows.flatMap((window) => [
      ref.platformId === "" ? [] : [[...idOf(ref, window), ...owned]],
      [[...appearanceOf(ref, window), ...owned]],
    ]),
  ];
  return tiers.map((tier) => tier.map((words) => words.join("\u0004")));
}

/** The same as hashes, tier by tier: those of its looks lie together with all others of its application. */
export function hashEvidence(ref: Ref): string[][] {
  const [living = [], ...looks] = gatherEvidence(ref);
  return [living.map(hashText), ...looks.map((tier) => tier.map((look) => hashNear(ref.app, look)))];
}

/** Of how a control looks alone, without its object. */
export function hashLooks(ref: Omit<Ref, "runtimeId">): string[] {
  return hashEvidence({ ...ref, runtimeId: "" })
    .slice(1)
    .flat();
}

/** An object may change its words and stay the same control only if it is a text that nothing else looks like. */
export function mayRename(ref: Ref): boolean {
  return kindOfRole(ref.role) === "text" && !ref.hasTwin;
}

function runtimeOf(ref: Ref): string[] {
  return ["runtime", ref.runtimeId, ref.role, mayRename(ref) ? "" : `=${ref.name}`];
}

/** An id is meant to be unique in its page; a page is known by its address. */
function idOf(ref: Ref, window: string): string[] {
  const page = ref.path.findLast((step) => step.role === "web")?.name ?? "";
  return ["id", ref.app, window, page, ref.role, ref.platformId, ref.name, `${ref.index}/${ref.count}`];
}

function appearanceOf(ref: Ref, window: string): string[] {
  return ["look", ref.app, window, wayOf(ref), ref.role, ref.name, ref.platformId, `${ref.index}/${ref.count}`];
}

/** Sisters share the very list of their containers: it is put together once. */
const ways = new WeakMap<Ref["path"], string>();

function wayOf({ path }: Pick<Ref, "path">): string {
  const known = ways.get(path);
  if (known !== undefined) return known;
  const way = path.map(({ role, name, index, count }) => `${role}:${name}:${index}/${count}`).join("\u0003");
  ways.set(path, way);
  return way;
}

/** The object alone: what it was last shown as, whatever it is called now. It tells who an object is not, never who it is. */
export function objectOf(ref: Ref): string {
  return ["object", ref.runtimeId].join("\u0004");
}

/** The run of its application: every runtime id begins with it. */
export function lifeOf({ runtimeId }: Pick<Ref, "runtimeId">): string {
  const end = runtimeId.indexOf("/");
  return end < 0 ? runtimeId : runtimeId.slice(0, end);
}

/** Whether it is an entry of a list, or in one: its object may show another item at any time. */
export function isInEntry({ role, path }: Pick<Ref, "role" | "path">): boolean {
  return [role, ...path.map((step) => step.role)].some((one) => entryRoles.has(one));
}
