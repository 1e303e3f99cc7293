import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TITLES = { changed: "changed", drawn: "only drawn", nothing: "nothing", unknown: "could not tell" };
const TRUTHS = Object.keys(TITLES);

// What was said of every action, by what the referee of the desktop tests saw of it (tests/referee), and the false verdicts.
export function readVerdicts(folder) {
  const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  const accused = reports.flatMap(({ file, accused }) => accused.map((words) => `${file}: ${words}`));
  const rows = new Map();
  for (const [said, counts] of reports.flatMap(({ table }) => Object.entries(table))) {
    const row = rows.get(said) ?? {};
    rows.set(said, Object.fromEntries(TRUTHS.map((truth) => [truth, (row[truth] ?? 0) + counts[truth]])));
  }
  return { lines: rows.size === 0 ? [] : showTable([...rows].toSorted(([, a], [, b]) => sum(b) - sum(a))), accused };
}

function showTable(rows) {
  const width = Math.max(...rows.map(([said]) => said.length));
  const show = ([said, cells]) => {
    const shown = TRUTHS.map((truth) => String(cells[truth]).padStart(TITLES[truth].length + 3));
    return `  ${said.padEnd(width)}${shown.join("")}`;
  };
  const actions = rows.reduce((total, [, cells]) => total + sum(cells), 0);
  return [`\nWhat was said of ${actions} actions, and what was true:`, ...[["said", TITLES], ...rows].map(show)];
}

function sum(cells) {
  return Object.values(cells).reduce((total, count) => total + count, 0);
}
