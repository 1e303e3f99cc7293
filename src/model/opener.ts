/** How something is opened: resolved before anything is started. */
export interface Opener {
  /** As given: an application name, a file or a URL. */
  readonly what: string;
  /** With a desktop entry, or any other program. */
  readonly kind: "application" | "program";
  readonly args: readonly string[];
  readonly path?: string | undefined;
  /** For display: the application "Mousepad" (mousepad.desktop). */
  readonly words: string;
  /** The program's full path and its arguments. */
  readonly command: readonly string[];
  /** Its working directory; the caller's by default. */
  readonly cwd?: string | undefined;
  readonly desktopId?: string | undefined;
  readonly names: readonly string[];
}
