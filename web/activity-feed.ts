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

/** What happened, newest first. */
export const activity = new Store<readonly ActivityRow[]>([]);
/** How much was lost on the way here, since the page was too slow. */
export const activityLost = new Store(0);
export const activityTrouble = new Store<string | undefined>(undefined);

/** Begins to follow, called once, by the shell: what happens before the panel is first shown is not missed. */
export function followActivity(): void {
  rpc.on("activity.told", (told) => {
    for (const one of told) take(one);
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

/** What the live picture shows of a target, for as long as it is not known whether a better one comes. */
const spare = new Map<number, Promise<RowPicture | undefined>>();
const mostSpare = 20;

/** Where nothing has changed since the live picture was taken it shows what was there before. */
function keepSpare({ n, mark, atMs }: Begun): void {
  const taken = picture.value;
  if (mark === undefined || taken === undefined || taken.version !== desk.version || taken.takenAtMs > atMs) return;
  const seen = listSeen(desk, taken).find(({ control }) => control.mark === mark);
  // Where another window lies over it, the picture shows that one.
  if (seen === undefined || seen.over.length > 0) return;
  spare.set(
    n,
    cropLive(taken, seen.bounds).catch(() => undefined),
  );
  const [oldest] = spare.keys();
  if (spare.size > mostSpare && oldest !== undefined) spare.delete(oldest);
}

async function showSpare(n: number): Promise<void> {
  const kept = await spare.get(n);
  spare.delete(n);
  if (kept === undefined) return;
  rows.takePicture(n, "before", kept);
  show();
}

function take(told: Told): void {
  if (told.kind === "begun") keepSpare(told);
  if (told.kind === "ended") void showSpare(told.n);
  if (told.kind === "ended") {
    const words = activity.value.find(({ n }) => n === told.n)?.words ?? "an action";
    announce(`${words}: ${told.verdict ?? told.failure?.message ?? "ended"}`);
  }
  if (told.kind !== "crop") return rows.take(told);
  const { n, when, picture, width, height } = told;
  const file = rpc.takePicture(picture);
  if (file !== undefined) rows.takePicture(n, when, { url: URL.createObjectURL(file), width, height });
}

function show(): void {
  activity.set(rows.list());
  activityLost.set(rows.lost);
}
