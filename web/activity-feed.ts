import type { Told } from "../src/inspector/activity.ts";
import type { Begun } from "../src/model/activity.ts";
import { type ActivityRow, ActivityRows, type RowPicture } from "./activity-rows.ts";
import { cropLive } from "./live-crop.ts";
import { listSeen } from "./screen/marks.ts";
import { picture } from "./screen/taken.ts";
import { announce, desk, rpc } from "./state.ts";
import { Store } from "./store.ts";

const rows = new ActivityRows(({ crops }) => {
  for (const picture of Object.values(crops)) URL.revokeObjectURL(picture.url);
});

/** Newest first. */
export const activity = new Store<readonly ActivityRow[]>([]);
/** The number of events and pictures that were dropped because the page was too slow. */
export const activityLost = new Store(0);
export const activityTrouble = new Store<string | undefined>(undefined);

/** Subscribes to the activity feed. Called once at startup, so that nothing is missed before the panel is first shown. */
export function followActivity(): void {
  rpc.on("activity.told", (events) => {
    for (const event of events) take(event);
    show();
  });
  rpc.on("activity.trouble", ({ message }) => activityTrouble.set(message));
  rpc.onOpen(() => void follow());
}

async function follow(): Promise<void> {
  const recent = await rpc.call("activity.follow", {});
  if (!recent.ok) return activityTrouble.set(recent.failure.message);
  for (const row of recent.value) rows.take({ kind: "line", row });
  show();
}

/** Crops of the live picture by action, used if no picture was taken before the action. */
const fallbacks = new Map<number, Promise<RowPicture | undefined>>();
const maxFallbacks = 20;

/** If nothing has changed since the live picture was taken, it shows the state before the action. */
function keepFallback({ n, mark, atMs }: Begun): void {
  const taken = picture.value;
  if (mark === undefined || taken === undefined || taken.version !== desk.version || taken.takenAtMs > atMs) return;
  const seen = listSeen(desk, taken).find(({ control }) => control.mark === mark);
  // Another window covers the target in the picture.
  if (seen === undefined || seen.over.length > 0) return;
  fallbacks.set(
    n,
    cropLive(taken, seen.bounds).catch(() => undefined),
  );
  const [oldest] = fallbacks.keys();
  if (fallbacks.size > maxFallbacks && oldest !== undefined) fallbacks.delete(oldest);
}

async function showFallback(n: number): Promise<void> {
  const kept = await fallbacks.get(n);
  fallbacks.delete(n);
  if (kept === undefined) return;
  rows.takePicture(n, "before", kept);
  show();
}

function take(event: Told): void {
  if (event.kind === "begun") keepFallback(event);
  if (event.kind === "ended") void showFallback(event.n);
  if (event.kind === "ended") {
    const words = activity.value.find(({ n }) => n === event.n)?.words ?? "an action";
    announce(`${words}: ${event.verdict ?? event.failure?.message ?? "ended"}`);
  }
  if (event.kind !== "crop") return rows.take(event);
  const { n, when, picture, width, height } = event;
  const file = rpc.takePicture(picture);
  if (file !== undefined) rows.takePicture(n, when, { url: URL.createObjectURL(file), width, height });
}

function show(): void {
  activity.set(rows.list());
  activityLost.set(rows.lost);
}
