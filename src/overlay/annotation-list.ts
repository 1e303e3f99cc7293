import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { type Annotation, marksOf, maxAnnotations, maxOfClient } from "./annotation.ts";
import type { ClientAnnotation } from "./compose.ts";

export interface StoredAnnotation extends ClientAnnotation {
  readonly sinceMs: number;
  readonly untilMs: number;
}

export interface AnnotationRequest {
  readonly annotation: Annotation;
  readonly client: string;
  readonly forMs: number;
  /** Ends it early. */
  readonly gone: AbortSignal | undefined;
}

/** Annotations, until they are cleared, expire or their client disconnects. */
export class AnnotationList {
  private readonly kept = new Map<number, StoredAnnotation & { drop(): void }>();
  private nextId = 1;

  constructor(private readonly onChange: () => void) {}

  get all(): readonly StoredAnnotation[] {
    return [...this.kept.values()];
  }

  get marks(): ReadonlySet<number> {
    return new Set(this.all.flatMap(({ annotation }) => marksOf(annotation)));
  }

  add({ annotation, client, forMs, gone }: AnnotationRequest): Result<StoredAnnotation> {
    if (this.kept.size >= maxAnnotations) return fail(describeCrowd(`there are ${maxAnnotations} annotations`));
    const own = this.all.filter((one) => one.client === client).length;
    if (own >= maxOfClient) return fail(describeCrowd(`this client has ${maxOfClient} annotations`));
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
    const stored = { id, annotation, client, sinceMs, untilMs: sinceMs + forMs, drop };
    this.kept.set(id, stored);
    if (gone?.aborted === true) end();
    return succeed(stored);
  }

  /** Returns how many were removed. */
  clear(isMeant: (one: StoredAnnotation) => boolean = () => true): number {
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
  return makeFailure("UNAVAILABLE", `${what} already on the screen`, "deskmap annotate clear removes them.");
}
