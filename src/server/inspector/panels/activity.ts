import * as z from "zod/mini";
import { readHead } from "../../../guard/audit/log-files.ts";
import { readLastEvents } from "../../../guard/audit/read.ts";
import { verifyLogInPieces } from "../../../guard/audit/verify.ts";
import { findPlaces } from "../../../guard/places.ts";
import { loadPolicy } from "../../../guard/policy/file.ts";
import { describeHolder } from "../../../guard/turn.ts";
import type { AuditPage, LogRow, Settings, StopTold, Verified } from "../../../inspector/activity.ts";
import { fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import { isInsideSandbox } from "../../../sandbox/inside.ts";
import { resumeAll, stopAll } from "../../stop-all.ts";
import { ActivityFeed, toRow } from "../activity-feed.ts";
import { attend, findAnswering } from "../answering.ts";
import { defineMethod, type Method, type PanelContext } from "../panel.ts";

/** The name in the log of stops and resumes by the page. */
const commandName = "deskmap inspect";
const pageRows = 50;
const mostPinLength = 200;
const mostNameLength = 200;

const attending = new WeakSet<PanelContext>();
const feeds = new WeakMap<PanelContext, ActivityFeed>();
const verifying = new WeakMap<PanelContext, AbortController>();

const nothing = z.object({});
const optionalName = z.optional(z.string().check(z.maxLength(mostNameLength)));

export const activityMethods: readonly Method[] = [
  defineMethod({
    name: "activity.attend",
    params: nothing,
    async run(_params, context) {
      if (!attending.has(context)) void attend(context);
      attending.add(context);
      return succeed(null);
    },
  }),
  defineMethod({
    name: "activity.follow",
    params: nothing,
    async run(_params, context): Promise<Result<readonly LogRow[]>> {
      const feed = feeds.get(context) ?? new ActivityFeed(context);
      feeds.set(context, feed);
      return succeed(await feed.readRecent());
    },
  }),
  defineMethod({
    name: "activity.answer",
    params: z.object({ nonce: z.string(), digest: z.string(), verdict: z.enum(["yes", "no"]) }),
    run: async ({ nonce, digest, verdict }, context) => toNull(findAnswering(context).answer(nonce, digest, verdict)),
  }),
  defineMethod({
    name: "activity.unlock",
    params: z.object({ pin: z.string().check(z.maxLength(mostPinLength)) }),
    run: async ({ pin }, context) => toNull(findAnswering(context).unlock(pin)),
  }),
  defineMethod({
    name: "activity.stop",
    params: nothing,
    run: async (_params, { env }) => stopEverything(env),
  }),
  defineMethod({
    name: "activity.resume",
    params: z.object({ pin: z.optional(z.string().check(z.maxLength(mostPinLength))) }),
    async run({ pin }, context) {
      const confirmed = findAnswering(context).confirm(pin);
      if (!confirmed.ok) return confirmed;
      const resumed = await resumeAll(context.env, commandName);
      return resumed.ok ? succeed(null) : resumed;
    },
  }),
  defineMethod({
    name: "activity.settings",
    params: nothing,
    run: (_params, { env }) => readSettings(env),
  }),
  defineMethod({
    name: "activity.audit",
    params: z.object({ before: z.optional(z.int()), client: optionalName, app: optionalName, tool: optionalName }),
    async run(query, { env }): Promise<Result<AuditPage>> {
      const places = findPlaces(env);
      const { events, hasOlder } = await readLastEvents(places, { ...query, last: pageRows });
      return succeed({ rows: events.map(toRow), hasOlder, lines: readHead(places)?.n ?? 0 });
    },
  }),
  defineMethod({
    name: "activity.verify",
    params: nothing,
    run: (_params, context) => verify(context),
  }),
];

function toNull(result: Result<void>): Result<null> {
  return result.ok ? succeed(null) : result;
}

async function readSettings(env: PanelContext["env"]): Promise<Result<Settings>> {
  const loaded = await loadPolicy(findPlaces(env), isInsideSandbox(env));
  if (!loaded.ok) return loaded;
  const { common, written } = loaded.value;
  const parts = written?.clients ?? [];
  const rules = [...common.rules, ...parts.flatMap((part) => part.rules)];
  return succeed({
    sensitive: common.sensitive,
    asksElse: rules.some(({ decision }) => decision === "ask") || parts.some(({ sensitive }) => sensitive === "ask"),
    hasHotkey: common.hasHotkey,
  });
}

async function stopEverything(env: PanelContext["env"]): Promise<Result<StopTold>> {
  const desktops = await stopAll(env, commandName);
  const failed = desktops.find(({ result }) => !result.ok)?.result;
  if (failed !== undefined && !failed.ok) return failed;
  const stopped = desktops.flatMap(({ result }) => (result.ok ? [result.value] : []));
  return succeed({
    interrupted: stopped.flatMap(({ interrupted }) => interrupted.map((held) => describeHolder(held))),
    isReleased: stopped.every(({ isReleased }) => isReleased),
  });
}

/** A second verification by the same page cancels the first. */
async function verify(context: PanelContext): Promise<Result<Verified>> {
  verifying.get(context)?.abort();
  const own = new AbortController();
  verifying.set(context, own);
  const report = (progress: { readonly done: number; readonly total: number }): void =>
    void context.push("activity.verifying", progress);
  const signal = AbortSignal.any([own.signal, context.signal]);
  const verified = await verifyLogInPieces(findPlaces(context.env), report, signal);
  if (verified === undefined) return fail(makeFailure("CANCELLED", "it was begun anew"));
  return succeed({ isWhole: verified.findingCount === 0, ...verified });
}
