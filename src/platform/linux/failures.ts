import { type Failure, nothingDone } from "../../model/failure.ts";
import type { WindowRead } from "../../model/snapshot.ts";
import { applicationKeyOf, type Window } from "../../model/window.ts";

export function describeLostDisplay({ message }: Error): Failure {
  return {
    code: "UNAVAILABLE",
    message: `the display went away: ${message}`,
    suggestion: "check that the X server still runs.",
    done: nothingDone,
  };
}

export function describeLostBus({ message }: Error): Failure {
  return {
    code: "UNAVAILABLE",
    message: `no accessibility bus: ${message}`,
    suggestion: "start your session with D-Bus and at-spi2-core, or open a private desktop: deskmap sandbox",
    done: nothingDone,
  };
}

/** The result for a window whose application is not on the accessibility bus. */
export function describeTreeless(window: Window): WindowRead {
  const text =
    "this application offers no accessibility tree (Firefox, Chromium and Qt programs may need it switched on; see README)";
  return { window, appKey: applicationKeyOf(window), root: undefined, notes: [{ code: "NO_TREE", text }] };
}
