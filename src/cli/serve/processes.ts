import { findPlaces } from "../../guard/places.ts";
import { fail, succeed } from "../../model/failure.ts";
import { defineCommand } from "../define.ts";

// Commands that Deskmap starts as processes of their own; help does not list them.

/** Releases the keys and buttons of a process that was killed. */
export const releaseInput = defineCommand({
  name: "release-input",
  summary: "",
  isHidden: true,
  words: [["<undo>", ""]],
  async run(_flags, [undo = ""]) {
    (await import("../../host/session.ts")).releaseInput(undo);
    return succeed(undefined);
  },
});

/** Owns a selection, so that what was copied can be pasted. */
export const serveSelection = defineCommand({
  name: "serve-selection",
  summary: "",
  isHidden: true,
  words: [["<selection>", ""]],
  async run(_flags, [selection]) {
    const [session, { refuseUnlessTurnHolder }] = await Promise.all([
      import("../../host/session.ts"),
      import("../../guard/turn.ts"),
    ]);
    const refused = refuseUnlessTurnHolder(findPlaces(process.env), process.ppid);
    if (refused !== undefined) return fail(refused);
    await session.serveSelection(selection === "primary" ? "primary" : "clipboard", await Bun.stdin.text());
    return succeed(undefined);
  },
});
