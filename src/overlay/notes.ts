import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { type Annotation, marksOf, maxAnnotations } from "./annotation.ts";
import type { Noted } from "./compose.ts";

export interface KeptNote extends Noted {
  readonly client: string;
  readonly sinceMs: number;
  /** When it ends by itself. */
  readonly untilMs: number | undefined;
}

export interface NoteWish {
  readonly annotation: Annotation;
  readonly client: string;
  readonly forMs: number | undefined;
  /** Ends it, too. */
  readonly gone: AbortSignal | undefined;
}

/** Annotations, until they are cleared, their time is over or their client has gone. */
export class Notes {
  private readonly kept = new Map<number, KeptNote & { drop(): void }>();
  private nextId = 1;

  constructor(private readonly onChange: () => void) {}

  get all(): readonly KeptNote[] {
    return [...this.kept.values()];
  }

  get marks(): ReadonlySet<number> {
    return new Set(this.all.flatMap(({ annotation }) => marksOf(annotation)));
  }

  add({ annotation, client, forMs, gone }: NoteWish): Result<KeptNote> {
    if (this.kept.size >= maxAnnotations) return fail(describeCrowd());
    const id = this.nextId;
    this.nextId += 1;
    const end = (): void => this.end(id);
    const timer = forMs === undefined ? undefined : setTimeout(end, forMs);
    gone?.addEventListener("abort", end, { once: true });
    const drop = (): void => {
      clearTimeout(timer);
      gone?.removeEventListener("abort", end);
    };
    const sinceMs = Date.now();
    const note = { id, annotation, client, sinceMs, untilMs: forMs === undefined ? undefined : sinceMs + forMs, drop };
    this.kept.set(id, note);
    if (gone?.aborted === true) end();
    return succeed(note);
  }

  /** How many there were. */
  clear(id?: number): number {
    const ended = id === undefined ? [...this.kept.keys()] : this.kept.has(id) ? [id] : [];
    for (const one of ended) this.drop(one);
    return ended.length;
  }

  private end(id: number): void {
    if (this.drop(id)) this.onChange();
  }

  private drop(id: number): boolean {
    this.kept.get(id)?.drop();
    return this.kept.delete(id);
  }
}

function describeCrowd(): Failure {
  return {
    code: "UNAVAILABLE",
    message: `${maxAnnotations} annotations are on the screen already`,
    suggestion: "deskmap annotate clear takes them away.",
    done: nothingDone,
  };
}
