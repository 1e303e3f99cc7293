import { pathToFileURL } from "node:url";
import type { DesktopEntry } from "./desktop-files.ts";

/** A file path or a URL. */
export interface OpenTarget {
  readonly path?: string;
  readonly url?: string;
}

/** The arguments of an Exec line with the target inserted (Desktop Entry Specification, "The Exec key"). */
export function expandExec(entry: DesktopEntry, target: OpenTarget | undefined): string[] {
  let isPlaced = false;
  const place = (value: string | undefined): string[] => {
    isPlaced ||= value !== undefined;
    return value === undefined ? [] : [value];
  };
  const asPath = target?.path ?? target?.url;
  const asUrl = target?.url ?? (target?.path === undefined ? undefined : pathToFileURL(target.path).href);
  const whole: Readonly<Record<string, () => string[]>> = {
    "%f": () => place(asPath),
    "%F": () => place(asPath),
    "%u": () => place(asUrl),
    "%U": () => place(asUrl),
    "%i": () => (entry.icon === "" ? [] : ["--icon", entry.icon]),
  };
  // %d, %D, %n, %N, %v and %m are deprecated.
  const words = splitExec(entry.exec).flatMap(
    (word) => whole[word]?.() ?? (/^%[dDnNvm]$/.test(word) ? [] : [expandInside(entry, word, place, asPath, asUrl)]),
  );
  // A line without a field code takes it at the end.
  return isPlaced ? words : [...words, ...place(asPath)];
}

function expandInside(
  entry: DesktopEntry,
  word: string,
  place: (value: string | undefined) => string[],
  asPath: string | undefined,
  asUrl: string | undefined,
): string {
  return word.replace(/%(.)/g, (_whole, code: string) => {
    if (code === "%") return "%";
    if (code === "c") return entry.name;
    if (code === "k") return entry.path;
    if (code === "f" || code === "F") return place(asPath)[0] ?? "";
    return code === "u" || code === "U" ? (place(asUrl)[0] ?? "") : "";
  });
}

/**
 * Arguments are separated by spaces; inside double quotes a backslash escapes quote, backtick, dollar and backslash.
 */
export function splitExec(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] ?? "";
    const next = line[at + 1] ?? "";
    if (letter === '"') {
      isQuoted = !isQuoted;
      word ??= "";
    } else if (letter === "\\" && isQuoted && /["`$\\]/.test(next)) {
      word = (word ?? "") + next;
      at += 1;
    } else if (letter === " " && !isQuoted) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + letter;
    }
  }
  return word === undefined ? words : [...words, word];
}
