import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isLocked, tryLock } from "../lock.ts";
import { makeStateFolder, type Places } from "../places.ts";

/**
 * Where a person sees and answers in a browser. Its file is locked as long as the process that serves it lives. Nothing here
 * loads cryptography: every action asks for it.
 */
interface PageNote {
  /** Words that are in the title of its window, and in no other: the page's own, and its address. */
  readonly titles: readonly string[];
}

const ending = ".page";

/** Makes a page known, so that no client's hands reach it; gives what ends that. */
export function publishPage(places: Places, titles: readonly string[]): () => void {
  makeStateFolder(places);
  mkdirSync(places.surfaces, { recursive: true, mode: 0o700 });
  const path = join(places.surfaces, `${crypto.randomUUID()}${ending}`);
  // Locked before it has its name: nobody ever finds it without a holder.
  const lock = tryLock(`${path}.new`);
  if (lock === undefined) throw new Error(`${path}.new is locked`);
  writeSync(lock.descriptor, JSON.stringify({ titles } satisfies PageNote));
  renameSync(`${path}.new`, path);
  return () => {
    rmSync(path, { force: true });
    lock.release();
  };
}

/** The words that are in the titles of all pages that are served now. */
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

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
