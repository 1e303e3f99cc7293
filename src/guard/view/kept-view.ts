import { succeed } from "../../model/failure.ts";
import type { WindowRead } from "../../model/snapshot.ts";
import type { Window, Withheld } from "../../model/window.ts";
import type { Kept, WindowList } from "../../platform/port.ts";
import type { ElementSource } from "../../sources/port.ts";
import { redactSource } from "../../sources/redact.ts";
import { findStand, findWindowStanding, namesOf, type Policy } from "../policy/policy.ts";
import { describeStanding } from "../rules.ts";

/** What a mirror has kept, as everybody but the guard may see it. */
export interface KeptView extends Pick<Kept, "unread" | "drawn" | "reads"> {
  readonly windows: readonly Window[];
  readonly withheld: readonly Withheld[];
  /** The window that has the keyboard; also one that is withheld. */
  readonly focusedId: number | undefined;
}

export async function redactKept(kept: Kept, list: WindowList, policy: Policy, tree: ElementSource): Promise<KeptView> {
  const isBlind = (window: Window): boolean => findWindowStanding(policy, window) === "blind";
  const windows = list.windows.filter((one) => !isBlind(one));
  const known = windows.filter(({ id }) => kept.reads.has(id));
  const readWindows: ElementSource["readWindows"] = async (request) =>
    succeed(request.windows.flatMap(({ id }) => kept.reads.get(id) ?? []));
  const reads = await redactSource({ ...tree, readWindows }, isBlind).readWindows({
    windows: known,
    includeHidden: false,
    timeoutMs: 1,
  });
  const redacted = reads.ok ? reads.value : [];
  return {
    windows,
    withheld: list.windows.filter(isBlind).map((window) => withhold(policy, window)),
    focusedId: list.windows.find(({ isFocused }) => isFocused)?.id,
    reads: new Map(redacted.map((read): [number, WindowRead] => [read.window.id, read])),
    unread: kept.unread,
    drawn: kept.drawn,
  };
}

function withhold(policy: Policy, window: Window): Withheld {
  const names = namesOf(window);
  const refusal = describeStanding(window.app, "blind", findStand(policy, names).entry);
  return { id: window.id, pid: window.pid, names, refusal };
}
