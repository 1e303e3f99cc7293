import * as z from "zod/mini";
import { listWindows, type ReadQuery } from "../desktop/index.ts";
import { parseCombo } from "../find/combo.ts";
import { describeUsage, type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { Combo } from "../model/keys.ts";
import type { OverlayAccess } from "../overlay/controller.ts";
import { defaultPickMs, longestPickMs } from "../overlay/picking.ts";
import { type OverlayValue, overlayForms, overlayOutput } from "../show/overlay.ts";
import { defineTool } from "./define.ts";
import { parseFor } from "./duration.ts";
import { flag, requiredOneOf, text } from "./fields.ts";
import { describePicked, describeRegion, describeStatus, lookUpPicked, openOverlay } from "./overlay-answers.ts";
import { parseReadQuery, readSelection } from "./selection.ts";
import type { Session } from "./session.ts";

const verbs = ["on", "off", "status", "pick", "picked", "region"] as const;
type Verb = (typeof verbs)[number];
const defaultHotkey = "ctrl+alt+p";

const { all: _all, visibleOnly: _visibleOnly, interactive: _interactive, ...selection } = readSelection;

const input = z.object({
  what: requiredOneOf(verbs, "pick: a control; picked: the last one; region: a part of the screen"),
  ...selection,
  everything: flag("marks on texts and containers, too; else on what can be acted on"),
  hotkey: text(`keys that begin to pick while it is on (${defaultHotkey}), or none`),
  for: text(`how long a person has to pick (${defaultPickMs / 1000}s)`),
  frame: flag("of a region: also its picture, pixel for pixel"),
});
type Input = z.infer<typeof input>;

const taken: Readonly<Record<Verb, readonly (keyof Input)[]>> = {
  on: ["app", "window", "windowId", "class", "pid", "depth", "roles", "bbox", "max", "everything", "hotkey"],
  off: [],
  status: [],
  pick: ["for"],
  picked: [],
  region: ["for", "frame"],
};

export const overlay = defineTool({
  name: "overlay",
  summary: "Draw marks over the real applications; let a person point at one.",
  description:
    "on draws the numbers that read shows over every application on every monitor, and follows changes; pointer and " +
    "keyboard pass through it, and no picture that Deskmap takes shows it. Each number is a mark: click --id takes it. pick " +
    "shows the control under the pointer and answers, as at does, with the one that a person presses; region with the " +
    "rectangle that they draw and the marks in it. Esc leaves either, and so does a minute without any movement. While a person picks, Deskmap does not act. " +
    "off removes everything, annotations too. It needs the daemon, which stays while anything is drawn; after a " +
    "restart of the daemon or the display it is off.",
  examples: [
    "deskmap overlay on",
    "deskmap overlay on --app mousepad --roles button,input --hotkey none",
    "deskmap overlay pick --for 30s",
    "deskmap overlay region --frame > part.json",
    "deskmap overlay off",
  ],
  words: ["what"],
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: true },
  isLasting: true,
  input,
  output: overlayOutput,
  forms: overlayForms,
  async run(given, session) {
    const access = openOverlay("overlay", given, taken, session);
    return access.ok ? runs[given.what](given, session, access.value) : access;
  },
});

type Run = (given: Input, session: Session, access: OverlayAccess) => Promise<Result<OverlayValue>>;

const runs: Readonly<Record<Verb, Run>> = {
  on: async (given, session, { controller, openSession, rights }) => {
    const interactive = given.roles === undefined && given.everything !== true;
    const query = parseReadQuery({ ...given, interactive }, session.timeoutMs);
    if (!query.ok) return query;
    const hotkey = parseHotkey(given.hotkey ?? defaultHotkey);
    if (!hotkey.ok) return hotkey;
    const veto = rights.findVeto();
    if (veto !== undefined) return fail(veto);
    const refused = await findRefusal(session, query.value);
    if (refused !== undefined) return fail(refused);
    const written = session.recordLasting("overlay", [], "turned on");
    if (!written.ok) return written;
    const status = await controller.turnOn({ query: query.value, hotkey: hotkey.value }, openSession);
    return status.ok ? succeed(describeStatus(controller, session)) : status;
  },
  off: async (_given, session, { controller }) => {
    // Turned off even if it cannot be logged.
    controller.turnOff();
    const written = session.recordLasting("overlay", [], "turned off");
    return written.ok ? succeed(describeStatus(controller, session)) : written;
  },
  status: async (_given, session, { controller }) => succeed(describeStatus(controller, session)),
  picked: async (_given, session, { controller }) => {
    const last = controller.picks.findLast(session.clientName);
    if (last !== undefined) return lookUpPicked(session, last);
    const suggestion = "deskmap overlay pick, or the keys of deskmap overlay status";
    return fail(makeFailure("NOT_FOUND", "nobody has picked anything yet", suggestion));
  },
  pick: async (given, session, { controller, signal }) => {
    const forMs = parseFor(given.for, defaultPickMs, longestPickMs);
    if (!forMs.ok) return forMs;
    const picked = await controller.picks.pick(keepOpen(session), { signal, forMs: forMs.value });
    return picked.ok ? describePicked(session, picked.value) : picked;
  },
  region: async (given, session, { controller, signal }) => {
    const forMs = parseFor(given.for, defaultPickMs, longestPickMs);
    if (!forMs.ok) return forMs;
    const region = await controller.picks.pickRegion(keepOpen(session), { signal, forMs: forMs.value });
    return region.ok ? describeRegion(session, controller, region.value, given.frame === true) : region;
  },
};

/** Applications may open later, so that none need match now; one that must not be read is refused. */
async function findRefusal(session: Session, query: ReadQuery): Promise<Failure | undefined> {
  const platform = await session.openPlatform();
  const windows = platform.ok ? await listWindows(platform.value, query) : platform;
  return windows.ok || windows.failure.code === "NOT_FOUND" ? undefined : windows.failure;
}

/** The picker must not close the session of the call. */
function keepOpen(session: Session): Session {
  return { ...session, close: () => undefined };
}

/** Keys of the desktop that cannot be the hotkey. */
const reserved: ReadonlySet<string> = new Set(["alt+F4", "ctrl+alt+Delete", "ctrl+alt+BackSpace"]);

function parseHotkey(keys: string): Result<Combo | undefined> {
  if (keys.trim().toLowerCase() === "none") return succeed(undefined);
  const combo = parseCombo(keys);
  if (!combo.ok) return combo;
  const { modifiers, key } = combo.value;
  const strong = modifiers.filter((one) => one !== "shift");
  const isRare = strong.length >= 2 || strong.includes("super") || /^F\d+$/.test(key);
  const isOwn = key === "Escape" || /_[LR]$/.test(key) || reserved.has([...modifiers, key].join("+"));
  if (isRare && !isOwn) return combo;
  const message = `--hotkey ${JSON.stringify(keys)} is a key that applications need`;
  const suggestion = `two of Ctrl, Alt and Super with a key, Super with a key, or a function key: --hotkey ${defaultHotkey}`;
  return fail(describeUsage(message, suggestion));
}
