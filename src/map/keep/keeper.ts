import { existsSync } from "node:fs";
import type { Env } from "../../model/env.ts";
import { type Result, succeed } from "../../model/failure.ts";
import { type Clues, findClues } from "../store/clues.ts";
import type { Figures } from "../store/figures.ts";
import { type Forgetting, forget, type Scope } from "../store/forget.ts";
import { mapPath } from "../store/places.ts";
import type { StoredTarget, TargetWish } from "../store/port.ts";
import { SqliteStore } from "../store/sqlite.ts";
import { countTargets } from "../store/wishes.ts";

export type { Clues } from "../store/clues.ts";
export type { Figures } from "../store/figures.ts";
export type { Forgetting } from "../store/forget.ts";
export { MapUnavailable, type StoredTarget, type TargetWish } from "../store/port.ts";

/** The map of this user, for the person who looks after it. */
export class Keeper {
  private constructor(
    readonly store: SqliteStore,
    private readonly path: string,
  ) {}

  /** Undefined where there is no map yet. */
  static open(env: Env): Result<Keeper | undefined> {
    return existsSync(mapPath(env)) ? Keeper.make(env) : succeed(undefined);
  }

  /** A map that is not there is made. */
  static make(env: Env): Result<Keeper> {
    const path = mapPath(env);
    const store = SqliteStore.open(path);
    return store.ok ? succeed(new Keeper(store.value, path)) : store;
  }

  /** Every application that is remembered, with the names that it is called by, in lower case. */
  listApps(): ReadonlyMap<string, readonly string[]> {
    const names = this.store.listNames();
    const apps = new Set([...names.keys(), ...this.store.listApps()]);
    return new Map([...apps].map((app) => [app, [...new Set([app.toLowerCase(), ...(names.get(app) ?? [])])]]));
  }

  list(wish: TargetWish): readonly StoredTarget[] {
    return this.store.listTargets(wish);
  }

  count(wish: TargetWish): number {
    return countTargets(this.store.file, wish);
  }

  /** A control by its number, or by one that stands for it. */
  find(mark: number): StoredTarget | undefined {
    return this.list({ marks: [this.store.followAlias(mark)] })[0];
  }

  findClues(mark: number): Clues {
    return findClues(this.store.file, mark);
  }

  /** The last number that was given out. */
  countMarks(): number {
    return this.store.countMarks();
  }

  async readFigures(): Promise<Figures> {
    return (await import("../store/figures.ts")).readFigures(this.store.file);
  }

  /** Returns how many marks there were. */
  forget(what: Forgetting, scope?: Scope): Result<number> {
    return forget(this.path, what, scope);
  }

  close(): void {
    this.store.close();
  }
}

/** Where the map of this user is. */
export function findMap(env: Env): string {
  return mapPath(env);
}
