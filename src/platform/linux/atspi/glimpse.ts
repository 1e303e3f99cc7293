import type { Actor } from "../../../model/command.ts";
import { fail, type Result, succeed } from "../../../model/failure.ts";
import type { Glimpse } from "../../../sources/port.ts";
import type { Bus } from "../dbus/bus.ts";
import { DeadlinePassed } from "../dbus/errors.ts";
import { askAgain, findAddress, ownNameAgain } from "./ask-again.ts";
import { unlessRefused } from "./cache.ts";
import { coordinatesOf } from "./details.ts";
import { describeSilence } from "./failures.ts";
import { isInDisabled } from "./in-disabled.ts";
import { knowToolkit } from "./know-toolkit.ts";
import { isNodeShown, roleNameOf } from "./nodes.ts";
import { Peer } from "./peer.ts";
import { getExtents, getProperty } from "./protocol.ts";
import { readStates } from "./states.ts";

/** Reads one object in one round trip; undefined if it is gone. */
export async function glimpseElement(
  bus: Bus,
  element: Actor,
  timeoutMs: number,
): Promise<Result<Glimpse | undefined>> {
  const address = findAddress(bus, element);
  if (address === undefined) return succeed(undefined);
  const { busName, path } = address;
  const peer = new Peer(bus, busName, timeoutMs);
  try {
    const quirks = await unlessRefused(knowToolkit(peer));
    if (quirks === undefined) return succeed(undefined);
    const [node, extents, length] = await Promise.all([
      askAgain(peer, path, element),
      unlessRefused(getExtents(peer, path, coordinatesOf(quirks))),
      unlessRefused(getProperty(peer, path, "Text", "CharacterCount")),
    ]);
    if (node === undefined) return succeed(undefined);
    const circumstances = {
      isSeen: isNodeShown(quirks, node),
      isSecret: element.states.has("secret"),
      isInDisabled: await isInDisabled(peer, quirks, node, element),
    };
    return succeed({
      platformRole: roleNameOf(node),
      ownName: ownNameAgain(node, element, quirks),
      states: readStates(node, element.role, quirks, circumstances),
      place: extents?.join(" ") ?? "",
      length: typeof length === "number" && length >= 0 ? length : undefined,
    });
  } catch (error) {
    if (error instanceof DeadlinePassed) return fail(describeSilence(timeoutMs));
    throw error;
  } finally {
    peer.close();
  }
}
