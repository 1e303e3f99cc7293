import type { Begun, Ended } from "../model/activity.ts";
import type { Effect } from "../model/effect.ts";
import type { Result } from "../model/failure.ts";
import { cleanText } from "../model/plain-text.ts";
import { listChanges } from "./effect.ts";

/** Reports of actions are short, to be read at a glance. */
const [mostLines, longestLine] = [12, 160];

/** Shortens and cleans all texts: names and titles come from applications. */
export function shortenBegun(begun: Begun): Begun {
  const { client, tool, words, app, window, role, name } = begun;
  const texts = { client: shorten(client), tool: shorten(tool), words: shorten(words), app: shorten(app) };
  return { ...begun, ...texts, window: shorten(window), role: role && shorten(role), name: name && shorten(name) };
}

export function describeEnded(n: number, outcome: Result<Effect>): Ended {
  const ended = { kind: "ended", n, atMs: Date.now(), tookMs: 0 } as const;
  if (!outcome.ok) {
    const { code, reason, message } = outcome.failure;
    return { ...ended, evidence: [], changes: [], failure: { code, reason, message: shorten(message) } };
  }
  const { verdict, way, evidence, changes } = outcome.value;
  return { ...ended, verdict, way: shorten(way), evidence: cut(evidence), changes: cut(listChanges(changes)) };
}

function cut(lines: readonly string[]): readonly string[] {
  const kept = lines.slice(0, mostLines).map(shorten);
  const more = lines.length - kept.length;
  return more > 0 ? [...kept, `… ${more} more`] : kept;
}

function shorten(text: string): string {
  return cleanText(text, longestLine);
}
