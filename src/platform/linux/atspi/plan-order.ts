import type { ElementDeed } from "../../../model/deed.ts";
import { fail, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { unlessRefused } from "./cache.ts";
import { callElement, describeLack } from "./failures.ts";
import { isWritable, type RawNode } from "./nodes.ts";
import { type Order, orders } from "./orders.ts";
import type { Peer } from "./peer.ts";
import {
  getActionName,
  getActions,
  getIndexInParent,
  getInterfaces,
  getParent,
  getProperty,
  getRole,
  isInterface,
} from "./protocol.ts";
import type { Quirks } from "./quirks.ts";
import { hasState, roleNames } from "./vocabulary.ts";

type DeedOf<Kind> = Extract<ElementDeed, { kind: Kind }>;

/** Which call does a deed to an object; it is only asked here whether the object offers it. */
export async function planOrder(peer: Peer, quirks: Quirks, node: RawNode, deed: ElementDeed): Promise<Result<Order>> {
  switch (deed.kind) {
    case "invoke":
      return planAction(peer, quirks, node, deed);
    case "set-text":
      return planText(node, deed);
    case "set-number":
      return planNumber(peer, node, deed);
    case "select":
      return planSelection(peer, node, deed);
    case "focus":
      return needInterface(node, "Component", deed, orders.grabFocus(node.path));
    case "reveal":
      return needInterface(node, "Component", deed, orders.scrollTo(node.path));
  }
}

function needInterface(node: RawNode, name: string, deed: ElementDeed, order: Order): Result<Order> {
  return isInterface(node.interfaces, name) ? succeed(order) : lack(deed, `it has no ${name} interface`);
}

function lack(deed: ElementDeed, why: string): Result<Order> {
  return fail(describeLack(deed, why));
}

/** Its place in the list may have changed since it was read: a check box offers "uncheck" where it offered "check". */
async function planAction(
  peer: Peer,
  quirks: Quirks,
  { path, interfaces }: RawNode,
  deed: DeedOf<"invoke">,
): Promise<Result<Order>> {
  if (!isInterface(interfaces, "Action")) return lack(deed, "it has no actions");
  const shown = (await unlessRefused(getActions(peer, path))) ?? [];
  const names = await Promise.all(
    shown.map(([name], index) =>
      quirks.hasPlainActionNames || name.includes(".") ? name : getActionName(peer, path, index),
    ),
  );
  const index = names.indexOf(deed.action);
  return index < 0 ? lack(deed, `it offers ${names.join(", ") || "none"}`) : succeed(orders.doAction(path, index));
}

function planText(node: RawNode, deed: DeedOf<"set-text">): Result<Order> {
  if (!isWritable(node) || hasState(node.states, "readOnly")) return lack(deed, "it is read-only");
  return needInterface(node, "EditableText", deed, orders.setText(node.path, deed.text));
}

async function planNumber(peer: Peer, node: RawNode, deed: DeedOf<"set-number">): Promise<Result<Order>> {
  const { path, interfaces } = node;
  if (!isInterface(interfaces, "Value")) return lack(deed, "it has no Value interface");
  if (hasState(node.states, "readOnly")) return lack(deed, "it is read-only");
  const [least, most] = await Promise.all([
    getProperty(peer, path, "Value", "MinimumValue"),
    getProperty(peer, path, "Value", "MaximumValue"),
  ]);
  const hasRange = typeof least === "number" && typeof most === "number" && least < most;
  if (deed.unit === "percent") {
    if (!hasRange) return lack(deed, "it has no range");
    return succeed(orders.setNumber(path, least + ((most - least) * deed.value) / 100));
  }
  if (hasRange && (deed.value < least || deed.value > most)) {
    return fail({
      code: "USAGE",
      message: `${callElement(deed.element)} takes numbers from ${least} to ${most}, not ${deed.value}`,
      suggestion: `give a number from ${least} to ${most}.`,
      done: nothingDone,
    });
  }
  return succeed(orders.setNumber(path, deed.value));
}

/** What holds the choice: the container, or a combo box around the menu of its choices. */
async function planSelection(peer: Peer, { path }: RawNode, deed: DeedOf<"select">): Promise<Result<Order>> {
  const [parent, index] = await Promise.all([getParent(peer, path), getIndexInParent(peer, path)]);
  if (parent === undefined || index < 0) return lack(deed, "its container does not know it");
  const outer = await getParent(peer, parent[1]).catch(() => undefined);
  const holders = await Promise.all([outer, parent].map((ref) => ref && describeHolder(peer, ref[1])));
  const [box, container] = holders;
  const holder = box?.role === "combo box" && box.canSelect ? box : container;
  if (holder === undefined || !holder.canSelect) return lack(deed, "its container offers no selection");
  const order = deed.isSelected ? orders.selectChild : orders.deselectChild;
  return succeed(order(holder.path, index));
}

async function describeHolder(peer: Peer, path: string) {
  const facts = await unlessRefused(Promise.all([getRole(peer, path), getInterfaces(peer, path)]));
  if (facts === undefined) return undefined;
  const [role, interfaces] = facts;
  return { path, role: roleNames[role] ?? "", canSelect: isInterface(interfaces, "Selection") };
}
