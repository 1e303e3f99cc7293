import type { ElementCommand } from "../../../model/command.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { quoteText } from "../../../model/plain-text.ts";
import { kindOfRole } from "../../../model/role.ts";
import type { Bus } from "../dbus/bus.ts";
import { DeadlinePassed, ErrorReply } from "../dbus/errors.ts";
import { askAgain, findAddress, isSameControl } from "./ask-again.ts";
import { withDirectBus } from "./direct.ts";
import { describeElement, describeGone, describeLack, describeSilence } from "./failures.ts";
import { isInDisabled } from "./in-disabled.ts";
import { isGone, knowToolkit } from "./know-toolkit.ts";
import type { RawNode } from "./nodes.ts";
import { type Answer, giveOrder } from "./orders.ts";
import { Peer } from "./peer.ts";
import { planOrder } from "./plan-order.ts";
import { isEnabled, type Quirks } from "./quirks.ts";

/**
 * How long to wait for an action's answer. Toolkits that open a dialog inside an action answer when it is closed; an
 * application that just answered another request has received the call anyway.
 */
const actionAnswerMs = 400;

/** Verifies that the object is still the intended one, then sends the call. */
export async function performCommand(bus: Bus, command: ElementCommand, timeoutMs: number): Promise<Result<void>> {
  const address = findAddress(bus, command.element);
  if (address === undefined) return fail(describeGone());
  const peer = new Peer(bus, address.busName, timeoutMs);
  try {
    const [quirks, node] = await Promise.all([knowToolkit(peer), askAgain(peer, address.path, command.element)]);
    if (node === undefined) return fail(describeGone());
    const refusal = await findRefusal(peer, quirks, node, command);
    if (refusal !== undefined) return fail(refusal);
    const order = await planOrder(peer, quirks, node, command);
    if (!order.ok) return order;
    const waitMs = command.kind === "invoke" ? Math.min(actionAnswerMs, timeoutMs) : timeoutMs;
    const give = (on: Bus): Promise<Answer> => giveOrder(on, peer.name, order.value, waitMs);
    const answer = quirks.goesDeaf ? await withDirectBus(peer, waitMs, give) : await give(bus);
    return judgeAnswer(command, answer, timeoutMs);
  } catch (error) {
    return fail(describeError(error, command, timeoutMs));
  } finally {
    peer.close();
  }
}

async function findRefusal(
  peer: Peer,
  quirks: Quirks,
  node: RawNode,
  { kind, element }: ElementCommand,
): Promise<Failure | undefined> {
  if (!isSameControl(node, element, quirks)) {
    return {
      code: "NOT_FOUND",
      message: `${describeElement(element)} is now another control`,
      suggestion: "deskmap read shows what is there now.",
      done: nothingDone,
    };
  }
  // Scrolling into view does not require an enabled control.
  if (kind === "reveal" || kindOfRole(element.role) !== "control") return undefined;
  if (isEnabled(quirks, node.states) && !(await isInDisabled(peer, quirks, node, element))) return undefined;
  return {
    code: "DISABLED",
    message: `${describeElement(element)} is disabled`,
    suggestion: "wait until it is enabled, or do first what enables it.",
    done: nothingDone,
  };
}

function judgeAnswer(command: ElementCommand, answer: Answer, timeoutMs: number): Result<void> {
  if (answer === "yes") return succeed(undefined);
  if (answer === "no") {
    return command.kind === "invoke"
      ? fail(describeNo(command))
      : fail(describeLack(command, "the application refused"));
  }
  if (answer === "lost") return fail(describeLoss());
  return command.kind === "invoke" ? succeed(undefined) : fail(describeSilence(timeoutMs, mayStillHappen));
}

const mayStillHappen = "it was sent, and may still happen.";

function describeLoss(): Failure {
  return {
    code: "UNAVAILABLE",
    message: "the accessibility bus went away",
    suggestion: "deskmap read shows what is there now.",
    done: mayStillHappen,
  };
}

function describeNo({ element, action }: ElementCommand & { kind: "invoke" }): Failure {
  return {
    code: "FAILED",
    message: `${describeElement(element)} refused its action ${quoteText(action)}`,
    suggestion: "deskmap read shows what is there now.",
    done: nothingDone,
  };
}

/** Before the call is sent, silence means that nothing was done; the call itself reports silence as an answer. */
function describeError(error: unknown, command: ElementCommand, timeoutMs: number): Failure {
  if (error instanceof DeadlinePassed) return describeSilence(timeoutMs);
  if (!(error instanceof ErrorReply)) throw error;
  if (isGone(error)) return describeGone();
  return describeLack(command, `the application answered ${error.code}`);
}
