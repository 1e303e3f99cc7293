import { unlessRefused } from "../dbus/bus.ts";
import type { Value } from "../dbus/reader.ts";
import type { RawNode } from "./nodes.ts";
import { nullPath, type ObjectRef, type Peer } from "./peer.ts";
import type { Quirks } from "./quirks.ts";
import type { StateBits } from "./vocabulary.ts";

/** The state of reading one application's tree. */
export interface Walk {
  readonly peer: Peer;
  readonly quirks: Quirks;
  readonly includeHidden: boolean;
  readonly nodes: Map<string, RawNode>;
  /** Descriptions of what was left out, by the path of its container. */
  readonly cuts: Map<string, string>;
}

/** The states of an object of this application that was not read before. */
export async function readStates({ peer, nodes }: Walk, [busName, path]: ObjectRef): Promise<StateBits | undefined> {
  if (busName !== peer.name || path === nullPath || nodes.has(path)) return undefined;
  return unlessRefused(peer.getStates(path));
}

/** Reads an object; if `isBrief`, only what distinguishes a hidden one from its siblings. */
export async function readNode(
  walk: Walk,
  [, path]: ObjectRef,
  states: StateBits,
  parentPath: string,
  indexInParent: number,
  isBrief = false,
): Promise<RawNode | undefined> {
  const { peer, quirks } = walk;
  const replies = await unlessRefused(
    Promise.all([
      peer.getRole(path),
      peer.getProperty(path, "Accessible", "Name"),
      isBrief ? [] : peer.getInterfaces(path),
      isBrief ? "" : peer.getProperty(path, "Accessible", "Description"),
      isBrief ? 0 : peer.getProperty(path, "Accessible", "ChildCount"),
    ]),
  );
  if (replies === undefined) return undefined;
  const [role, name, interfaces, description, childCount] = replies;
  const node: RawNode = {
    path,
    parentPath,
    indexInParent,
    childCount: typeof childCount === "number" ? childCount : 0,
    interfaces,
    name: readName(quirks, name),
    role,
    description: typeof description === "string" ? description : "",
    states,
    children: [],
    details: {},
    isBrief,
  };
  walk.nodes.set(path, node);
  return node;
}

export function readName(quirks: Quirks, reply: Value): string {
  if (typeof reply !== "string") return "";
  return quirks.changingPart === undefined ? reply : reply.replace(quirks.changingPart, "");
}
