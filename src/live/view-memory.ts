import type { StartReason } from "../model/change-line.ts";
import { flatten } from "../model/element.ts";
import type { MarkedElement, View } from "../model/view.ts";

const memoryLimits = {
  maxViews: 64,
  maxBytes: 32 << 20,
  maxAgeMs: 30 * 60_000,
  /** How many recent views of one watch are kept: its reader may be slightly behind. */
  maxViewsOfWatch: 8,
};
export type MemoryLimits = Readonly<typeof memoryLimits>;

interface Kept {
  readonly view: View;
  readonly selection: string;
  readonly owner: string;
  readonly line: object | undefined;
  readonly atMs: number;
}

export type Recalled =
  | { readonly view: View }
  /** Why there is nothing to compare with. */
  | { readonly reason: StartReason };

/**
 * Views that clients may later compare with, each under a token. Tokens start with an id of this process, so that those
 * of other processes are recognised. A client never gets another client's view.
 */
export class ViewMemory {
  private readonly kept = new Map<string, Kept>();
  private count = 0;

  constructor(
    private readonly limits: MemoryLimits = memoryLimits,
    private readonly now: () => number = () => performance.now(),
    private readonly epoch: string = makeEpoch(),
  ) {}

  /** Stores a view of a selection; `line` identifies the watch it belongs to, if any. */
  keep(owner: string, selection: string, view: View, line?: object): string {
    this.count += 1;
    const token = `${this.epoch}${separator}${this.count.toString(36)}`;
    this.kept.set(token, { view, selection, owner, line, atMs: this.now() });
    this.forget();
    return token;
  }

  recall(owner: string, selection: string, token: string): Recalled {
    this.forget();
    if (token.split(separator)[0] !== this.epoch) return { reason: "restarted" };
    const kept = this.kept.get(token);
    if (kept === undefined || kept.owner !== owner) return { reason: "expired" };
    return kept.selection === selection ? { view: kept.view } : { reason: "other-selection" };
  }

  /** An estimate of what is stored. */
  figures(): { readonly views: number; readonly bytes: number } {
    return { views: this.kept.size, bytes: this.measure() };
  }

  /** Oldest first, which is the map's order. */
  private forget(): void {
    const { maxViews, maxBytes, maxAgeMs } = this.limits;
    const oldestMs = this.now() - maxAgeMs;
    for (const [token, { atMs }] of this.kept) if (atMs < oldestMs) this.kept.delete(token);
    this.shortenLines();
    for (const token of this.kept.keys()) {
      // The newest view is kept whatever its size: its token was just issued.
      if (this.kept.size <= 1 || (this.kept.size <= maxViews && this.measure() <= maxBytes)) return;
      this.kept.delete(token);
    }
  }

  private shortenLines(): void {
    const tokens = [...this.kept].filter(([, { line }]) => line !== undefined);
    for (const own of Map.groupBy(tokens, ([, { line }]) => line).values()) {
      for (const [token] of own.slice(0, -this.limits.maxViewsOfWatch)) this.kept.delete(token);
    }
  }

  /** Content shared between views counts once. */
  private measure(): number {
    const contents = new Set(
      [...this.kept.values()].flatMap(({ view }) => view.windows.map(({ elements }) => elements)),
    );
    return [...contents].reduce((sum, elements) => sum + weigh(elements), 0);
  }
}

const separator = ".";

/** Letters and digits only: a token must not look like an option. */
function makeEpoch(): string {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return `${high.toString(36)}${low.toString(36)}`;
}

const bytesOfElement = 600;
const weights = new WeakMap<readonly MarkedElement[], number>();

function weigh(elements: readonly MarkedElement[]): number {
  const known = weights.get(elements);
  if (known !== undefined) return known;
  const weight = flatten(elements).reduce((sum, one) => {
    const texts = one.name.length + one.ownName.length + one.value.length + one.description.length + one.url.length;
    return sum + bytesOfElement + 2 * texts;
  }, 0);
  weights.set(elements, weight);
  return weight;
}
