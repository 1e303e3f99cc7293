import { succeed } from "../../model/failure.ts";
import type { WindowRead } from "../../model/snapshot.ts";
import type { Window, Withheld } from "../../model/window.ts";
import type { Kept, WindowList } from "../../platform/port.ts";
import type { ElementSource } from "../../sources/port.ts";
import { redactSource } from "../../sources/redact.ts";
import { findStand, findWindowStanding, namesOf, type Policy } from "../policy/policy.ts";
import { describeStand } from "../rules.ts";
import { withheldBy } from "./withheld.ts";

/** What a mirror has kept, as everybody but the guard may see it. */
export interface KeptView
  extends Pick<Kept, "unread" | "shifted" | "moved" | "changed" | "listChangedMs" | "drawn" | "popups" | "reads"> {
  readonly windows: readonly Window[];
  readonly withheld: readonly Withheld[];
  /** The window that has the keyboard; also one that is withheld. */
  readonly focusedId: number | undefined;
}

export async function redactKept(kept: Kept, list: WindowList, policy: Policy, tree: ElementSource): Promise<KeptView> {
  const isBlind = (window: Window): boolean => findWindowStanding(policy, window) === "blind";
  const windows = list.windows.filter((one) => !isBlind(one));
  const known = windows.filter(({ id }) => kept.reads.has(id));
  const fresh = known.filter(({ id }) => !redactedReads.has(readOf(kept, id)));
  const readWindows: ElementSource["readWindows"] = async (request) =>
    succeed(request.windows.flatMap(({ id }) => kept.reads.get(id) ?? []));
  const made = await redactSource({ ...tree, readWindows }, isBlind, withheldBy(policy)).readWindows({
    windows: fresh,
    includeHidden: false,
    timeoutMs: 1,
  });
  for (const read of made.ok ? made.value : []) redactedReads.set(readOf(kept, read.window.id), read);
  const reads = known.flatMap((window): [number, WindowRead][] => {
    const read = redactedReads.get(readOf(kept, window.id));
    return read === undefined ? [] : [[window.id, { ...read, window }]];
  });
  return {
    windows,
    withheld: list.windows.filter(isBlind).map((window) => withhold(policy, window)),
    focusedId: list.windows.find(({ isFocused }) => isFocused)?.id,
    reads: new Map(reads),
    unread: kept.unread,
    shifted: kept.shifted,
    moved: kept.moved,
    changed: kept.changed,
    listChangedMs: kept.listChangedMs,
    drawn: kept.drawn,
    popups: kept.popups,
  };
}

/** Most windows are as they were at the last key: those are redacted already. */
const redactedReads = new WeakMap<object, WindowRead>();

function readOf({ reads }: Kept, id: number): object {
  return reads.get(id) ?? reads;
}

function withhold(policy: Policy, window: Window): Withheld {
  const names = namesOf(window);
  const refusal = describeStand(window.app, findStand(policy, names));
  return { id: window.id, pid: window.pid, names, refusal };
}
