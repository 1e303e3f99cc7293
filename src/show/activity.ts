import type { Begun, Ended } from "../model/activity.ts";
import type { Effect } from "../model/effect.ts";
import type { Result } from "../model/failure.ts";
import { cleanText } from "../model/plain-text.ts";
import { listChanges } from "./effect.ts";

/** Reports of actions are short, to be read at a glance. */
const [mostLines, longestLine] = [12, 160];

/** Shortens and cleans all texts: names and titles come from applications. */
export function shortenBegun({ kind, n, atMs, client, tool, words, app, window, mark, role, name }: Begun): Begun {
  return {
    kind,
    n,
    atMs,
    client: shorten(client),
    tool: shorten(tool),
    words: shorten(words),
    app: shorten(app),
    window: shorten(window),
    mark,
    role: role && shorten(role),
    name: name && shorten(name),
  };
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
