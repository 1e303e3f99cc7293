import type { LiveRecording } from "../src/inspector/demos.ts";
import { announce, rpc } from "./state.ts";
import { Store } from "./store.ts";

const nothing: LiveRecording = { state: "off", name: "", kind: "", isHere: false, steps: [] };

/** What is being recorded, by anybody. */
export const recording = new Store<LiveRecording>(nothing);

/** The step of a demo that a control is being pointed at for. */
export interface Picking {
  readonly name: string;
  readonly version: string;
  readonly step: number;
  readonly words: string;
}
export const picking = new Store<Picking | undefined>(undefined);

/** The demo and the step that the panel shows; kept while another panel is in front. */
export const chosenDemo = new Store<string | undefined>(undefined);
export const chosenStep = new Store(1);
/** Counts what other panels have changed. */
export const demosVersion = new Store(0);

/** Subscribes to recordings. Called once at startup. */
export function followRecording(): void {
  rpc.on("demos.recording", (now) => {
    const before = recording.value;
    recording.set(now);
    const added = now.steps.at(-1);
    if (now.name === before.name && now.steps.length > before.steps.length && added !== undefined) {
      announce(`Step ${now.steps.length}: ${added.words}`);
    }
    if (before.state !== "off" && now.state === "off") demosVersion.set(demosVersion.value + 1);
  });
  rpc.onOpen(() => void rpc.call("demos.follow", {}));
}
