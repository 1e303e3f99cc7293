import { type Cell, parseCell, showCell } from "../model/cell-address.ts";
import { type Element, flatten } from "../model/element.ts";
import { quote } from "../model/observed.ts";
import { listElements } from "../model/snapshot.ts";
import type { Comparison, Seen } from "./compare.ts";
import { isInserted, isSameValue } from "./compare-text.ts";
import { confirm, type Judge } from "./judge.ts";

/** How many cells with other content are reported. */
const maxTold = 3;

/** The cell of a sheet that typed text goes to: the element itself, or the focused one in it. */
export function findCell(element: Element): Cell | undefined {
  const cells = flatten([element]).filter(({ role }) => role === "cell");
  const current = element.role === "cell" ? element : cells.find(({ states }) => states.has("focused"));
  return current && parseCell(current.name);
}

interface Entry {
  readonly address: string;
  readonly text: string;
  /** Whether it is still being written: neither Tab nor Return followed. */
  readonly isOpen: boolean;
}

/** Tab goes to the next column, Return to the next row, in the column where the row began. */
export function spreadOverCells({ column, row }: Cell, typed: string): readonly Entry[] {
  const lines = typed.split("\n").map((line) => line.split("\t"));
  return lines
    .flatMap((parts, down) =>
      parts.map((text, right) => ({
        address: showCell({ column: column + right, row: row + down }),
        text,
        isOpen: down === lines.length - 1 && right === parts.length - 1,
      })),
    )
    .filter(({ text }) => text !== "");
}

/**
 * Compares what was typed with what the cells hold, and the end of it with the cell's editor if neither Tab nor Return
 * followed: nothing of that is in the cell. Of a formula a cell shows the result; an error may be reported neither as a
 * text nor by an event, so that the former text of the cell is no evidence.
 */
export function judgeCells(start: Cell, typed: string): Judge {
  const entries = spreadOverCells(start, typed);
  const closed = entries.filter(({ isOpen }) => !isOpen);
  return ({ before, after, comparison }) => {
    const [former, held] = [listCells(before), listCells(after)];
    const isHeld = ({ address, text }: Entry): boolean => {
      const value = held.get(address) ?? "";
      return isFormula(text)
        ? !["", text, former.get(address)].includes(value) && !isError(value)
        : isSameValue(value, text);
    };
    if (comparison.changed.length === 0 && comparison.appeared.length === 0) return undefined;
    const other = entries.filter((one) => (one.isOpen ? !isInEditor(one.text, comparison) : !isHeld(one)));
    if (other.length > 0) {
      const told = other.map(({ address, text }) => {
        const value = held.get(address) ?? "";
        const verb = isFormula(text) && value === former.get(address) ? "still shows" : "holds";
        return `${address} ${value === "" ? "shows nothing" : `${verb} ${quote(value)}`}, where ${quote(text)} was typed`;
      });
      return { verdict: "partial", evidence: told.slice(0, maxTold) };
    }
    const count = closed.length === 1 ? "the cell holds" : `${closed.length} cells hold`;
    const results = closed.filter(({ text }) => isFormula(text)).map(({ address }) => [address, held.get(address)]);
    return confirm(
      ...(closed.length === 0 ? [] : [`${count} what was typed`]),
      ...results.slice(0, maxTold).map(([address, value]) => `${address} shows ${value}`),
      ...entries.filter(({ isOpen }) => isOpen).map(({ address }) => describeOpen(address)),
    );
  };
}

function describeOpen(address: string): string {
  return `the editor of ${address} holds what was typed: Return puts it into the cell, Escape discards it`;
}

/** The editor of a cell is a text beside the cells; it appears with the first key. */
function isInEditor(text: string, { appeared, changed }: Comparison): boolean {
  const isNew = flatten(appeared).some(({ role, name, value }) => role !== "cell" && [name, value].includes(text));
  const isAdded = changed.some(({ element: { role }, differences }) => {
    return role === "text" && differences.some((one) => isInserted(one.before, one.after, text));
  });
  return isNew || isAdded;
}

function listCells({ snapshot }: Seen): Map<string, string> {
  const cells = listElements(snapshot.windows).filter(({ role }) => role === "cell");
  return new Map(cells.map(({ name, value }) => [name, value]));
}

function isFormula(text: string): boolean {
  return text.startsWith("=");
}

/** Results such as #DIV/0!, #REF! and Err:502. */
function isError(value: string): boolean {
  return /^(?:#|Err:)/.test(value);
}
