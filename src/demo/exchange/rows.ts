import { parseJson } from "../../model/caught.ts";

/** A row of a table, or an object in one of its cells. */
export type Row = Readonly<Record<string, unknown>>;

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** An object, also as text: SQLAlchemy keeps JSON so. */
export function readJson(value: unknown): Row {
  const given = typeof value === "string" ? parseJson(value) : value;
  return isRow(given) ? given : {};
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
