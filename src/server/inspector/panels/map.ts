import * as z from "zod/mini";
import { markParams } from "../../../inspector/element.ts";
import {
  forgetParams,
  type KnownApp,
  type KnownTargets,
  type TargetHistory,
  type Taught,
  targetParams,
  teachParams,
} from "../../../inspector/map.ts";
import type { Keeper } from "../../../map/keep/keeper.ts";
import { fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import { judgeConfidence } from "../../../model/target.ts";
import { describeTarget, explainConfidence, roundShare } from "../../../show/remembered.ts";
import { forgetNamed, keepMap } from "../../keeping.ts";
import { findStop } from "../../stop-all.ts";
import { inspectorClient } from "../keep-host.ts";
import { type Method, method } from "../panel.ts";

const maxTargets = 2000;
/** How often a shared map is synchronised, since the page asks with every click. */
const restMs = 60_000;

/** What is remembered, for the person whose map it is: to see, to teach, to forget. */
export const mapMethods: readonly Method[] = [
  method("map.apps", z.object({}), (_, { env }) => keep(env, (keeper) => succeed(listApps(keeper)))),
  method("map.targets", targetParams, ({ app, words = "" }, { env }) =>
    keep(env, (keeper) => succeed(listTargets(keeper, app, words))),
  ),
  method("map.history", markParams, (params, { env }) => keep(env, (keeper) => readHistory(keeper, params.mark))),
  method("map.teach", teachParams, async (params, { host, env }): Promise<Result<Taught>> => {
    const stopped = findStop(env);
    if (stopped !== undefined) return fail(stopped);
    const input = "mark" in params ? { name: params.name, id: params.mark } : params;
    const reply = await host.call({ tool: "teach", input, formats: ["data"] });
    if (reply.failure !== undefined) return fail(reply.failure);
    const { targetId, place } = reply.data ?? {};
    return succeed({ mark: Number(targetId), isPlace: place === true });
  }),
  method("map.forget", forgetParams, (params, { env }) =>
    keep(env, (keeper) => {
      const what =
        "mark" in params ? ({ by: "mark", mark: params.mark } as const) : ({ by: "apps", apps: [params.app] } as const);
      const done = forgetNamed(env, keeper, what, inspectorClient);
      return done.ok ? succeed({ forgotten: done.value }) : done;
    }),
  ),
];

type Env = Parameters<typeof keepMap>[0];

/** Drops remarks about the server of a shared map, for which the panel has no place; `deskmap doctor` reports them. */
async function keep<T>(env: Env, work: (keeper: Keeper | undefined) => Result<T>): Promise<Result<T>> {
  const stopped = findStop(env);
  return stopped === undefined ? keepMap(env, () => {}, work, restMs) : fail(stopped);
}

function listApps(keeper: Keeper | undefined): KnownApp[] {
  if (keeper === undefined) return [];
  const counts = keeper.store.countByApplication();
  const apps = [...keeper.listApps()].map(([app, names]) => ({
    app,
    names: names.filter((name) => name !== app.toLowerCase()),
    count: counts.get(app) ?? 0,
  }));
  return apps.filter(({ count }) => count > 0).sort((a, b) => a.app.localeCompare(b.app));
}

function listTargets(keeper: Keeper | undefined, app: string, words: string): KnownTargets {
  if (keeper === undefined) return { targets: [], leftOut: 0 };
  if (words.trim() === "") {
    const targets = keeper.list({ apps: [app], limit: maxTargets }).map(describeTarget);
    return { targets, leftOut: keeper.count({ apps: [app] }) - targets.length };
  }
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = keeper
    .list({ apps: [app] })
    .map(describeTarget)
    .filter(({ id, role, label, window }) => {
      const text = `${id} ${role} ${label} ${window}`.toLowerCase();
      return sought.every((word) => text.includes(word));
    });
  return { targets: fitting.slice(0, maxTargets), leftOut: Math.max(0, fitting.length - maxTargets) };
}

function readHistory(keeper: Keeper | undefined, wanted: number): Result<TargetHistory> {
  const target = keeper?.find(wanted);
  if (keeper === undefined || target === undefined) {
    const message = `nothing is remembered under mark ${wanted}`;
    return fail(makeFailure("NOT_FOUND", message, "it may have been forgotten meanwhile."));
  }
  const { learned } = target;
  const why = explainConfidence(learned);
  const [hits, misses, confidence] = [learned.hits, learned.misses, roundShare(judgeConfidence(learned))];
  const moments = [
    { atMs: learned.firstSeenMs, confidence: why[0]?.confidence ?? confidence, hits: 0, misses: 0 },
    ...keeper.store.findMoments(learned.mark),
    { atMs: Date.now(), confidence, hits, misses },
  ];
  return succeed({
    confidence,
    why,
    moments: moments.map(({ atMs, ...rest }) => ({ at: new Date(atMs).toISOString(), ...rest })),
  });
}
