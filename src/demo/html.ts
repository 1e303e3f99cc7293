const marks: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** For HTML and XML: every text of a demo is data, also one that looks like markup. XML has no control characters. */
export function escapeMarkup(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => marks[one] ?? "").replaceAll(/[^\P{Cc}\n\t]|[\ufffe\uffff]/gu, "");
}

/** How every page begins. */
export const pageStart = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
`;

/** A page without scripts, which loads nothing. */
export function makePage(title: string, body: string): string {
  return `${pageStart}<meta name="viewport" content="width=device-width">
<title>${escapeMarkup(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem; border-bottom: 1px solid #bbb; }
img { display: block; max-width: 100%; height: auto; border: 1px solid #bbb; }
</style>
</head>
<body>
<h1>${escapeMarkup(title)}</h1>
${body}
</body>
</html>
`;
}

/** A picture in a table, which is part of the page. */
export interface Cell {
  readonly address: string;
  readonly says: string;
}

/** A table with a heading; cells are texts or pictures. */
export function makeTable(head: readonly string[], rows: readonly (readonly (string | Cell)[])[]): string {
  const heading = head.map((cell) => `<th scope="col">${escapeMarkup(cell)}</th>`).join("");
  const body = rows.map((row) => `<tr>${row.map((cell) => `<td>${makeCell(cell)}</td>`).join("")}</tr>`).join("\n");
  return `<table>\n<thead><tr>${heading}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table>`;
}

function makeCell(cell: string | Cell): string {
  if (typeof cell === "string") return escapeMarkup(cell);
  return `<img src="${escapeMarkup(cell.address)}" alt="${escapeMarkup(cell.says)}">`;
}
