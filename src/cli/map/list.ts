import { nearest } from "../../find/nearest.ts";
import type { TargetQuery } from "../../map/keep/keeper.ts";
import { type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { quoteName, quoteText } from "../../model/plain-text.ts";
import { type Role, roleNames, rolesNamed } from "../../model/role.ts";
import { joinRows } from "../../show/csv.ts";
import { stringify } from "../../show/json.ts";
import { type Described, describeTarget } from "../../show/remembered.ts";
import { frame } from "../output.ts";
import { answer, type Forms } from "../report.ts";
import { usage } from "../usage.ts";
import { alignRows } from "./describe.ts";
import { type FormatFlags, findApps, readNumber, withKeeper } from "./open.ts";

interface Flags extends FormatFlags {
  readonly app?: string;
  readonly role?: string;
  readonly limit?: string;
}

const shownAtFirst = 50;
const maxCell = 40;

export async function runList(flags: Flags): Promise<void> {
  await answer(flags.format, () =>
    withKeeper((keeper): { forms: Forms } | Failure => {
      const limit = flags.limit === undefined ? succeed(shownAtFirst) : readNumber("--limit", flags.limit);
      if (!limit.ok) return limit.failure;
      const roles = readRole(flags.role);
      if (!roles.ok) return roles.failure;
      const apps = flags.app === undefined ? succeed(undefined) : findApps(keeper, flags.app);
      if (!apps.ok) return apps.failure;
      const wish: TargetQuery = { apps: apps.value, roles: roles.value };
      const targets = (keeper?.list({ ...wish, limit: limit.value }) ?? []).map(describeTarget);
      const leftOut = (keeper?.count(wish) ?? 0) - targets.length;
      return { forms: render(targets, leftOut, flags.pretty === true) };
    }),
  );
}

function readRole(given: string | undefined): Result<ReadonlySet<Role> | undefined> {
  if (given === undefined) return succeed(undefined);
  const roles = rolesNamed(given);
  if (roles.length > 0) return succeed(new Set(roles));
  const wrong = usage(`no role is called ${JSON.stringify(given)}`, "--role button");
  return fail({ ...wrong, nearest: nearest(given, roleNames()) });
}

function render(targets: readonly Described[], leftOut: number, isPretty: boolean): Forms {
  return {
    text: () => frame(showList(targets, leftOut), 1),
    json: () => stringify({ targets, leftOut }, isPretty),
    csv: () => joinRows(columns.join(","), targets.map(cellsOf)),
  };
}

const columns = ["id", "role", "label", "app", "window", "confidence", "hits", "misses", "lastSeen", "source"] as const;

function cellsOf(target: Described): string[] {
  return columns.map((column) => String(target[column]));
}

function showList(targets: readonly Described[], leftOut: number): string {
  if (targets.length === 0) return "nothing is remembered";
  const head = ["mark", "role", "label", "application", "window", "confidence", "hits/misses", "last seen", "source"];
  const rows = targets.map((one) => [
    String(one.id),
    one.role,
    `${quoteText(one.label, maxCell)}${one.taught === "" ? "" : " taught"}`,
    quoteName(one.app),
    quoteText(one.window, maxCell),
    one.confidence.toFixed(2),
    `${one.hits}/${one.misses}`,
    showLocalTime(Date.parse(one.lastSeen)).slice(0, 16),
    one.source,
  ]);
  const more = leftOut === 0 ? [] : [`${leftOut} more: --limit ${targets.length + leftOut} shows all`];
  return [alignRows([head, ...rows]), ...more].join("\n");
}
