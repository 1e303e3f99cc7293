import type { SingleElement } from "../../../model/element.ts";
import { fail, type Result, succeed } from "../../../model/failure.ts";
import { cleanText } from "../../../model/plain-text.ts";
import { kindOfRole, roleFromAtspi } from "../../../model/role.ts";
import { hiddenWord } from "../../../model/secrets-in-text.ts";
import type { Glimpse, NumberGlimpse } from "../../../sources/port.ts";
import { type Bus, DeadlinePassed, ErrorReply, unlessRefused } from "../dbus/bus.ts";
import type { Value } from "../dbus/reader.ts";
import { coordinatesOf } from "./details.ts";
import { describeSilence } from "./failures.ts";
import { isRepeated, maxNameLength, ownNameOf } from "./names.ts";
import { isNodeShown, makeNode, type RawNode, roleNameOf } from "./nodes.ts";
import { Peer } from "./peer.ts";
import { isEnabled, type Quirks } from "./quirks.ts";
import { readStates } from "./states.ts";
import { findQuirks } from "./toolkit.ts";
import { hasState } from "./vocabulary.ts";

interface Address {
  readonly busName: string;
  readonly path: string;
}

/** The address of an element's object; undefined if it belongs to an earlier run of the bus. */
function findAddress(bus: Bus, { handle }: Pick<SingleElement, "handle">): Address | undefined {
  const [, guid, busName, path] = /^([^:]*)(:[\d.]+)(\/.*)$/.exec(handle) ?? [];
  return guid !== bus.guid || busName === undefined || path === undefined ? undefined : { busName, path };
}

export function handleOf(bus: Bus, busName: string, path: string): string {
  return `${bus.guid}${busName}${path}`;
}

/**
 * Runs work on an element's object. `gone` is the result if the object or its application no longer exists; an
 * application that does not answer in time is a failure.
 */
export async function withObject<T>(
  bus: Bus,
  element: Pick<SingleElement, "handle">,
  timeoutMs: number,
  gone: Result<T>,
  work: (peer: Peer, path: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  const address = findAddress(bus, element);
  if (address === undefined) return gone;
  const peer = new Peer(bus, address.busName, timeoutMs);
  try {
    return await work(peer, address.path);
  } catch (error) {
    if (error instanceof DeadlinePassed) return fail(describeSilence(timeoutMs));
    if (error instanceof ErrorReply) return gone;
    throw error;
  } finally {
    peer.close();
  }
}

/** Reads an object without its children, in one round trip. */
export async function readObject(peer: Peer, path: string, knownDescription?: string): Promise<RawNode> {
  const [role, states, interfaces, name, description] = await Promise.all([
    peer.getRole(path),
    peer.getStates(path),
    peer.getInterfaces(path),
    peer.getProperty(path, "Accessible", "Name"),
    knownDescription ?? peer.getProperty(path, "Accessible", "Description"),
  ]);
  const toText = (value: Value): string => (typeof value === "string" ? value : "");
  return makeNode({ path, interfaces, name: toText(name), role, description: toText(description), states });
}

/** Reads an element's object again; undefined if it is gone. */
export async function rereadObject(peer: Peer, path: string, element: SingleElement): Promise<RawNode | undefined> {
  const node = await unlessRefused(readObject(peer, path, element.description));
  if (node === undefined || hasState(node.states, "defunct")) return undefined;
  return { ...node, details: { actions: element.platformActions.map((action) => [action, "", ""]) } };
}

/** Its own name, as a read would return it. */
function currentOwnName(node: RawNode, element: SingleElement, quirks: Quirks): string {
  const name = quirks.changingPart === undefined ? node.name : node.name.replace(quirks.changingPart, "");
  const isSame = reasons.some((holds) => holds({ name: cleanText(name, maxNameLength), node, element, quirks }));
  return isSame ? element.ownName : ownNameOf({ ...node, name }, quirks);
}

/** Whether it is still the control that was read, by role and own name. */
export function isSameControl(node: RawNode, element: SingleElement, quirks: Quirks): boolean {
  return roleNameOf(node) === element.platformRole && currentOwnName(node, element, quirks) === element.ownName;
}

interface Comparison {
  readonly name: string;
  readonly node: RawNode;
  readonly element: SingleElement;
  readonly quirks: Quirks;
}

/** Reasons why a different name is still the same: a read knows the content and removed part of it. */
const reasons: readonly ((comparison: Comparison) => boolean)[] = [
  ({ name, element, quirks }) => quirks.repeatsLabels && isRepeated(name, element.ownName),
  ({ node, element, quirks }) =>
    (quirks.namesCombosByChoice || quirks.callsCombosByChoice) &&
    element.ownName === "" &&
    roleNameOf(node) === "combo box",
  ({ node, element, quirks }) => quirks.tabsBorrow && element.ownName === "" && roleNameOf(node) === "page tab list",
  // The name of a field's container changes with every typed letter: anything that may contain a field is accepted.
  ({ node, quirks }) => quirks.namesHoldValues && mayHoldField(roleNameOf(node)),
  ({ element }) => element.ownName.includes(hiddenWord),
];

const holders = new Set(["table cell", "row header", "column header", "list item", "tree item", "table row"]);

function mayHoldField(role: string): boolean {
  return holders.has(role) || kindOfRole(roleFromAtspi(role)) !== "control";
}

/**
 * Whether an ancestor is disabled, if the toolkit does not propagate that. Only an element read as disabled that looks
 * enabled by itself can be; only its ancestors' states are requested.
 */
export async function isInDisabled(
  peer: Peer,
  quirks: Quirks,
  node: RawNode,
  element: SingleElement,
): Promise<boolean> {
  const isDoubtful = quirks.statesStopAtParent && element.states.has("disabled") && isEnabled(quirks, node.states);
  if (!isDoubtful) return false;
  for await (const path of peer.listAncestors(node.path)) {
    const states = await unlessRefused(peer.getStates(path));
    if (states !== undefined && !isEnabled(quirks, states)) return true;
  }
  return false;
}

/** Reads one object in one round trip; undefined if it is gone. */
export function glimpseElement(
  bus: Bus,
  element: SingleElement,
  timeoutMs: number,
): Promise<Result<Glimpse | undefined>> {
  return withObject<Glimpse | undefined>(bus, element, timeoutMs, succeed(undefined), async (peer, path) => {
    const quirks = await findQuirks(peer);
    const isSecret = element.states.has("secret");
    const [node, extents, length, caret, number] = await Promise.all([
      rereadObject(peer, path, element),
      unlessRefused(peer.getExtents(path, coordinatesOf(quirks))),
      unlessRefused(peer.getProperty(path, "Text", "CharacterCount")),
      isSecret ? undefined : unlessRefused(peer.getCaret(path)),
      isSecret || element.role !== "spin" ? undefined : unlessRefused(readRange(peer, path)),
    ]);
    if (node === undefined) return succeed(undefined);
    const circumstances = {
      isSeen: isNodeShown(quirks, node),
      isSecret,
      isInDisabled: await isInDisabled(peer, quirks, node, element),
    };
    return succeed({
      platformRole: roleNameOf(node),
      ownName: currentOwnName(node, element, quirks),
      states: readStates(node, element.role, quirks, circumstances),
      place: extents?.join(" ") ?? "",
      length: typeof length === "number" && length >= 0 ? length : undefined,
      caret,
      number,
    });
  });
}

async function readRange(peer: Peer, path: string): Promise<NumberGlimpse | undefined> {
  const [value, least, most, attributes] = await Promise.all([
    peer.getProperty(path, "Value", "CurrentValue"),
    // Firefox has no limits for the parts of a date.
    unlessRefused(peer.getProperty(path, "Value", "MinimumValue")),
    unlessRefused(peer.getProperty(path, "Value", "MaximumValue")),
    unlessRefused(peer.getAttributes(path)),
  ]);
  if (typeof value !== "number") return undefined;
  const words = cleanText(attributes?.get("valuetext") ?? "", maxNameLength);
  const isLimited = typeof least === "number" && typeof most === "number" && least < most;
  return { value, words, range: isLimited ? { least, most } : undefined };
}
