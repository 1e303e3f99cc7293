import * as z from "zod/mini";
import { readHead } from "../../../guard/audit/log-files.ts";
import { readLastEvents } from "../../../guard/audit/read.ts";
import { verifyLogInPieces } from "../../../guard/audit/verify.ts";
import { findPlaces } from "../../../guard/places.ts";
import { loadPolicy } from "../../../guard/policy/file.ts";
import { describeHolder } from "../../../guard/turn.ts";
import {
  type AuditPage,
  answerParams,
  auditParams,
  type LogRow,
  resumeParams,
  type Settings,
  type StopTold,
  unlockParams,
  type Verified,
} from "../../../inspector/activity.ts";
import { fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import { isInsideSandbox } from "../../../sandbox/inside.ts";
import { resumeAll, stopAll } from "../../stop-all.ts";
import { ActivityFeed, toRow } from "../activity-feed.ts";
import { attend, findAnswering } from "../answering.ts";
import { type Method, method, type PanelContext } from "../panel.ts";

const commandName = "deskmap inspect";
const pageRows = 50;

const attending = new WeakSet<PanelContext>();
const feeds = new WeakMap<PanelContext, ActivityFeed>();
const verifying = new WeakMap<PanelContext, AbortController>();

const nothing = z.object({});

export const activityMethods: readonly Method[] = [
  method("activity.attend", nothing, async (_params, context) => {
    if (!attending.has(context)) void attend(context);
    attending.add(context);
    return succeed(null);
  }),
  method("activity.follow", nothing, async (_params, context): Promise<Result<readonly LogRow[]>> => {
    const feed = feeds.get(context) ?? new ActivityFeed(context);
    feeds.set(context, feed);
    return succeed(await feed.readRecent());
  }),
  method("activity.answer", answerParams, async ({ nonce, digest, verdict }, context) =>
    toNull(findAnswering(context).answer(nonce, digest, verdict)),
  ),
  method("activity.unlock", unlockParams, async ({ pin }, context) => toNull(findAnswering(context).unlock(pin))),
  method("activity.stop", nothing, async (_params, { env }) => stopEverything(env)),
  method("activity.resume", resumeParams, async ({ pin }, context) => {
    const confirmed = findAnswering(context).confirm(pin);
    if (!confirmed.ok) return confirmed;
    const resumed = await resumeAll(context.env, commandName);
    return resumed.ok ? succeed(null) : resumed;
  }),
  method("activity.settings", nothing, (_params, { env }) => readSettings(env)),
  method("activity.audit", auditParams, async (query, { env }): Promise<Result<AuditPage>> => {
    const places = findPlaces(env);
    const { events, hasOlder } = await readLastEvents(places, { ...query, last: pageRows });
    return succeed({ rows: events.map(toRow), hasOlder, lines: readHead(places)?.n ?? 0 });
  }),
  method("activity.verify", nothing, (_params, context) => verify(context)),
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
