export interface ProgramEnd {
  /** "exit code 1", or the name of a signal. */
  readonly how: string;
  /** Whether it may still show a window: it gave its work to a process that it started, or that already ran. */
  readonly isHandedOver: boolean;
  /** Exit code 0. */
  readonly isSuccess: boolean;
  /** The last line of its standard error. */
  readonly lastLine: string;
}
