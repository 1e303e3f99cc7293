/** Takes bytes or a part of them, and returns how many; negative if it is closed. */
export interface Sink {
  write(bytes: Uint8Array): number;
  end(): void;
}

/** Buffers what a socket does not take yet. */
export class Outbox {
  private sink: Sink | undefined;
  private unsent: Uint8Array[] = [];
  private bytes = 0;
  private isEnding = false;
  private drained: (() => void)[] = [];

  attach(sink: Sink): void {
    this.sink = sink;
    this.flush();
  }

  get unsentBytes(): number {
    return this.bytes;
  }

  write(bytes: Uint8Array): void {
    this.unsent.push(bytes);
    this.bytes += bytes.length;
    if (this.unsent.length === 1) this.flush();
  }

  flush(): void {
    const { sink } = this;
    if (sink === undefined) return;
    while (this.unsent.length > 0) {
      const next = this.unsent[0];
      if (next === undefined) return;
      const sent = sink.write(next);
      if (sent < 0) return this.drop();
      this.bytes -= sent;
      if (sent < next.length) {
        this.unsent[0] = next.subarray(sent);
        return;
      }
      this.unsent.shift();
    }
    if (this.isEnding) sink.end();
    for (const tell of this.drained.splice(0)) tell();
  }

  /** Resolves when everything is sent, or dropped. */
  drain(): Promise<void> {
    return this.unsent.length === 0 ? Promise.resolve() : new Promise((resolve) => this.drained.push(resolve));
  }

  end(): void {
    this.isEnding = true;
    if (this.unsent.length === 0) this.sink?.end();
  }

  drop(): void {
    this.unsent = [];
    this.bytes = 0;
    this.sink = undefined;
    for (const tell of this.drained.splice(0)) tell();
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T | PromiseLike<T>): void;
  reject(reason: unknown): void;
}

/** Promise.withResolvers, which Node 20 does not have. */
export function defer<T>(): Deferred<T> {
  let own: Omit<Deferred<T>, "promise"> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    own = { resolve, reject };
  });
  if (own === undefined) throw new Error("the executor of a promise did not run");
  return { promise, ...own };
}
