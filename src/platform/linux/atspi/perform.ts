import type { ElementDeed } from "../../../model/deed.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { quoteText } from "../../../model/plain-text.ts";
import { kindOfRole } from "../../../model/role.ts";
import type { Bus } from "../dbus/bus.ts";
import { DeadlinePassed, ErrorReply } from "../dbus/errors.ts";
import { askAgain, findAddress, isSameControl } from "./ask-again.ts";
import { withDirectBus } from "./direct.ts";
import { callElement, describeGone, describeLack, describeSilence } from "./failures.ts";
import { isInDisabled } from "./in-disabled.ts";
import { isGone, knowToolkit } from "./know-toolkit.ts";
import type { RawNode } from "./nodes.ts";
import { type Answer, giveOrder } from "./orders.ts";
import { Peer } from "./peer.ts";
import { planOrder } from "./plan-order.ts";
import { isEnabled, type Quirks } from "./quirks.ts";

/**
 * How long an action's answer is waited for. Toolkits that open a dialog from within an action answer when that is closed:
 * an application that answered a question a moment before has got the order, whatever it says to it.
 */
const actionAnswerMs = 400;

/** Asks the object once more whether it is still what was meant; only then gives the order. */
export async function performDeed(bus: Bus, deed: ElementDeed, timeoutMs: number): Promise<Result<void>> {
  const address = findAddress(bus, deed.element);
  if (address === undefined) return fail(describeGone());
  const peer = new Peer(bus, address.busName, timeoutMs);
  try {
    const [quirks, node] = await Promise.all([knowToolkit(peer), askAgain(peer, address.path, deed.element)]);
    if (node === undefined) return fail(describeGone());
    const refusal = await findRefusal(peer, quirks, node, deed);
    if (refusal !== undefined) return fail(refusal);
    const order = await planOrder(peer, quirks, node, deed);
    if (!order.ok) return order;
    const waitMs = deed.kind === "invoke" ? Math.min(actionAnswerMs, timeoutMs) : timeoutMs;
    const give = (on: Bus): Promise<Answer> => giveOrder(on, peer.name, order.value, waitMs);
    const answer = quirks.goesDeaf ? await withDirectBus(peer, waitMs, give) : await give(bus);
    return judgeAnswer(deed, answer, timeoutMs);
  } catch (error) {
    return fail(describeError(error, deed, timeoutMs));
  } finally {
    peer.close();
  }
}

async function findRefusal(
  peer: Peer,
  quirks: Quirks,
  node: RawNode,
  { kind, element }: ElementDeed,
): Promise<Failure | undefined> {
  if (!isSameControl(node, element, quirks)) {
    return {
      code: "NOT_FOUND",
      message: `${callElement(element)} is another control now`,
      suggestion: "deskmap read shows what is there now.",
      done: nothingDone,
    };
  }
  // What is scrolled into view need not be usable.
  if (kind === "reveal" || kindOfRole(element.role) !== "control") return undefined;
  if (isEnabled(quirks, node.states) && !(await isInDisabled(peer, quirks, node, element))) return undefined;
  return {
    code: "DISABLED",
    message: `${callElement(element)} is disabled`,
    suggestion: "wait until it is enabled, or do first what enables it.",
    done: nothingDone,
  };
}

function judgeAnswer(deed: ElementDeed, answer: Answer, timeoutMs: number): Result<void> {
  if (answer === "yes") return succeed(undefined);
  if (answer === "no") {
    return deed.kind === "invoke" ? fail(describeNo(deed)) : fail(describeLack(deed, "the application refused"));
  }
  if (answer === "lost") return fail(describeLoss());
  return deed.kind === "invoke" ? succeed(undefined) : fail(describeSilence(timeoutMs, mayStillHappen));
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

function describeNo({ element, action }: ElementDeed & { kind: "invoke" }): Failure {
  return {
    code: "FAILED",
    message: `${callElement(element)} refused its action ${quoteText(action)}`,
    suggestion: "deskmap read shows what is there now.",
    done: nothingDone,
  };
}

/** Before an order is given, silence means that nothing was done; the order itself reports silence as an answer. */
function describeError(error: unknown, deed: ElementDeed, timeoutMs: number): Failure {
  if (error instanceof DeadlinePassed) return describeSilence(timeoutMs);
  if (!(error instanceof ErrorReply)) throw error;
  if (isGone(error)) return describeGone();
  return describeLack(deed, `the application answered ${error.code}`);
}
