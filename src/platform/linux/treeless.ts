import type { WindowRead } from "../../model/snapshot.ts";
import { applicationKeyOf, type Window } from "../../model/window.ts";

/** The result for a window whose application is not on the accessibility bus. */
export function describeTreeless(window: Window): WindowRead {
  const text =
    "this application offers no accessibility tree (Firefox, Chromium and Qt programs may need it switched on; see README)";
  return { window, appKey: applicationKeyOf(window), root: undefined, notes: [{ code: "NO_TREE", text }] };
}
