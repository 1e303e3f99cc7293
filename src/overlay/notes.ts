import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { type Annotation, marksOf, maxAnnotations, maxOfClient } from "./annotation.ts";
import type { Noted } from "./compose.ts";

export interface KeptNote extends Noted {
  readonly sinceMs: number;
  /** When it ends by itself. */
  readonly untilMs: number;
}

export interface NoteWish {
  readonly annotation: Annotation;
  readonly client: string;
  readonly forMs: number;
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
    if (this.kept.size >= maxAnnotations) return fail(describeCrowd(`${maxAnnotations} annotations are`));
    const own = this.all.filter((one) => one.client === client).length;
    if (own >= maxOfClient) return fail(describeCrowd(`${maxOfClient} annotations of this client are`));
    const id = this.nextId;
    this.nextId += 1;
    const end = (): void => this.end(id);
    const timer = setTimeout(end, forMs);
    gone?.addEventListener("abort", end, { once: true });
    const drop = (): void => {
      clearTimeout(timer);
      gone?.removeEventListener("abort", end);
    };
    const sinceMs = Date.now();
    const note = { id, annotation, client, sinceMs, untilMs: sinceMs + forMs, drop };
    this.kept.set(id, note);
    if (gone?.aborted === true) end();
    return succeed(note);
  }

  /** How many there were. */
  clear(isMeant: (note: KeptNote) => boolean = () => true): number {
    const ended = this.all.filter(isMeant);
    for (const { id } of ended) this.drop(id);
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

function describeCrowd(what: string): Failure {
  return {
    code: "UNAVAILABLE",
    message: `${what} on the screen already`,
    suggestion: "deskmap annotate clear takes them away.",
    done: nothingDone,
  };
}
