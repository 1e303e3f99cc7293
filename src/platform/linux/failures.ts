import { defaultTimeoutMs } from "../../model/default-timeout.ts";
import { type Failure, makeFailure } from "../../model/failure.ts";
import type { WindowRead } from "../../model/snapshot.ts";
import { applicationKeyOf, type Window } from "../../model/window.ts";
import { XSilent } from "./x11/transport.ts";

export function describeLostDisplay(error: Error): Failure {
  const { message } = error;
  return (
    describeHaste(error) ??
    makeFailure("UNAVAILABLE", `the display went away: ${message}`, "check that the X server still runs.")
  );
}

/** A limit of the caller's that no display could keep says nothing about the display. */
export function describeHaste(error: Error): Failure | undefined {
  if (!(error instanceof XSilent) || error.waitedMs >= defaultTimeoutMs) return undefined;
  return makeFailure(
    "TIMEOUT",
    `${error.waitedMs} ms were too short for an answer of the display`,
    `allow more time: --timeout-ms ${defaultTimeoutMs} is the default.`,
  );
}

export function describeLostBus({ message }: Error): Failure {
  return makeFailure(
    "UNAVAILABLE",
    `no accessibility bus: ${message}`,
    "start your session with D-Bus and at-spi2-core, or open a private desktop: deskmap sandbox",
  );
}

/** The result for a window whose application is not on the accessibility bus. */
export function describeTreeless(window: Window): WindowRead {
  const text =
    "this application offers no accessibility tree (Firefox, Chromium and Qt programs may need it switched on; see README)";
  return { window, appKey: applicationKeyOf(window), root: undefined, notes: [{ code: "NO_TREE", text }] };
}
