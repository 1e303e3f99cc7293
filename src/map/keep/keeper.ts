import { existsSync, statSync } from "node:fs";
import type { Env } from "../../model/env.ts";
import { type Result, succeed } from "../../model/failure.ts";
import type { Figures } from "../store/figures.ts";
import { type Forgetting, forget, type Pruned, type PruneOptions, prune, type Scope } from "../store/forget.ts";
import { openMapStore } from "../store/open.ts";
import { mapPath } from "../store/places.ts";
import type { StoredTarget, TargetQuery } from "../store/port.ts";
import { type Clues, countTargets, findClues } from "../store/query-targets.ts";
import { SqliteStore } from "../store/sqlite.ts";

export type { Figures } from "../store/figures.ts";
export type { Forgetting } from "../store/forget.ts";
export { mapPath as findMap } from "../store/places.ts";
export { MapUnavailable, type StoredTarget, type TargetQuery } from "../store/port.ts";
export type { Clues } from "../store/query-targets.ts";

/** Administration of a user's map: listing, statistics, forgetting. */
export class Keeper {
  private constructor(
    readonly store: SqliteStore,
    private readonly path: string,
  ) {}

  static open(env: Env): Result<Keeper | undefined> {
    return existsSync(mapPath(env)) ? Keeper.make(env) : succeed(undefined);
  }

  /** Creates the map if there is none. */
  static make(env: Env): Result<Keeper> {
    const path = mapPath(env);
    const store = SqliteStore.open(path);
    return store.ok ? succeed(new Keeper(store.value, path)) : store;
  }

  /** Every remembered application with its names in lower case. */
  listApps(): ReadonlyMap<string, readonly string[]> {
    const names = this.store.listNames();
    const apps = new Set([...names.keys(), ...this.store.listApps()]);
    return new Map([...apps].map((app) => [app, [...new Set([app.toLowerCase(), ...(names.get(app) ?? [])])]]));
  }

  list(query: TargetQuery): readonly StoredTarget[] {
    return this.store.listTargets(query);
  }

  count(query: TargetQuery): number {
    return countTargets(this.store.file, query);
  }

  /** Finds a control by its number or an alias. */
  find(mark: number): StoredTarget | undefined {
    return this.list({ marks: [this.store.followAlias(mark)] })[0];
  }

  findClues(mark: number): Clues {
    return findClues(this.store.file, mark);
  }

  countMarks(): number {
    return this.store.countMarks();
  }

  async readFigures(): Promise<Figures> {
    return (await import("../store/figures.ts")).readFigures(this.store.file);
  }

  /** Returns the number of deleted marks. */
  forget(what: Forgetting, scope?: Scope): Result<number> {
    return forget(this.path, what, scope);
  }

  close(): void {
    this.store.close();
  }
}

/** Synchronises a shared map with its server. Returns a message for the user, if any. */
export async function synchronise(env: Env): Promise<Result<string | undefined>> {
  const troubles: string[] = [];
  const opened = await openMapStore(env, (why) => troubles.push(why));
  if (!opened.ok) return opened;
  const remark = (await opened.value.settle()) ?? troubles[0];
  opened.value.close();
  return succeed(remark);
}

export interface PruneReport {
  readonly pruned: Pruned;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Pruning is never automatic: old entries do no harm, and only a person knows what is still needed. */
export function pruneMap(env: Env, options: PruneOptions): Result<PruneReport> {
  const path = mapPath(env);
  const sizeOf = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const bytesBefore = sizeOf();
  const pruned = prune(path, options);
  return pruned.ok ? succeed({ pruned: pruned.value, bytesBefore, bytesAfter: sizeOf() }) : pruned;
}
