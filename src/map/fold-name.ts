/**
 * A label without what changes while it stays the same: case, a count in brackets, dots and colons at its end. A bare figure
 * is part of it: "Page 2" is not "Page 1".
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
