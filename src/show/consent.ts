import type { AppAccount, Contact } from "../model/consent.ts";
import { quoteName } from "../model/plain-text.ts";
import { joinRows } from "./csv.ts";
import { stringify } from "./json.ts";

const head = ["standing", "application", "why", "runs", "marks", "looked at", "acted on"];

/** A line an application, in columns. */
export function showAccounts(accounts: readonly AppAccount[]): string {
  if (accounts.length === 0) return "no application was seen yet";
  const rows = accounts.map((one) => [
    one.standing,
    quoteName(one.app),
    describeWhy(one),
    one.isRunning ? "yes" : "",
    one.markCount === 0 ? "" : String(one.markCount),
    describeContact(one.lookedAt),
    describeContact(one.actedOn),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const align = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return [head, ...rows].map((row) => align(row).trimEnd()).join("\n");
}

function describeWhy({ why, entry }: AppAccount): string {
  return entry === "" ? why : `${why}: ${quoteName(entry)}`;
}

/** To the minute; JSON and CSV have it whole. */
function describeContact(contact: Contact | undefined): string {
  return contact === undefined ? "" : `${contact.at.slice(0, 16).replace("T", " ")} by ${quoteName(contact.client)}`;
}

export function accountsToJson(accounts: readonly AppAccount[], isPretty: boolean): string {
  const list = accounts.map(({ app, standing, why, entry, isRunning, markCount, lookedAt, actedOn }) => ({
    app,
    standing,
    why,
    entry,
    running: isRunning,
    marks: markCount,
    lookedAt: lookedAt ?? null,
    actedOn: actedOn ?? null,
  }));
  return stringify(list, isPretty);
}

export function accountsToCsv(accounts: readonly AppAccount[]): string {
  const rows = accounts.map(({ app, standing, why, entry, isRunning, markCount, lookedAt, actedOn }) => [
    ...[app, standing, why, entry, String(isRunning), String(markCount)],
    ...[lookedAt?.at ?? "", lookedAt?.client ?? "", actedOn?.at ?? "", actedOn?.client ?? ""],
  ]);
  return joinRows("app,standing,why,entry,running,marks,lookedAt,lookedBy,actedAt,actedBy", rows);
}
