/** For `catch`: these errors are expected and give undefined; any other is a bug. */
export function ignore(...kinds: readonly (abstract new (...args: never[]) => Error)[]) {
  return (error: unknown): undefined => {
    if (!kinds.some((kind) => error instanceof kind)) throw error;
    return undefined;
  };
}
