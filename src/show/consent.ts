import * as z from "zod/mini";
import type { AppAccount, Contact } from "../model/consent.ts";
import { quoteName } from "../model/plain-text.ts";
import { joinRows } from "./csv.ts";
import type { DataOf, Forms } from "./output.ts";
import { alignRows } from "./text.ts";

const head = ["standing", "application", "why", "runs", "marks", "looked at", "acted on"];

function showAccounts(accounts: readonly AppAccount[]): string {
  if (accounts.length === 0) return "no application was seen yet";
  const rows = accounts.map((one) => [
    one.standing,
    quoteName(one.app),
    one.entry === "" ? one.why : `${one.why}: ${quoteName(one.entry)}`,
    one.isRunning ? "yes" : "",
    one.markCount === 0 ? "" : String(one.markCount),
    describeContact(one.lookedAt),
    describeContact(one.actedOn),
  ]);
  return alignRows([head, ...rows]);
}

/** To the minute; JSON and CSV have the full time. */
function describeContact(contact: Contact | undefined): string {
  return contact === undefined
    ? ""
    : `${contact.at.slice(0, 16).replace("T", " ")} by ${quoteName(contact.client)} (${contact.named ?? "claimed"})`;
}

/** All applications, or those whose standing was changed by this command. */
export type AppsValue =
  | { readonly accounts: readonly AppAccount[] }
  | ({ readonly order: string } & DataOf<typeof changedOutput>);

const accountsOutput = () => {
  const contact = z.nullable(z.strictObject({ at: z.string(), client: z.string(), named: z.optional(z.string()) }));
  return z.array(
    z.strictObject({
      app: z.string(),
      standing: z.string(),
      why: z.string(),
      entry: z.string(),
      running: z.boolean(),
      marks: z.number(),
      lookedAt: contact,
      actedOn: contact,
    }),
  );
};

const changedOutput = () =>
  z.strictObject({
    // `because` is the other name of the application that keeps it stricter than requested.
    apps: z.array(z.strictObject({ app: z.string(), standing: z.string(), because: z.string() })),
    forgotten: z.number(),
  });

export const appsOutput = () => z.union([accountsOutput(), changedOutput()]);

export const appsForms: Forms<AppsValue, DataOf<typeof appsOutput>> = {
  data(value) {
    if (!("accounts" in value)) return { apps: value.apps, forgotten: value.forgotten };
    return value.accounts.map(({ app, standing, why, entry, isRunning, markCount, lookedAt, actedOn }) => ({
      app,
      standing,
      why,
      entry,
      running: isRunning,
      marks: markCount,
      lookedAt: lookedAt ?? null,
      actedOn: actedOn ?? null,
    }));
  },
  text(value) {
    if ("accounts" in value) return showAccounts(value.accounts);
    const { order, apps, forgotten } = value;
    const lines = apps.map(({ app, standing, because }) => {
      const hint =
        because === "" ? "" : `, since it is also ${because}: deskmap apps ${order} ${JSON.stringify(because)}`;
      return `${app} is ${standing}${hint}`;
    });
    const more = forgotten === 0 ? [] : [`forgotten: ${forgotten} ${forgotten === 1 ? "mark" : "marks"}`];
    return [...lines, ...more].join("\n");
  },
  csv(value) {
    if ("accounts" in value) return accountsToCsv(value.accounts);
    const rows = value.apps.map(({ app, standing, because }) => [app, standing, because]);
    return joinRows("app,standing,because", rows);
  },
};

function accountsToCsv(accounts: readonly AppAccount[]): string {
  const rows = accounts.map(({ app, standing, why, entry, isRunning, markCount, lookedAt, actedOn }) => [
    ...[app, standing, why, entry, String(isRunning), String(markCount)],
    ...[lookedAt?.at ?? "", lookedAt?.client ?? "", actedOn?.at ?? "", actedOn?.client ?? ""],
  ]);
  return joinRows("app,standing,why,entry,running,marks,lookedAt,lookedBy,actedAt,actedBy", rows);
}
