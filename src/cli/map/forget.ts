import type { Forgetting, Keeper } from "../../map/keep/keeper.ts";
import { pruneMap } from "../../map/keep/keeper.ts";
import { type Failure, fail, type Result, succeed } from "../../model/failure.ts";
import { quoteName } from "../../model/plain-text.ts";
import { forgetNamed, recordKeeping } from "../../server/keeping.ts";
import { joinRows } from "../../show/csv.ts";
import { frame } from "../output.ts";
import { answer, type Forms } from "../report.ts";
import { usage } from "../usage.ts";
import { type FormatFlags, findApps, readNumber, withKeeper } from "./open.ts";

interface ForgetFlags extends FormatFlags {
  readonly id?: string;
  readonly app?: string;
  readonly taught?: string;
  readonly all?: boolean;
  readonly yes?: boolean;
}

export async function runForget(flags: ForgetFlags): Promise<void> {
  await answer(flags.format, () =>
    withKeeper((keeper): { forms: Forms } | Failure => {
      const what = chooseWhat(flags, keeper);
      if (!what.ok) return what.failure;
      const done = forgetNamed(process.env, keeper, what.value);
      if (!done.ok) return done.failure;
      const count = done.value;
      return {
        forms: {
          text: () => `forgotten: ${count} ${count === 1 ? "mark" : "marks"}; the file was written anew`,
          json: () => JSON.stringify({ forgotten: count }),
          csv: () => joinRows("forgotten", [[String(count)]]),
        },
      };
    }),
  );
}

function chooseWhat(flags: ForgetFlags, keeper: Keeper | undefined): Result<Forgetting> {
  const { id, app, taught, all, yes } = flags;
  const given = [id, app, taught, all].filter((one) => one !== undefined);
  const example = "deskmap map forget --id 42, --app NAME, --taught NAME, or --all --yes";
  if (given.length === 0) return fail(usage("forget needs to know what", example));
  if (given.length > 1) return fail(usage("forget takes one of --id, --app, --taught and --all", example));
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
  const count = keeper?.count({}) ?? 0;
  return fail(usage(`everything would be forgotten: ${count} marks`, "deskmap map forget --all --yes"));
}

interface PruneFlags extends FormatFlags {
  readonly days?: string;
  readonly keep?: readonly string[];
}

const defaultDays = 180;

export async function runPrune(flags: PruneFlags): Promise<void> {
  await answer(flags.format, () =>
    withKeeper((keeper): { forms: Forms } | Failure => {
      const days = flags.days === undefined ? succeed(defaultDays) : readNumber("--days", flags.days, 36_500);
      if (!days.ok) return days.failure;
      const kept = (flags.keep ?? []).map((name) => findApps(keeper, name));
      const [wrong] = kept.flatMap((one) => (one.ok ? [] : [one.failure]));
      if (wrong !== undefined) return wrong;
      const keepApps = kept.flatMap((one) => (one.ok ? one.value : []));
      const written = recordKeeping(process.env, [], `pruned: not seen for ${days.value} days`);
      if (!written.ok) return written.failure;
      const done = pruneMap(process.env, { days: days.value, keepApps, nowMs: Date.now() });
      if (!done.ok) return done.failure;
      const { pruned, bytesBefore, bytesAfter } = done.value;
      const left = keeper?.count({}) ?? 0;
      const { targets, places, evidence, objects } = pruned;
      const spared = keepApps.length === 0 ? "" : `, and all of ${keepApps.map(quoteName).join(", ")}`;
      return {
        forms: {
          text: () =>
            frame(
              [
                `${targets} controls were not seen for ${days.value} days, never used and not taught: dropped`,
                `with them ${places} containers, ${evidence} looks and ${objects} traces of objects of ended runs`,
                `${left} controls are kept${spared}; ${bytesBefore} bytes before, ${bytesAfter} now`,
              ].join("\n"),
              1,
            ),
          json: () => JSON.stringify({ dropped: pruned, kept: left, bytesBefore, bytesAfter }),
          csv: () =>
            joinRows("dropped,kept,bytesBefore,bytesAfter", [[targets, left, bytesBefore, bytesAfter].map(String)]),
        },
      };
    }),
  );
}
