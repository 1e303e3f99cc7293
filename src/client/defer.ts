export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T | PromiseLike<T>): void;
  reject(reason: unknown): void;
}

/** Promise.withResolvers, which Node 20 does not have. */
export function defer<T>(): Deferred<T> {
  let own: Pick<Deferred<T>, "resolve" | "reject"> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    own = { resolve, reject };
  });
  if (own === undefined) throw new Error("a promise does not begin");
  return { promise, ...own };
}
