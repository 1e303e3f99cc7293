/**
 * Tells all who listen to a connection. What goes wrong in one of them is a fault of ours: thrown here it would be taken for the
 * end of the connection, and nobody would learn where it came up. It is thrown beside, where the process meets its faults.
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
