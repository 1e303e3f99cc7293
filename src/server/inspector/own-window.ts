import type { ChangeLine } from "../../model/change-line.ts";

/**
 * Leaves out the browser window that shows the page: it changes whenever the page tells of a change, which would be told again
 * without end. It is known by its title, which has a word of its own.
 */
export class OwnWindow {
  private readonly own = new Set<number>();

  constructor(private readonly title: string) {}

  /** What is left, and whether a window has become another's whose content was left out before. */
  take(lines: readonly ChangeLine[]): { readonly lines: readonly ChangeLine[]; readonly isMissingSome: boolean } {
    let isMissingSome = false;
    const left = lines.flatMap((line): readonly ChangeLine[] => {
      if (line.kind === "start") this.own.clear();
      if (!("window" in line)) return [line];
      const wasOwn = this.own.has(line.window);
      if (line.kind !== "window") return wasOwn ? [] : [line];
      const isOwn = line.title.includes(this.title) && line.what !== "closed";
      if (isOwn) this.own.add(line.window);
      else this.own.delete(line.window);
      isMissingSome ||= wasOwn && !isOwn && line.what !== "closed";
      if (isOwn && !wasOwn && line.what !== "opened") return [{ ...line, what: "closed" }];
      return isOwn || wasOwn ? [] : [line];
    });
    return { lines: left, isMissingSome };
  }
}
