import { findPlaces } from "../../guard/places.ts";
import { fail, succeed } from "../../model/failure.ts";
import { defineCommand } from "../define.ts";

// What Deskmap starts as a process of its own, from a compiled executable as well. Help leaves it out.

/** Lets go of the keys and buttons of a process that was killed. */
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

/** Holds what was copied. */
export const serveSelection = defineCommand({
  name: "serve-selection",
  summary: "",
  isHidden: true,
  words: [["<selection>", ""]],
  async run(_flags, [selection]) {
    const [session, { refuseUnlessTurnHolder }] = await Promise.all([
      import("../../host/session.ts"),
      import("../../guard/turn-holder.ts"),
    ]);
    const refused = refuseUnlessTurnHolder(findPlaces(process.env), process.ppid);
    if (refused !== undefined) return fail(refused);
    await session.serveSelection(selection === "primary" ? "primary" : "clipboard", await Bun.stdin.text());
    return succeed(undefined);
  },
});

/** Listens for the keys that stop everything. */
export const listenForStop = defineCommand({
  name: "listen-for-stop",
  summary: "",
  isHidden: true,
  async run() {
    await (await import("./listen-for-stop.ts")).listenForStop(process.env);
    return succeed(undefined);
  },
});

/** Stands between a library in another runtime and the daemon. */
export const relay = defineCommand({
  name: "relay",
  summary: "",
  isHidden: true,
  async run() {
    await (await import("./relay.ts")).relay(process.env);
    return succeed(undefined);
  },
});
