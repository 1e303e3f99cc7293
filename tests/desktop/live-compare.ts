import type { Element } from "../../src/model/element.ts";
import type { WindowRead } from "../../src/model/snapshot.ts";
import type { Platform } from "../../src/platform/port.ts";
import { unwrap } from "./controls-scene.ts";

const timeoutMs = 6000;

/** Differences between a mirror and a cold read, in readable lines. */
function compareReads(mirrored: readonly WindowRead[], cold: readonly WindowRead[]): string[] {
  return cold.flatMap((right) => {
    const { title } = right.window;
    const left = mirrored.find(({ window }) => window.id === right.window.id);
    if (left === undefined) return [`${title}: the mirror does not have it`];
    const notes = [left, right].map((read) => read.notes.map(({ code, text }) => `${code} ${text}`).join("; "));
    return [
      ...(notes[0] === notes[1] ? [] : [`${title}: notes "${notes[0]}", cold "${notes[1]}"`]),
      ...compareElements(title, left.root, right.root),
    ];
  });
}

const renamed = new Set(["table cell", "list item", "tree item", "table column header", "table row header"]);

function compareElements(where: string, left: Element | undefined, right: Element | undefined): string[] {
  if (left === undefined || right === undefined) {
    return left === right ? [] : [`${where}: ${left === undefined ? "only cold" : "only in the mirror"}`];
  }
  const here = `${where} > ${right.role} "${right.name}"`;
  const lines: string[] = [];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const [mine, its] = [show(Reflect.get(left, key)), show(Reflect.get(right, key))];
    // Qt names the cells of a table differently each time they are queried.
    const isRenamed = key === "handle" && renamed.has(left.platformRole);
    if (key !== "children" && mine !== its && !isRenamed) lines.push(`${here}: ${key} ${mine}, cold ${its}`);
  }
  const others = new Map(left.children.map((child) => [child.handle, child]));
  for (const [index, child] of right.children.entries()) {
    const there = left.children[index];
    const isRenamed = there !== undefined && renamed.has(child.platformRole) && there.name === child.name;
    const isThere = isRenamed || there?.handle === child.handle;
    const other = isThere ? there : others.get(child.handle);
    if (other !== undefined) others.delete(other.handle);
    if (other === undefined) lines.push(`${here}: only cold ${child.role} "${child.name}" ${child.handle}`);
    else lines.push(...compareElements(here, other, child));
  }
  for (const { role, name, handle } of others.values())
    lines.push(`${here}: only in the mirror ${role} "${name}" ${handle}`);
  const orders = [left, right].map(({ children }) => children.map(({ handle }) => handle).join());
  if (lines.length === 0 && !right.children.some((child) => renamed.has(child.platformRole)) && orders[0] !== orders[1])
    lines.push(`${here}: another order`);
  return lines;
}

function show(value: unknown): string {
  return JSON.stringify(value instanceof Set ? [...value].sort() : value) ?? "undefined";
}

export interface Agreement {
  /** The differences that were left at the end; empty if the two came to agree. */
  readonly differences: readonly string[];
  /** Time from the first difference seen to the start of the last comparison that found one. */
  readonly differedMs: number;
}

type Reader = Pick<Platform, "listWindows" | "readWindows">;

/** Compares the two until they agree, or have differed for longer than allowed. */
export async function agree(live: Reader, cold: Reader, allowedMs: number): Promise<Agreement> {
  let differedSinceMs: number | undefined;
  let differedMs = 0;
  for (;;) {
    const startedMs = performance.now();
    const [mine, its] = [await live.listWindows(), await cold.listWindows()].map(unwrap);
    if (mine === undefined || its === undefined) throw new Error("no windows");
    const lists = [mine, its].map(({ windows, monitors, screen }) => JSON.stringify([windows, monitors, screen]));
    const request = { windows: its.windows, includeHidden: false, timeoutMs };
    const mirrored = unwrap(await live.readWindows(request));
    const read = unwrap(await cold.readWindows(request));
    const differences = compareReads(mirrored, read);
    if (lists[0] !== lists[1]) differences.unshift(`windows ${lists[0]}\n  cold ${lists[1]}`);
    const since = differedSinceMs ?? performance.now();
    if (differences.length === 0) return { differences, differedMs };
    differedMs = Math.max(0, startedMs - since);
    // On a busy machine one comparison may take longer than allowed: it counts only if it began too late.
    if (differedMs > allowedMs) return { differences, differedMs };
    differedSinceMs = since;
    await Bun.sleep(20);
  }
}
