import { hashNear, hashText } from "../model/hash.ts";
import type { Ref, StoredRef } from "../model/ref.ts";
import { entryRoles, kindOfRole } from "../model/role.ts";

/**
 * Exact evidence that two elements are the same control, in tiers, strongest first. Each tier is a text in which every
 * word must agree; the store keeps only its hash. Values and states are never evidence.
 *
 *  runtime      the same object, while its application runs
 *  id           its automation or DOM id, within its page or window, with its name (pages reassign ids)
 *  appearance   role, name, containers, index among look-alikes, and the adjacent text
 *
 * While the application runs, the adjacent text need not agree, so a label may show a count or a title may change. It
 * must agree if another control of the window looks the same: a list that recycles its rows shows other items through
 * the same objects. Containers outside rows are not recycled.
 */
export function gatherEvidence(ref: Ref): string[][] {
  const owned = ["owned", ref.owner];
  const isBox = ["container", "landmark"].includes(kindOfRole(ref.role)) && !isInEntry(ref);
  const runtime = ref.hasTwin && !isBox ? [owned] : [["alone"], owned];
  const tiers = [
    runtime.map((scope) => [...runtimeOf(ref), ...scope]),
    ...namesOfWindow(ref).flatMap((window) => [
      ref.platformId === "" ? [] : [[...idOf(ref, window), ...owned]],
      [[...appearanceOf(ref, window), ...owned]],
    ]),
  ];
  return tiers.map((tier) => tier.map((words) => words.join("\u0004")));
}

/**
 * A window with another title may list the same words for other things, such as the files of another folder: entries
 * are known by its title alone. A page is known by its URL.
 */
function namesOfWindow(ref: Ref): readonly string[] {
  const isInPage = ref.path.some(({ role }) => role === "web");
  return isInEntry(ref) && !isInPage ? ref.windows.slice(0, 1) : ref.windows;
}

/** Hashes of the evidence, by tier. Appearance hashes are placed near others of the same application. */
export function hashEvidence(ref: Ref): string[][] {
  const [living = [], ...appearances] = gatherEvidence(ref);
  return [living.map(hashText), ...appearances.map((tier) => tier.map((text) => hashNear(ref.app, text)))];
}

/** Hashes of the appearance tiers only, without the object. */
export function hashAppearances(ref: StoredRef): string[] {
  return hashEvidence({ ...ref, handle: "", life: "" })
    .slice(1)
    .flat();
}

/** An object may change its name and remain the same control only if it is a text without look-alikes. */
export function mayRename(ref: Ref): boolean {
  return kindOfRole(ref.role) === "text" && !ref.hasTwin;
}

function runtimeOf(ref: Ref): string[] {
  return ["runtime", ref.handle, ref.role, mayRename(ref) ? "" : `=${ref.name}`];
}

/** Ids are unique within a page; a page is identified by its URL. */
function idOf(ref: Ref, window: string): string[] {
  const page = ref.path.findLast((step) => step.role === "web")?.name ?? "";
  return ["id", ref.app, window, page, ref.role, ref.platformId, ref.name, `${ref.index}/${ref.count}`];
}

function appearanceOf(ref: Ref, window: string): string[] {
  return [
    "look",
    ref.app,
    window,
    describePath(ref.path),
    ref.role,
    ref.name,
    ref.platformId,
    `${ref.index}/${ref.count}`,
  ];
}

/** Siblings share the same `path` array, so each is joined once. */
const paths = new WeakMap<Ref["path"], string>();

/** A path as text; the text of a container's path and a separator start those of its content. */
export function describePath(path: Ref["path"]): string {
  const text =
    paths.get(path) ??
    path.map(({ role, name, index, count }) => `${role}:${name}:${index}/${count}`).join(stepSeparator);
  paths.set(path, text);
  return text;
}

export const stepSeparator = "\u0003";

/**
 * Identifies the object whatever its name is now. It can prove that an object is not a given control, never that it is.
 */
export function objectOf(ref: Ref): string {
  return ["object", ref.handle].join("\u0004");
}

/** Whether the element is a list entry or inside one. Its object may show another item at any time. */
export function isInEntry({ role, path }: Pick<Ref, "role" | "path">): boolean {
  return [role, ...path.map((step) => step.role)].some((one) => entryRoles.has(one));
}
