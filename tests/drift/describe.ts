import { describeRefs } from "../../src/map/identify.ts";
import { type Description, describeRef } from "../../src/map/resolve/description.ts";
import type { Element } from "../../src/model/element.ts";
import { kindOfRole, type Role, roles } from "../../src/model/role.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";
import { type DriftNode, listAll } from "./drift.ts";
import type { CapturedTree } from "./tree.ts";

/** One control of a tree as a resolver describes it, and whether a user would look for it again. */
export interface Described {
  readonly key: string;
  readonly description: Description;
  readonly isWanted: boolean;
}

export function describeTree({ kind, name }: CapturedTree, root: DriftNode): Described[] {
  return kind === "app" ? describeApplication(name, root) : describePage(root);
}

function describeApplication(app: string, root: DriftNode): Described[] {
  const element = toElement(root, 0, 1);
  const window = makeWindow({ app, title: root.name });
  const refs = describeRefs({ window, appKey: app, root: element, notes: [] }, [root.name]);
  return [...refs].map(([key, ref]) => {
    const isWanted = kindOfRole(ref.role) === "control" && (ref.name !== "" || ref.platformId !== "");
    return { key, description: describeRef(ref), isWanted };
  });
}

function toElement(node: DriftNode, alikeIndex: number, alikeCount: number): Element {
  const children = node.children.map((child, at) => {
    const isAlike = (other: DriftNode): boolean => other.role === child.role && other.name === child.name;
    const index = node.children.slice(0, at).filter(isAlike).length;
    return toElement(child, index, node.children.filter(isAlike).length);
  });
  const { name, id, key, bounds } = node;
  const role = roles.find((one) => one === node.role) ?? "unknown";
  return makeElement({
    role: role as Role,
    name,
    platformId: id,
    handle: key,
    bounds,
    alikeIndex,
    alikeCount,
    children,
  });
}

const wantedTags = new Set(["a", "button", "input", "select", "textarea", "summary", "label", "h1", "h2", "h3", "img"]);
const maxText = 120;
const maxNeighbours = 4;

function describePage(root: DriftNode): Described[] {
  const texts = listAll(root).flatMap(({ key, name }) => (name === "" ? [] : [{ key, name }]));
  const places = new Map(texts.map(({ key }, place) => [key, place]));
  const described: Described[] = [];
  const visit = (node: DriftNode, xpath: string): void => {
    const text = readText(node);
    const isWanted = wantedTags.has(node.tag ?? "") && (text !== "" || node.id !== "" || (node.href ?? "") !== "");
    const { tag, id, class: classes, href, attributes, bounds } = node;
    const inside = new Set(listAll(node).map(({ key }) => key));
    const near = listNear(texts, places, inside);
    const description = { tag, id, class: classes, href, attributes, bounds, text, xpath, neighbours: near };
    described.push({ key: node.key, description, isWanted });
    const counts = new Map<string, number>();
    for (const child of node.children) {
      const nth = (counts.get(child.tag ?? "") ?? 0) + 1;
      counts.set(child.tag ?? "", nth);
      visit(child, `${xpath}/${child.tag}[${nth}]`);
    }
  };
  visit(root, `/${root.tag}[1]`);
  const looks = Map.groupBy(described, ({ description: { tag, text, href } }) => `${tag} ${text} ${href}`);
  return [...looks.values()].flatMap((alike) =>
    alike.map((one) => ({ ...one, description: { ...one.description, twins: alike.length - 1 } })),
  );
}

function readText(node: DriftNode): string {
  const texts = listAll(node)
    .map(({ name }) => name)
    .filter((name) => name !== "");
  return texts.join(" ").slice(0, maxText);
}

/** The texts before and after it in reading order. */
function listNear(
  texts: readonly { readonly key: string; readonly name: string }[],
  places: ReadonlyMap<string, number>,
  inside: ReadonlySet<string>,
): string[] {
  const own = [...inside].flatMap((key) => places.get(key) ?? []);
  if (own.length === 0) return [];
  const [first, last] = [Math.min(...own), Math.max(...own)];
  const around = [
    ...texts.slice(Math.max(0, first - maxNeighbours / 2), first),
    ...texts.slice(last + 1, last + 1 + maxNeighbours / 2),
  ];
  return around.map(({ name }) => name.slice(0, 40));
}
