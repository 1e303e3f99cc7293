import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Cell = string | number | undefined;

/** LibreOffice Calc with a test sheet, an empty profile, and no start-up dialogs. */
export function prepareCalc(rows: readonly (readonly Cell[])[]): {
  command: readonly [string, ...string[]];
  remove(): void;
} {
  const directory = mkdtempSync(join(tmpdir(), "deskmap-calc-"));
  const file = join(directory, "sheet.fods");
  writeFileSync(file, makeSheet(rows));
  return {
    command: [
      "env",
      "SAL_USE_VCLPLUGIN=gtk3",
      "soffice",
      "--calc",
      "--norestore",
      "--nologo",
      "--nofirststartwizard",
      `-env:UserInstallation=file://${join(directory, "profile")}`,
      file,
    ],
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

const namespaces = ["office", "table", "text"].map(
  (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
);

function makeSheet(rows: readonly (readonly Cell[])[]): string {
  const body = rows.map((row) => `<table:table-row>${row.map(makeCell).join("")}</table:table-row>`).join("");
  return (
    `<?xml version="1.0" encoding="UTF-8"?><office:document ${namespaces.join(" ")} office:version="1.2" ` +
    'office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>' +
    `<table:table table:name="Fruit">${body}</table:table></office:spreadsheet></office:body></office:document>`
  );
}

function makeCell(cell: Cell): string {
  if (cell === undefined) return "<table:table-cell/>";
  const type = typeof cell === "number" ? `"float" office:value="${cell}"` : '"string"';
  return `<table:table-cell office:value-type=${type}><text:p>${cell}</text:p></table:table-cell>`;
}
