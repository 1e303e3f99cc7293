import type { Attention } from "../src/inspector/activity.ts";
import { rpc } from "./state.ts";
import { Store } from "./store.ts";

/** What waits for a person, and whether everything is stopped. */
export const attention = new Store<Attention>({ questions: [], place: "elsewhere", hasPin: false });

/** Begins to attend; called once, by the shell. */
export function followAttention(): void {
  rpc.on("activity.attention", (now) => attention.set(now));
  rpc.onOpen(() => void rpc.call("activity.attend", {}));
}
