/**
 * Notifies all listeners of a connection. An exception in one is a bug: thrown here it would look like the end of the
 * connection, so it is rethrown asynchronously.
 */
export function tellListeners<T>(listeners: Iterable<(told: T) => void>, told: T): void {
  for (const listener of listeners) {
    try {
      listener(told);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
