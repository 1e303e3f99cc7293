import { maskSecrets } from "../../../model/secrets-in-text.ts";
import type { RawNode } from "./nodes.ts";
import type { Peer } from "./peer.ts";
import { type CoordinateType, getProperty, getRangeExtents, getText } from "./protocol.ts";

const maxLinkLength = 1000;

/** A link inside a text (GTK 3) has neither name nor position: they are those of its text range. */
export async function readLink(peer: Peer, coordinates: CoordinateType, node: RawNode): Promise<void> {
  const [start, end] = await Promise.all([
    getProperty(peer, node.path, "Hyperlink", "StartIndex"),
    getProperty(peer, node.path, "Hyperlink", "EndIndex"),
  ]);
  if (typeof start !== "number" || typeof end !== "number" || start < 0 || end <= start) return;
  const last = Math.min(end, start + maxLinkLength);
  const [text, extents] = await Promise.all([
    getText(peer, node.parentPath, start, last),
    getRangeExtents(peer, node.parentPath, start, last, coordinates),
  ]);
  node.details.text = maskSecrets(text);
  node.details.extents = extents;
}
