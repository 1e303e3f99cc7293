import { findPlaces } from "../../guard/places.ts";
import { HotkeyPost, hotkeyName } from "../../guard/stop/hotkey.ts";
import { listenForStopKeys } from "../../host/session.ts";
import type { Env } from "../../model/env.ts";
import { succeed } from "../../model/failure.ts";
import { stopAll } from "../../server/stop-all.ts";
import { defineCommand } from "../define.ts";

const idleCheckMs = 15_000;

/** Runs from the first action on a display until ten minutes after the last, or until the display ends. */
export const listenForStop = defineCommand({
  name: "listen-for-stop",
  summary: "",
  isHidden: true,
  async run() {
    await listen(process.env);
    return succeed(undefined);
  },
});

async function listen(env: Env): Promise<void> {
  const post = HotkeyPost.take(findPlaces(env));
  if (post === undefined) return;
  const over = Promise.withResolvers<void>();
  let stopping: Promise<unknown> | undefined;
  const keys = await listenForStopKeys(env, () => {
    stopping ??= stopAll(env, hotkeyName).finally(() => over.resolve());
  });
  if (typeof keys === "string") return post.announceFailure(keys);
  post.announceReady();
  const timer = setInterval(() => post.leaveIfIdle(Date.now()) && over.resolve(), idleCheckMs);
  await Promise.race([over.promise, keys.ended]);
  await stopping;
  clearInterval(timer);
  keys.close();
  post.leave();
}
