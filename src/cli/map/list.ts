import * as z from "zod/mini";
import { nearest } from "../../find/nearest.ts";
import type { TargetQuery } from "../../map/keep/keeper.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { quoteName, quoteText } from "../../model/plain-text.ts";
import { type Role, roleNames, rolesNamed } from "../../model/role.ts";
import { joinRows } from "../../show/csv.ts";
import type { DataOf } from "../../show/output.ts";
import { describedOutput, describeTarget } from "../../show/remembered.ts";
import { alignRows } from "../../show/text.ts";
import { defineAnswer } from "../define.ts";
import { findApps, readNumber, withKeeper } from "./open.ts";

const shownAtFirst = 50;
const maxCell = 40;

const listOutput = () => z.strictObject({ targets: z.array(describedOutput()), leftOut: z.number() });
type Remembered = DataOf<typeof listOutput>;

export const list = defineAnswer({
  name: "list",
  summary: "The controls that are remembered, best known first.",
  options: [
    ["--app <name>", "only of this application, by any of its names"],
    ["--role <role>", "only of this role, such as button or input"],
    ["--limit <n>", "at most so many (50)"],
  ],
  output: listOutput,
  forms: {
    data: (found: Remembered) => found,
    text: showList,
    csv({ targets }) {
      const rows = targets.map((target) => columns.map((column) => String(target[column])));
      return joinRows(columns.join(","), rows);
    },
  },
  encloses: () => true,
  run: (flags: { readonly app?: string; readonly role?: string; readonly limit?: string }) =>
    withKeeper((keeper): Result<Remembered> => {
      const limit = flags.limit === undefined ? succeed(shownAtFirst) : readNumber("--limit", flags.limit);
      if (!limit.ok) return limit;
      const roles = readRole(flags.role);
      if (!roles.ok) return roles;
      const apps = flags.app === undefined ? succeed(undefined) : findApps(keeper, flags.app);
      if (!apps.ok) return apps;
      const query: TargetQuery = { apps: apps.value, roles: roles.value };
      const targets = (keeper?.list({ ...query, limit: limit.value }) ?? []).map(describeTarget);
      return succeed({ targets, leftOut: (keeper?.count(query) ?? 0) - targets.length });
    }),
});

function readRole(given: string | undefined): Result<ReadonlySet<Role> | undefined> {
  if (given === undefined) return succeed(undefined);
  const roles = rolesNamed(given);
  if (roles.length > 0) return succeed(new Set(roles));
  const wrong = describeUsage(`no role is called ${JSON.stringify(given)}`, "--role button");
  return fail({ ...wrong, nearest: nearest(given, roleNames()) });
}

const columns = ["id", "role", "label", "app", "window", "confidence", "hits", "misses", "lastSeen", "source"] as const;

function showList({ targets, leftOut }: Remembered): string {
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
