import * as z from "zod/mini";
import { FileRecords } from "../../../guard/audit/file-records.ts";
import { findPlaces } from "../../../guard/places.ts";
import { forbidWhenStopped } from "../../../guard/rules.ts";
import type { KnownApp, KnownTargets, TargetHistory, Taught } from "../../../inspector/map.ts";
import type { Keeper } from "../../../map/keep/keeper.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { judgeConfidence } from "../../../model/target.ts";
import { explainConfidence, roundShare } from "../../../show/confidence.ts";
import { describeTarget } from "../../../show/remembered.ts";
import { forgetNamed, keepMap } from "../../keeping.ts";
import { defineMethod, type Method } from "../panel.ts";

const mark = z.int().check(z.minimum(1));
const name = z.string().check(z.minLength(1), z.maxLength(100));
const maxTargets = 2000;
/** How the log names what is done here. */
const clientName = "inspector";
/** A page asks with every click: the others of a shared map are not met each time. */
const restMs = 60_000;

/** What is remembered: seen, taught and forgotten by the person whose memory it is. */
export const mapMethods: readonly Method[] = [
  defineMethod({
    name: "map.apps",
    params: z.object({}),
    run: (_, { env }) => keep(env, (keeper) => succeed(listApps(keeper))),
  }),
  defineMethod({
    name: "map.targets",
    params: z.object({ app: z.string(), words: z.optional(z.string()) }),
    run: ({ app, words = "" }, { env }) => keep(env, (keeper) => succeed(listTargets(keeper, app, words))),
  }),
  defineMethod({
    name: "map.history",
    params: z.object({ mark }),
    run: (params, { env }) => keep(env, (keeper) => readHistory(keeper, params.mark)),
  }),
  defineMethod({
    name: "map.teach",
    params: z.union([z.object({ mark, name }), z.object({ x: z.int(), y: z.int(), name })]),
    async run(params, { host, env }): Promise<Result<Taught>> {
      const stopped = findStopped(env);
      if (stopped !== undefined) return fail(stopped);
      const input = "mark" in params ? { name: params.name, id: params.mark } : params;
      const reply = await host.call({ tool: "teach", input, formats: ["data"] });
      if (reply.failure !== undefined) return fail(reply.failure);
      const { targetId, place } = reply.data ?? {};
      return succeed({ mark: Number(targetId), isPlace: place === true });
    },
  }),
  defineMethod({
    name: "map.forget",
    params: z.union([z.object({ mark }), z.object({ app: z.string() })]),
    run: (params, { env }) =>
      keep(env, (keeper) => {
        const what =
          "mark" in params
            ? ({ by: "mark", mark: params.mark } as const)
            : ({ by: "apps", apps: [params.app] } as const);
        const done = forgetNamed(env, keeper, what, clientName);
        return done.ok ? succeed({ forgotten: done.value }) : done;
      }),
  }),
];

type Env = Parameters<typeof keepMap>[0];

/** What is said besides is of the server of a shared map, and the panel has no place for it: `deskmap doctor` tells it, too. */
async function keep<T>(env: Env, work: (keeper: Keeper | undefined) => Result<T>): Promise<Result<T>> {
  const stopped = findStopped(env);
  return stopped === undefined ? keepMap(env, () => {}, work, restMs) : fail(stopped);
}

function findStopped(env: Env): Failure | undefined {
  return forbidWhenStopped({ records: new FileRecords(findPlaces(env)) });
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
  if (keeper === undefined || target === undefined) return fail(describeUnknown(wanted));
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

function describeUnknown(wanted: number): Failure {
  const message = `nothing is remembered under mark ${wanted}`;
  return { code: "NOT_FOUND", message, suggestion: "it may have been forgotten meanwhile.", done: nothingDone };
}
