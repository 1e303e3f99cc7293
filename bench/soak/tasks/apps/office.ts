import type { Data } from "../data.ts";
import type { Plan } from "../task.ts";

type Cell = string | number;

const namespaces = ["office", "table", "text"]
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(" ");

function open(kind: "calc" | "writer", data: Data, file: string): Plan["open"] {
  return [
    "env",
    "SAL_USE_VCLPLUGIN=gtk3",
    "soffice",
    ...[`--${kind}`, "--norestore", "--nologo", "--nofirststartwizard"],
    `-env:UserInstallation=file://${data.path("profile")}`,
    data.path(file),
  ];
}

export const sheetFile = "sheet.fods";
export const letterFile = "letter.fodt";

/** Calc with a sheet of these rows. */
export function withSheet(data: Data, rows: readonly (readonly Cell[])[]): Pick<Plan, "files" | "open" | "title"> {
  const body = rows.map((row) => `<table:table-row>${row.map(makeCell).join("")}</table:table-row>`).join("");
  return {
    files: { [sheetFile]: wrap("spreadsheet", `<table:table table:name="First">${body}</table:table>`) },
    open: open("calc", data, sheetFile),
    title: sheetFile,
  };
}

function makeCell(cell: Cell): string {
  const type = typeof cell === "number" ? `"float" office:value="${cell}"` : '"string"';
  return `<table:table-cell office:value-type=${type}><text:p>${cell}</text:p></table:table-cell>`;
}

/** Writer with a document of these paragraphs. */
export function withLetter(data: Data, paragraphs: readonly string[]): Pick<Plan, "files" | "open" | "title"> {
  const body = paragraphs.map((text) => `<text:p>${text}</text:p>`).join("");
  return {
    files: { [letterFile]: wrap("text", body) },
    open: open("writer", data, letterFile),
    title: letterFile,
  };
}

function wrap(kind: "spreadsheet" | "text", body: string): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><office:document ${namespaces} office:version="1.2" ` +
    `office:mimetype="application/vnd.oasis.opendocument.${kind}"><office:body><office:${kind}>` +
    `${body}</office:${kind}></office:body></office:document>`
  );
}
