/**
 * A label without the parts that change on the same control: case, a count in brackets, trailing dots and colons. A
 * bare number stays: "Page 2" is not "Page 1".
 */
export function foldName(name: string): string {
  const folded = name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[([]\s*\d[\d.,]*\s*[)\]]/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  const bare = folded.replace(/[.:*\s…]+$/, "");
  return bare || folded || name;
}
