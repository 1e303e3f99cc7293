import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Bounds } from "../../src/model/bounds.ts";

/** One control of an application or a page as recorded, before its context is computed. */
export interface TreeNode {
  readonly role?: string;
  readonly tag?: string;
  /** Its name in an application; its own text in a page. */
  readonly name: string;
  readonly id: string;
  readonly class?: string;
  readonly href?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly bounds?: Bounds | undefined;
  readonly children: readonly TreeNode[];
}

export interface CapturedTree {
  readonly kind: "app" | "page";
  readonly name: string;
  readonly root: TreeNode;
}

export function loadTrees(): CapturedTree[] {
  const folder = join(import.meta.dir, "trees");
  return readdirSync(folder)
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));
}
