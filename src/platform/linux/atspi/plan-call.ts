import type { ElementCommand } from "../../../model/command.ts";
import { fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import { unlessRefused } from "../dbus/bus.ts";
import { type ActionCall, actionCalls } from "./action-calls.ts";
import { readActionTexts } from "./details.ts";
import { describeElement, describeLack } from "./failures.ts";
import { isWritable, type RawNode, roleNameOf } from "./nodes.ts";
import { isInterface, type Peer } from "./peer.ts";
import { isShown, type Quirks } from "./quirks.ts";
import { hasState, roleNames } from "./vocabulary.ts";

type CommandOf<Kind> = Extract<ElementCommand, { kind: Kind }>;

/** Chooses the call for a command; checks only whether the object supports it. */
export async function planCall(
  peer: Peer,
  quirks: Quirks,
  node: RawNode,
  command: ElementCommand,
): Promise<Result<ActionCall>> {
  switch (command.kind) {
    case "invoke":
      return planAction(peer, quirks, node, command, command.action);
    case "set-text":
      return planText(quirks, node, command);
    case "set-number":
      return planNumber(peer, quirks, node, command);
    case "select":
      return planSelection(peer, quirks, node, command);
    case "focus":
      return needInterface(node, "Component", command, actionCalls.grabFocus(node.path));
    case "reveal":
      return needInterface(node, "Component", command, actionCalls.scrollTo(node.path));
  }
}

function needInterface(node: RawNode, name: string, command: ElementCommand, call: ActionCall): Result<ActionCall> {
  return isInterface(node.interfaces, name) ? succeed(call) : lack(command, `it has no ${name} interface`);
}

function lack(command: ElementCommand, why: string): Result<ActionCall> {
  return fail(describeLack(command, why));
}

/** The action's index may have changed: a check box offers "uncheck" instead of "check". */
async function planAction(
  peer: Peer,
  quirks: Quirks,
  node: RawNode,
  command: ElementCommand,
  action: string,
): Promise<Result<ActionCall>> {
  if (!isInterface(node.interfaces, "Action")) return lack(command, "it has no actions");
  const names = ((await unlessRefused(readActionTexts(peer, quirks, node))) ?? []).map(([name]) => name);
  const index = names.indexOf(action);
  return index < 0
    ? lack(command, `it offers ${names.join(", ") || "none"}`)
    : succeed(actionCalls.doAction(node.path, index));
}

const longCharacter = /[\u{10000}-\u{10ffff}]/u;

function planText(quirks: Quirks, node: RawNode, command: CommandOf<"set-text">): Result<ActionCall> {
  if (!isWritable(node) || hasState(node.states, "readOnly")) return lack(command, "it is read-only");
  if (quirks.takesText === "none") return lack(command, `${quirks.toolkit} accepts a text and keeps the old one`);
  if (quirks.takesText === "short characters" && longCharacter.test(command.text))
    return lack(command, `${quirks.toolkit} garbles characters such as emoji`);
  return needInterface(node, "EditableText", command, actionCalls.setText(node.path, command.text));
}

async function planNumber(
  peer: Peer,
  quirks: Quirks,
  node: RawNode,
  command: CommandOf<"set-number">,
): Promise<Result<ActionCall>> {
  const { path, interfaces } = node;
  if (!isInterface(interfaces, "Value")) return lack(command, "it has no Value interface");
  if (hasState(node.states, "readOnly")) return lack(command, "it is read-only");
  if (quirks.deafNumbers.includes(roleNameOf(node))) return lack(command, "the program would not be notified");
  const [least, most] = await Promise.all([
    peer.getProperty(path, "Value", "MinimumValue"),
    peer.getProperty(path, "Value", "MaximumValue"),
  ]);
  const hasRange = typeof least === "number" && typeof most === "number" && least < most;
  if (command.unit === "percent") {
    if (!hasRange) return lack(command, "it has no range");
    return succeed(actionCalls.setNumber(path, least + ((most - least) * command.value) / 100));
  }
  if (hasRange && (command.value < least || command.value > most)) {
    return fail(
      makeFailure(
        "USAGE",
        `${describeElement(command.element)} takes numbers from ${least} to ${most}, not ${command.value}`,
        `give a number from ${least} to ${most}.`,
      ),
    );
  }
  return succeed(actionCalls.setNumber(path, command.value));
}

/** The object that holds the selection: the container, or a combo box around its list. */
async function planSelection(
  peer: Peer,
  quirks: Quirks,
  node: RawNode,
  command: CommandOf<"select">,
): Promise<Result<ActionCall>> {
  const [parent, index] = await Promise.all([peer.getParent(node.path), peer.getIndexInParent(node.path)]);
  if (parent === undefined || index < 0) return lack(command, "its container does not list it");
  const outer = await unlessRefused(peer.getParent(parent[1]));
  const [box, container] = await Promise.all([outer, parent].map((ref) => ref && describeHolder(peer, ref[1])));
  const isChoice = box?.role === "combo box";
  const holder = isChoice && box.canSelect ? box : container;
  if (quirks.choosingAction !== undefined && isChoice && command.isSelected)
    return planAction(peer, quirks, node, command, quirks.choosingAction);
  if (quirks.selectsSilently) return planSelectionByAction(peer, quirks, node, command, container);
  if (holder?.canSelect === true) return succeed(pickSelectionCall(quirks, command)(holder.path, index));
  const isDone = hasState(node.states, "selected") === command.isSelected;
  // Selecting a combo box entry this way highlights it in the list, but the box keeps its old value.
  if (quirks.selectingAction === undefined || isChoice || isDone)
    return lack(command, "its container offers no selection");
  return planAction(peer, quirks, node, command, quirks.selectingAction);
}

/** An entry's own action is a click: in a multiple selection it would deselect the others. */
async function planSelectionByAction(
  peer: Peer,
  quirks: Quirks,
  node: RawNode,
  command: CommandOf<"select">,
  container: Holder | undefined,
): Promise<Result<ActionCall>> {
  const isClear = command.isSelected && container?.hasMany === false && isShown(quirks, node.states);
  return isClear ? planAction(peer, quirks, node, command, "select") : lack(command, "its page would not be notified");
}

function pickSelectionCall(
  quirks: Quirks,
  { isSelected }: CommandOf<"select">,
): (path: string, index: number) => ActionCall {
  if (isSelected) return actionCalls.selectChild;
  return quirks.deselectsByPlace ? actionCalls.deselectSelectedChild : actionCalls.deselectChild;
}

interface Holder {
  readonly path: string;
  readonly role: string;
  readonly canSelect: boolean;
  readonly hasMany: boolean;
}

async function describeHolder(peer: Peer, path: string): Promise<Holder | undefined> {
  const facts = await unlessRefused(Promise.all([peer.getRole(path), peer.getInterfaces(path), peer.getStates(path)]));
  if (facts === undefined) return undefined;
  const [role, interfaces, states] = facts;
  return {
    path,
    role: roleNames[role] ?? "",
    canSelect: isInterface(interfaces, "Selection"),
    hasMany: hasState(states, "multiselectable"),
  };
}
