import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createLocked, isLocked } from "../lock.ts";
import { makeStateFolder, type Places } from "../places.ts";

// Nothing here loads cryptography: every action and every drawing asks for it.

/** A page in a browser where a person answers. Its file is locked while the process that serves it runs. */
interface PageRecord {
  /** Words that only its window's title contains: the page's own, and its address. */
  readonly titles: readonly string[];
}

const ending = ".page";

/** Announces a page, so that no client's command reaches it; returns what ends that. */
export function publishPage(places: Places, titles: readonly string[]): () => void {
  makeStateFolder(places);
  mkdirSync(places.surfaces, { recursive: true, mode: 0o700 });
  const path = join(places.surfaces, `${crypto.randomUUID()}${ending}`);
  const lock = createLocked(path, JSON.stringify({ titles } satisfies PageRecord));
  return () => {
    rmSync(path, { force: true });
    lock.release();
  };
}

export function listPageTitles({ surfaces }: Places): readonly string[] {
  return listNames(surfaces)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(surfaces, name))
    .flatMap((path) => (isLocked(path) ? readTitles(path) : []));
}

function readTitles(path: string): readonly string[] {
  try {
    const { titles }: { titles?: unknown } = JSON.parse(readFileSync(path, "utf8"));
    return Array.isArray(titles) ? titles.filter((one) => typeof one === "string" && one !== "") : [];
  } catch {
    return [];
  }
}

/** Whether a person is being asked something. Called several times a second. */
export function hasPendingQuestion({ surfaces }: Pick<Places, "surfaces">): boolean {
  return listNames(surfaces).some((name) => name.endsWith(".request") && isLocked(join(surfaces, name)));
}

/** The files of a folder; none if it cannot be read. */
export function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
