import * as z from "zod/mini";
import { type Forgetting, type Keeper, pruneMap } from "../../map/keep/keeper.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { quoteName } from "../../model/plain-text.ts";
import { forgetNamed, recordKeeping } from "../../server/keeping.ts";
import { flatForms, joinRows } from "../../show/csv.ts";
import type { DataOf, Forms } from "../../show/output.ts";
import { count } from "../../show/remembered.ts";
import { defineAnswer } from "../define.ts";
import { findAllApps, findApps, readNumber, withKeeper } from "./open.ts";

interface ForgetFlags {
  readonly id?: string;
  readonly app?: string;
  readonly taught?: string;
  readonly all?: boolean;
  readonly yes?: boolean;
}

const forgottenOutput = () => z.strictObject({ forgotten: z.number() });
const forgottenForms = flatForms<{ readonly forgotten: number }>(
  ({ forgotten }) => `forgotten: ${count(forgotten, "mark")}; the file was rewritten`,
);

export const forgetInMap = defineAnswer({
  name: "forget",
  summary: "Removes something from the map and rewrites its file.",
  description: "Exactly one of --id, --app, --taught and --all says what. Its numbers are never given out again.",
  options: [
    ["--id <mark>", "one control"],
    ["--app <name>", "everything of one application, by any of its names"],
    ["--taught <name>", "the controls that were taught by this name"],
    ["--all", "everything; only with --yes"],
    ["--yes", "confirm --all"],
  ],
  output: forgottenOutput,
  forms: forgottenForms,
  run: (flags: ForgetFlags) => forget(flags),
});

export const forgetOne = defineAnswer({
  name: "forget",
  summary: "Forget a control: by the name that it was taught, or by its mark.",
  description:
    "Its mark, its history and its name are gone, and the number is never given out again. `deskmap map forget` forgets " +
    "whole applications, or everything.",
  words: [["[name...]", ""]],
  options: [["--id <mark>", "the control with this mark"]],
  examples: ['deskmap forget "Save button"', "deskmap forget --id 42"],
  output: forgottenOutput,
  forms: forgottenForms,
  run: (flags: Pick<ForgetFlags, "id">, name) =>
    forget(name.length === 0 ? flags : { ...flags, taught: name.join(" ") }),
});

function forget(flags: ForgetFlags): Promise<Result<{ readonly forgotten: number }>> {
  return withKeeper((keeper) => {
    const what = chooseWhat(flags, keeper);
    if (!what.ok) return what;
    const done = forgetNamed(process.env, keeper, what.value);
    return done.ok ? succeed({ forgotten: done.value }) : done;
  });
}

function chooseWhat(flags: ForgetFlags, keeper: Keeper | undefined): Result<Forgetting> {
  const { id, app, taught, all, yes } = flags;
  const given = [id, app, taught, all].filter((one) => one !== undefined);
  const example = "deskmap map forget --id 42, --app NAME, --taught NAME, or --all --yes";
  if (given.length === 0) return fail(describeUsage("forget needs one of --id, --app, --taught and --all", example));
  if (given.length > 1) return fail(describeUsage("forget takes one of --id, --app, --taught and --all", example));
  if (id !== undefined) {
    const mark = readNumber("--id", id, Number.MAX_SAFE_INTEGER);
    return mark.ok ? succeed({ by: "mark", mark: mark.value }) : mark;
  }
  if (app !== undefined) {
    const apps = findApps(keeper, app);
    return apps.ok ? succeed({ by: "apps", apps: apps.value }) : apps;
  }
  if (taught !== undefined) return succeed({ by: "taught", name: taught });
  if (yes === true) return succeed({ by: "all" });
  const marks = keeper?.count({}) ?? 0;
  return fail(describeUsage(`everything would be forgotten: ${marks} marks`, "deskmap map forget --all --yes"));
}

const defaultDays = 180;

const prunedOutput = () =>
  z.strictObject({
    dropped: z.strictObject({ targets: z.number(), places: z.number(), evidence: z.number(), objects: z.number() }),
    kept: z.number(),
    bytesBefore: z.number(),
    bytesAfter: z.number(),
  });

interface Pruned extends DataOf<typeof prunedOutput> {
  readonly days: number;
  readonly keptApps: readonly string[];
}

const prunedForms: Forms<Pruned, DataOf<typeof prunedOutput>> = {
  data: ({ dropped, kept, bytesBefore, bytesAfter }) => ({ dropped, kept, bytesBefore, bytesAfter }),
  text({ dropped: { targets, places, evidence, objects }, kept, bytesBefore, bytesAfter, days, keptApps }) {
    const spared = keptApps.length === 0 ? "" : `, and all of ${keptApps.map(quoteName).join(", ")}`;
    return [
      `${targets} controls were not seen for ${days} days, never used and not taught: dropped`,
      `with them ${places} containers, ${evidence} observations and ${objects} object ids of ended processes`,
      `${kept} controls are kept${spared}; ${bytesBefore} bytes before, ${bytesAfter} now`,
    ].join("\n");
  },
  csv: ({ dropped, kept, bytesBefore, bytesAfter }) =>
    joinRows("dropped,kept,bytesBefore,bytesAfter", [[dropped.targets, kept, bytesBefore, bytesAfter].map(String)]),
};

export const prune = defineAnswer({
  name: "prune",
  summary: "Drops what has not been seen for a long time, was never used and was not taught, and shrinks the file.",
  options: [
    ["--days <n>", "not seen for so many days (180)"],
    ["--keep <app...>", "keep everything of these applications"],
  ],
  output: prunedOutput,
  forms: prunedForms,
  encloses: () => true,
  run: (flags: { readonly days?: string; readonly keep?: readonly string[] }) =>
    withKeeper((keeper): Result<Pruned> => {
      const days = flags.days === undefined ? succeed(defaultDays) : readNumber("--days", flags.days, 36_500);
      if (!days.ok) return days;
      const keptApps = findAllApps(keeper, flags.keep ?? []);
      if (!keptApps.ok) return keptApps;
      const written = recordKeeping(process.env, [], `pruned: not seen for ${days.value} days`);
      if (!written.ok) return written;
      const done = pruneMap(process.env, { days: days.value, keepApps: keptApps.value, nowMs: Date.now() });
      if (!done.ok) return done;
      const { pruned: dropped, bytesBefore, bytesAfter } = done.value;
      const kept = keeper?.count({}) ?? 0;
      return succeed({ dropped, kept, bytesBefore, bytesAfter, days: days.value, keptApps: keptApps.value });
    }),
});
