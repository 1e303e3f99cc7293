/** The cell of a sheet, counted from 1. */
export interface Cell {
  readonly column: number;
  readonly row: number;
}

const letters = 26;

/** Sheets name their cells by column and row: B3. */
export function parseCell(name: string): Cell | undefined {
  const [, columns = "", row] = /^([A-Z]{1,3})([1-9]\d{0,6})$/.exec(name) ?? [];
  if (row === undefined) return undefined;
  const column = [...columns].reduce((sum, letter) => sum * letters + letter.charCodeAt(0) - 64, 0);
  return { column, row: Number(row) };
}

export function showCell({ column, row }: Cell): string {
  let name = "";
  for (let left = column; left > 0; left = Math.floor((left - 1) / letters)) {
    name = String.fromCharCode(65 + ((left - 1) % letters)) + name;
  }
  return `${name}${row}`;
}
