/** How something is opened: what `open` found out before it starts anything. */
export interface Opener {
  /** As it was asked for: an application's name, a file or an address. */
  readonly what: string;
  /** One that has a desktop entry, or any other program. */
  readonly kind: "application" | "program";
  /** The words that go to it besides its own. */
  readonly args: readonly string[];
  /** The file that it opens. */
  readonly path?: string | undefined;
  /** In words: the application "Mousepad" (mousepad.desktop). */
  readonly words: string;
  /** The program, by its full path, and its arguments. */
  readonly command: readonly string[];
  /** Where it starts; the caller's own folder when nothing is said. */
  readonly cwd?: string | undefined;
  /** The id of its desktop file, where it has one. */
  readonly desktopId?: string | undefined;
  /** The names, in small letters, that its windows may bear. */
  readonly names: readonly string[];
}
