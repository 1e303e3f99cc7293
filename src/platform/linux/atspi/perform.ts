import type { ElementCommand } from "../../../model/command.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import { quoteText } from "../../../model/plain-text.ts";
import { kindOfRole } from "../../../model/role.ts";
import { type Bus, ErrorReply } from "../dbus/bus.ts";
import { type CallReply, sendCall } from "./action-calls.ts";
import type { ActionConnections } from "./action-connections.ts";
import { describeElement, describeGone, describeLack, describeSilence, describeStale } from "./failures.ts";
import type { RawNode } from "./nodes.ts";
import { isInDisabled, isSameControl, rereadObject, withObject } from "./object.ts";
import type { Peer } from "./peer.ts";
import { planCall } from "./plan-call.ts";
import { isEnabled, type Quirks } from "./quirks.ts";
import { isDesktopIcon } from "./states.ts";
import { findQuirks, isGone } from "./toolkit.ts";

/**
 * How long to wait for an action's answer. Toolkits that open a dialog inside an action answer when it is closed; an
 * application that just answered another request has received the call anyway.
 */
const actionAnswerMs = 400;

/** Verifies that the object is still the intended one, then sends the call. */
export function performCommand(
  bus: Bus,
  connections: ActionConnections,
  command: ElementCommand,
  timeoutMs: number,
): Promise<Result<void>> {
  return withObject(bus, command.element, timeoutMs, fail(describeGone()), async (peer, path) => {
    try {
      return await performOn(peer, path, connections, command, timeoutMs);
    } catch (error) {
      if (!(error instanceof ErrorReply) || isGone(error)) throw error;
      return fail(describeLack(command, `the application answered ${error.code}`));
    }
  });
}

async function performOn(
  peer: Peer,
  path: string,
  connections: ActionConnections,
  command: ElementCommand,
  timeoutMs: number,
): Promise<Result<void>> {
  const [quirks, node] = await Promise.all([findQuirks(peer), rereadObject(peer, path, command.element)]);
  if (node === undefined) return fail(describeGone());
  const refusal = await findRefusal(peer, quirks, node, command);
  if (refusal !== undefined) return fail(refusal);
  const call = await planCall(peer, quirks, node, command);
  if (!call.ok) return call;
  const waitMs = command.kind === "invoke" ? Math.min(actionAnswerMs, timeoutMs) : timeoutMs;
  const give = (bus: Bus): Promise<CallReply> => sendCall(bus, peer.name, call.value, waitMs);
  const answer = quirks.goesDeaf ? await connections.run(peer, waitMs, give) : await give(peer.bus);
  return judgeAnswer(command, answer, timeoutMs);
}

async function findRefusal(
  peer: Peer,
  quirks: Quirks,
  node: RawNode,
  { kind, element }: ElementCommand,
): Promise<Failure | undefined> {
  if (!isSameControl(node, element, quirks)) {
    return describeStale("NOT_FOUND", `${describeElement(element)} is now another control`);
  }
  // Scrolling into view does not require an enabled control.
  if (kind === "reveal" || kindOfRole(element.role) !== "control") return undefined;
  const isUsable = isEnabled(quirks, node.states) || isDesktopIcon(node);
  if (isUsable && !(await isInDisabled(peer, quirks, node, element))) return undefined;
  return makeFailure(
    "DISABLED",
    `${describeElement(element)} is disabled`,
    "wait until it is enabled, or do first what enables it.",
  );
}

const mayStillHappen = "it was sent, and may still happen.";

function judgeAnswer(command: ElementCommand, answer: CallReply, timeoutMs: number): Result<void> {
  const isAction = command.kind === "invoke";
  switch (answer) {
    case "yes":
      return succeed(undefined);
    case "no":
      if (!isAction) return fail(describeLack(command, "the application refused"));
      return fail(
        describeStale("FAILED", `${describeElement(command.element)} refused its action ${quoteText(command.action)}`),
      );
    case "lost":
      return fail(describeStale("UNAVAILABLE", "the accessibility bus went away", mayStillHappen));
    case "silence":
      return isAction ? succeed(undefined) : fail(describeSilence(timeoutMs, mayStillHappen));
  }
}
