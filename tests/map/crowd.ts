import { recognise } from "../../src/map/recognise.ts";
import type { MapStore } from "../../src/map/store/port.ts";
import { type Element, flatten } from "../../src/model/element.ts";
import { type Role, roles } from "../../src/model/role.ts";
import type { Snapshot } from "../../src/model/snapshot.ts";

import { loadTrees, type TreeNode } from "../drift/tree.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";

/** Realistic windows of applications and pages, for any number of applications. */
export interface Crowd {
  /** One window of an application, with about this many elements. `run` distinguishes the runs of an application. */
  makeLook(app: number, window: number, run?: number): Look;
}

export interface Look {
  readonly snapshot: Snapshot;
  readonly elementCount: number;
}

/** The roles of a page's elements. */
const pageRoles: Readonly<Record<string, Role>> = {
  a: "link",
  button: "button",
  input: "input",
  textarea: "input",
  select: "select",
  option: "option",
  img: "image",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  p: "text",
  span: "text",
  code: "text",
  li: "item",
  ul: "list",
  ol: "list",
  table: "table",
  tr: "row",
  td: "cell",
  body: "web",
};

/** Windows with about this many elements. */
export function makeCrowd(size = 500): Crowd {
  const trees = loadTrees().filter(({ root }) => countNodes(root) <= size);
  return {
    makeLook(app, window, run = 0) {
      const life = `:${app}.${run}`;
      let count = 0;
      const build = (node: TreeNode, place: string, alikeIndex: number, alikeCount: number): Element => {
        count += 1;
        const role = roleOf(node);
        const name = shortName(node, role);
        return makeElement({
          ...{ role, name, alikeIndex, alikeCount, platformId: node.id, bounds: node.bounds },
          clickPoint: node.bounds && { x: node.bounds.x + 3, y: node.bounds.y + 3 },
          handle: `${life}/${window}/${place}`,
          url: role === "web" ? `https://docs.example/app-${app}/page-${window}.html` : "",
          children: node.children.map((child, at) => {
            const alike = node.children.filter((other) => isAlike(other, child));
            return build(child, `${place}.${at}`, alike.indexOf(child), alike.length);
          }),
        });
      };
      // Windows are complete: as many trees as add up to about that size.
      const parts: Element[] = [];
      for (let at = app * 7 + window * 3; count < size * 0.9; at += 1) {
        const tree = trees[at % trees.length];
        if (tree === undefined) break;
        parts.push(build(tree.root, String(parts.length), 0, 1));
      }
      const title = `Document ${window} of application ${app}`;
      const root = makeElement({
        role: "window",
        name: title,
        handle: `${life}/${window}`,
        children: nameApart(parts),
      });
      const own = makeWindow({
        ...{
          id: app * 100 + window + 1,
          app: `Application ${app}`,
          class: `Application-${app}`,
          pid: 1000 + app,
          title,
        },
        aliases: [`application-${app}`],
      });
      const sister = { ...own, id: 0, title: "Another document" };
      const snapshot: Snapshot = {
        takenAtMs: Date.now(),
        windows: [{ window: own, appKey: `org.example.application-${app}`, root, notes: [] }],
        // A window without siblings is also recognised by being the only one.
        all: window === 0 ? [own] : [own, sister],
        includeHidden: false,
      };
      return { snapshot, elementCount: count + 1 };
    },
  };
}

/** Every element of a snapshot gets its mark, as in a read of the whole window. */
export function takeIn(store: MapStore, { snapshot }: Look): ReadonlyMap<string, number> {
  const wanted = flatten(snapshot.windows.flatMap(({ root }) => (root === undefined ? [] : [root])));
  return recognise(store, snapshot, new Set(wanted.map(({ handle }) => handle)));
}

/** Like parts of a window, each has its own position among those that look alike. */
function nameApart(parts: readonly Element[]): Element[] {
  return parts.map((part, at) => ({ ...part, alikeIndex: at, alikeCount: parts.length }));
}

function countNodes({ children }: TreeNode): number {
  return children.reduce((sum, child) => sum + countNodes(child), 1);
}

function isAlike(one: TreeNode, other: TreeNode): boolean {
  return roleOf(one) === roleOf(other) && shortName(one, roleOf(one)) === shortName(other, roleOf(other));
}

function roleOf({ role, tag }: TreeNode): Role {
  return roles.find((one) => one === role) ?? pageRoles[tag ?? ""] ?? "group";
}

/** A page's text includes its surroundings; a control has a shorter name. */
function shortName({ name }: TreeNode, role: Role): string {
  return role === "group" ? "" : name.slice(0, 80);
}
