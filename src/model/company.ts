/** How whoever asked goes along with a call. */
export interface Company {
  /** Ends it: nothing more is looked at, and nothing that has not been delivered yet is. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((done: number, total: number | undefined, words: string) => void) | undefined;
}
