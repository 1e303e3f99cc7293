const maxEntries = 100;
const maxAgeMs = 5 * 60_000;

/** Answers by request and context. The oldest entry leaves first. */
export class AnswerCache {
  private readonly entries = new Map<string, { readonly text: string; readonly atMs: number }>();

  constructor(private readonly now: () => number = Date.now) {}

  find(query: string, contextHash: string): string | undefined {
    const found = this.entries.get(keyOf(query, contextHash));
    return found !== undefined && this.now() - found.atMs < maxAgeMs ? found.text : undefined;
  }

  add(query: string, contextHash: string, text: string): void {
    const key = keyOf(query, contextHash);
    this.entries.delete(key);
    this.entries.set(key, { text, atMs: this.now() });
    const [oldest] = this.entries.keys();
    if (this.entries.size > maxEntries && oldest !== undefined) this.entries.delete(oldest);
  }
}

function keyOf(query: string, contextHash: string): string {
  return `${query}|${contextHash}`;
}
