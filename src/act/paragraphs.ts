import { type Element, isParagraph, listWithPaths } from "../model/element.ts";
import type { WindowRead } from "../model/snapshot.ts";
import type { GatedDesktop } from "./desktop.ts";

interface Reading {
  readonly desktop: Pick<GatedDesktop, "platform">;
  readonly timeoutMs: number;
}

/**
 * In a document whose paragraphs are objects of their own, each typed line is another one. Returns what so many
 * neighbouring paragraphs hold together, the given one among them: which of them is the former one depends on the caret.
 */
export async function readLines(
  { desktop, timeoutMs }: Reading,
  reads: readonly WindowRead[],
  paragraph: Element,
  count: number,
): Promise<readonly string[]> {
  const siblings = listSiblings(reads, paragraph);
  const own = siblings.findIndex(({ handle }) => handle === paragraph.handle);
  const first = Math.max(0, own - count + 1);
  const texts = await Promise.all(
    siblings.slice(first, own + count).map(async (element) => {
      const read = await desktop.platform.readText({ element, start: 0, end: undefined, timeoutMs });
      return read.ok && read.value.end === read.value.length ? read.value.text : undefined;
    }),
  );
  return texts.flatMap((_, at) => {
    const lines = texts.slice(at, at + count).filter((line) => line !== undefined);
    return lines.length === count ? [lines.join("\n")] : [];
  });
}

function listSiblings(reads: readonly WindowRead[], { handle }: Element): readonly Element[] {
  const placed = reads.flatMap(({ root }) => listWithPaths(root)).find(({ element }) => element.handle === handle);
  return placed?.ancestors.at(-1)?.children.filter(isParagraph) ?? [];
}
