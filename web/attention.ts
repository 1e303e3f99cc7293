import type { Attention } from "../src/inspector/activity.ts";
import { rpc } from "./state.ts";
import { Store } from "./store.ts";

/** The open questions, and whether everything is stopped. */
export const attention = new Store<Attention>({ questions: [], place: "elsewhere", hasPin: false });

/** Subscribes to questions and stops. Called once at startup. */
export function followAttention(): void {
  rpc.on("activity.attention", (now) => attention.set(now));
  rpc.onOpen(() => void rpc.call("activity.attend", {}));
}
