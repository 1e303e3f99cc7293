/** Enough for any outline that somebody draws around a control. */
export const maxPathLength = 20_000;

/** Commands, numbers and what stands between them; it begins with a place. One class of characters: no text makes it slow. */
const pathData = /^[\t\n\r ]*[Mm][MmLlHhVvCcSsQqTtAaZzEe0-9+\-.,\t\n\r ]*$/;

/** Whether a text is nothing but the commands and numbers of SVG's path data. */
export function isPathData(text: string): boolean {
  return text.length <= maxPathLength && pathData.test(text);
}
