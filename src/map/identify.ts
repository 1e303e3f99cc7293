import { type Point, windowSpace } from "../model/bounds.ts";
import { toLocal } from "../model/coordinates.ts";
import { type Element, flatten } from "../model/element.ts";
import type { Ref, Step } from "../model/ref.ts";
import { entryRoles, kindOfRole, type Role } from "../model/role.ts";
import type { WindowRead } from "../model/snapshot.ts";
import { isSeenSource } from "../model/source.ts";
import { hasTrait } from "../model/trait.ts";
import type { Window } from "../model/window.ts";

const maxOwnerLevels = 3;
const maxEntryTexts = 3;
const maxQuestionTexts = 2;

/** Containers of repeating entries. */
export const listRoles: ReadonlySet<Role> = new Set<Role>(["list", "table", "tree", "menu", "tablist"]);

interface Place {
  readonly app: string;
  readonly windows: readonly string[];
  readonly path: readonly Step[];
  /** The text beside each container on the path, nearest last. */
  readonly beside: readonly Beside[];
  /** Whether the place is inside a list entry, whose object may show another item at any time. */
  readonly isInEntry: boolean;
  /** Where the window's upper left corner is on the screen. */
  readonly origin: Point;
  /**
   * The name of this very window. What only a picture shows holds while its window lives: the same words in another one
   * are another control.
   */
  readonly veryWindow: readonly string[];
}

interface Beside {
  readonly text: string;
  /** Whether it comes after the only container of its kind: it tells nothing about look-alikes in there. */
  readonly isAfterAll: boolean;
}

/**
 * Describes every element of a window so that it can be distinguished from all others, now and after a restart.
 * `windowNames` distinguish the window from others of the application, best first. Keyed by handle.
 */
export function describeRefs(read: WindowRead, windowNames: readonly string[]): ReadonlyMap<string, Ref> {
  const refs = new Map<string, Ref>();
  if (read.root === undefined) return refs;
  const { role, name } = read.root;
  // A frame's title contains the document's name and may change. A dialog is identified by its texts.
  const names = role === "dialog" ? [[name, ...readQuestion(read.root)].join("\u0001")] : windowNames;
  const windows = names.map((one) => `${role}:${one}`);
  const place: Place = {
    app: read.appKey,
    windows,
    path: [],
    beside: [],
    isInEntry: false,
    origin: read.window.bounds,
    veryWindow: [`${role}:${nameVeryWindow(read.window)}`],
  };
  const counts = countTwins(read.root);
  refs.set(read.root.handle, { ...makeRef(read.root, place, counts), name: "" });
  describeChildren(read.root, place, counts, refs);
  return refs;
}

/** The first texts of a dialog: a title such as "Question" is shared by many. */
function readQuestion(dialog: Element): string[] {
  const texts = flatten([dialog]).filter(
    ({ role, name, states }) => role === "text" && name !== "" && !states.has("hidden"),
  );
  return texts.slice(0, maxQuestionTexts).map(({ name }) => name);
}

function describeChildren(
  parent: Element,
  place: Place,
  counts: ReadonlyMap<string, number>,
  refs: Map<string, Ref>,
): void {
  const entries = nameEntries(parent);
  const texts = findTextsBeside(parent);
  const sisters = findSisters(parent);
  parent.children.forEach((child, index) => {
    const inside = { ...place, beside: [...place.beside, texts[index] ?? noText] };
    const entry = entries.get(child);
    const step = makeStep(child, entry);
    const ref = { ...makeRef(child, inside, counts), sisters: sisters[index] ?? noSisters };
    // An entry is identified by its text wherever it is: its object may show another item at any time.
    refs.set(child.handle, entry === undefined ? ref : { ...ref, ...step, owner: "", hasTwin: true });
    if (child.children.length === 0) return;
    // Texts outside an entry do not describe controls inside it. A cell counts as an entry only outside a row.
    const isBorder = entryRoles.has(child.role) && (child.role !== "cell" || parent.role !== "row");
    describeChildren(
      child,
      {
        ...inside,
        path: [...place.path, step],
        beside: isBorder ? [] : inside.beside,
        isInEntry: place.isInEntry || entryRoles.has(child.role),
      },
      counts,
      refs,
    );
  });
}

interface Entry {
  readonly text: string;
  /**
   * Whether no other entry has the same text. Then the text identifies it better than its index, even after sorting.
   */
  readonly isUnique: boolean;
}

function nameEntries(parent: Element): ReadonlyMap<Element, Entry> {
  const isList = listRoles.has(parent.role);
  const entries = parent.children.filter((child) => entryRoles.has(child.role) || (isList && child.alikeCount > 1));
  const named = new Map<Element, Entry>();
  const present = Map.groupBy(parent.children, twinKeyOf);
  for (const [text, holders] of Map.groupBy(entries, readTexts)) {
    if (text === "") continue;
    for (const holder of holders) {
      // A hidden entry that was not read may have the same text.
      const isAllRead = present.get(twinKeyOf(holder))?.length === holder.alikeCount;
      named.set(holder, { text, isUnique: holders.length === 1 && isAllRead });
    }
  }
  return named;
}

function makeStep(container: Element, entry: Entry | undefined): Step {
  const { role, alikeIndex, alikeCount } = container;
  const name = entry === undefined ? pathNameOf(container) : `${pathNameOf(container)}\u0001${entry.text}`;
  return entry?.isUnique ? { role, name, index: 0, count: 1 } : { role, name, index: alikeIndex, count: alikeCount };
}

/** Other containers than pages are identified by their own name. */
function pathNameOf(element: Element): string {
  return addressOf(element) || element.ownName;
}

/** A page is identified by its URL: its title may show a count, and may be that of other pages. */
function addressOf({ role, url }: Element): string {
  return role === "web" ? url : "";
}

const noText: Beside = { text: "", isAfterAll: false };

/**
 * For each child its adjacent text: the one before it, else the container's own, else the one after it. A text after
 * several look-alikes belongs to none of them.
 */
function findTextsBeside(parent: Element): Beside[] {
  const isText = (element: Element): boolean =>
    isWords(element) && element.name !== "" && isAsHiddenAs(element, parent);
  const own = isWords(parent) ? wordsOf(parent) : "";
  const after: string[] = [];
  parent.children.reduceRight((next, child, index) => {
    after[index] = next;
    return isText(child) ? wordsOf(child) : next;
  }, "");
  let before = "";
  const texts = parent.children.map((child, index): Beside => {
    const text = before || own;
    if (isText(child)) before = wordsOf(child);
    return text === "" ? { text: after[index] ?? "", isAfterAll: child.alikeCount === 1 } : { text, isAfterAll: false };
  });
  // Whatever has no text before it stands before the first one.
  const end = own === "" ? parent.children.findIndex(isText) : 0;
  const alike = Map.groupBy(parent.children.slice(0, Math.max(0, end)), twinKeyOf);
  return texts.map((beside, index) => {
    const child = parent.children[index];
    const isShared = index < end && child !== undefined && (alike.get(twinKeyOf(child))?.length ?? 0) > 1;
    return isShared ? noText : beside;
  });
}

const noSisters: Ref["sisters"] = ["", ""];
const maxSisterLength = 24;

/** For each child the names of its nearest named siblings, truncated. */
function findSisters(parent: Element): Ref["sisters"][] {
  const names = parent.children.map((child) =>
    isAsHiddenAs(child, parent) ? child.name.slice(0, maxSisterLength) : "",
  );
  const after: string[] = [];
  names.reduceRight((next, name, index) => {
    after[index] = next;
    return name || next;
  }, "");
  let before = "";
  return names.map((name, index) => {
    const pair: Ref["sisters"] = [before, after[index] ?? ""];
    if (name !== "") before = name;
    return pair;
  });
}

/** An entry's own text and that of the texts directly inside it. */
function readTexts(entry: Element): string {
  const inside = entry.children.filter((child) => isWords(child) && isAsHiddenAs(child, entry));
  const texts = [wordsOf(entry), ...inside.map((child) => child.name)].filter((text) => text !== "");
  return texts.slice(0, maxEntryTexts).join("\u0002");
}

function isWords(element: Element): boolean {
  return kindOfRole(element.role) === "text" || entryRoles.has(element.role);
}

/** An option's name may be composed of its content; that of a text, a plain item or a cell is its own. */
function wordsOf(element: Element): string {
  const isOwn = kindOfRole(element.role) === "text" || element.role === "item";
  return isOwn ? element.name : element.ownName;
}

/**
 * Hidden texts do not count, or reading hidden parts would change what is recognised. In a hidden container all count.
 */
function isAsHiddenAs(element: Element, container: Element): boolean {
  return container.states.has("hidden") || !element.states.has("hidden");
}

/** A container of their own: it counts as read only when the picture was. */
const inPicture: readonly Step[] = [{ role: "image", name: "", index: 0, count: 1 }];

function makeRef(element: Element, place: Place, counts: ReadonlyMap<string, number>): Ref {
  const { role, name, platformId, handle, life, bounds } = element;
  const { app, beside, origin } = place;
  const isSeen = isSeenSource(element.source);
  const twins = (counts.get(twinKeyOf(element)) ?? 1) - 1;
  return {
    app,
    windows: isSeen ? place.veryWindow : place.windows,
    path: isSeen ? inPicture : place.path,
    role,
    name,
    platformId: addressOf(element) || platformId,
    index: element.alikeIndex,
    count: element.alikeCount,
    owner: findOwner(element, beside),
    sisters: noSisters,
    twins,
    hasTwin: place.isInEntry || twins > 0,
    handle,
    life,
    ...(hasTrait(element, "is-a-place") ? { isPlace: true } : {}),
    bounds: bounds && toLocal(bounds, origin),
    space: windowSpace,
  };
}

function findOwner({ alikeCount }: Element, beside: readonly Beside[]): string {
  const near = beside.slice(-maxOwnerLevels);
  return near.findLast(({ text, isAfterAll }) => text !== "" && !(isAfterAll && alikeCount > 1))?.text ?? "";
}

/** A control directly inside one with the same words is not counted: toolkits wrap a button in another one. */
function countTwins(root: Element): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const count = (element: Element, around: string): void => {
    const key = twinKeyOf(element);
    if (key !== around) counts.set(key, (counts.get(key) ?? 0) + 1);
    for (const child of element.children) count(child, key);
  };
  count(root, "");
  return counts;
}

function twinKeyOf(element: Element): string {
  return `${element.role}\u0000${element.name}`;
}

/**
 * Names that distinguish each window from others of its application, by window id, best first. The title does; if
 * titles are equal, only the window id does, and its marks last as long as the window. A single window is also known as
 * the only one, so its marks survive a change of title.
 */
export function nameWindows(
  reads: readonly Pick<WindowRead, "window">[],
  all: readonly Window[],
): ReadonlyMap<number, readonly string[]> {
  return new Map(
    reads.map(({ window }) => {
      const sisters = all.filter((other) => other.app === window.app && other.class === window.class);
      if (sisters.length <= 1) return [window.id, [window.title, onlyWindow]];
      const twins = sisters.filter((sister) => sister.title === window.title);
      return [window.id, [twins.length <= 1 ? window.title : nameVeryWindow(window)]];
    }),
  );
}

/** Tells a window from every other one, as long as it lives. */
function nameVeryWindow({ title, pid, id }: Pick<Window, "title" | "pid" | "id">): string {
  return `${title}\u0001${pid}:${id}`;
}

/** Cannot be a title. */
const onlyWindow = "\u0001only";
