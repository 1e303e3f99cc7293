import { maxUnderWay } from "../../client/protocol.ts";
import { type Failure, nothingDone } from "../../model/failure.ts";

export function describeCrowd(): Failure {
  return {
    code: "UNAVAILABLE",
    message: `this client has ${maxUnderWay} requests under way already`,
    suggestion: "wait for some of them to be answered.",
    done: nothingDone,
  };
}

export function describeObserving(): Failure {
  const message = "this client looks on already";
  return { code: "UNAVAILABLE", message, suggestion: "it is told everything there.", done: nothingDone };
}

export function describeUnbegun(): Failure {
  return { code: "CANCELLED", message: "whoever asked for it does not want it any more", done: nothingDone };
}
