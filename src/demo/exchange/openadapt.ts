import { DatabaseSync } from "node:sqlite";
import { messageOf } from "../../model/caught.ts";
import type { RecordedAction } from "../../model/demo.ts";
import { fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { cleanText } from "../../model/plain-text.ts";
import type { Demo } from "../file.ts";
import { makeDemo } from "../make.ts";
import type { Numbered } from "../pictures.ts";
import { composeEvents, type Event, type Frame } from "./openadapt-events.ts";
import { readObservation } from "./openadapt-ref.ts";
import { type Row, readJson, textOf } from "./rows.ts";

const maxEvents = 200_000;
const maxPicture = 32 << 20;

export interface ImportedRecording {
  readonly demo: Demo;
  readonly files: Numbered["files"];
  /** Pictures that are not in the database, but in a video. */
  readonly unpictured: number;
}

/** Reads a recording of openadapt-capture: its events become steps, its screenshots their pictures. */
export function importRecording(path: string, name: string | undefined): Result<ImportedRecording> {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA query_only = ON");
    return readRecording(database, path, name);
  } catch (error) {
    return fail(refuse(path, `it cannot be read: ${cleanText(messageOf(error), 200)}`));
  } finally {
    database?.close();
  }
}

function readRecording(database: DatabaseSync, path: string, name: string | undefined): Result<ImportedRecording> {
  const tables = new Set(
    database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map((row) => row.name),
  );
  const missing = ["recording", "action_event", "window_event", "screenshot"].find((table) => !tables.has(table));
  if (missing !== undefined) return fail(refuse(path, `it has no table ${missing}; this is no recording`));
  const recordings: Row[] = database.prepare("SELECT * FROM recording ORDER BY id LIMIT 2").all();
  const [recording] = recordings;
  if (recording === undefined || recordings.length > 1) {
    return fail(refuse(path, `recording: it has ${recordings.length === 0 ? "none" : "several"}; one is read`));
  }
  const count = Number(database.prepare("SELECT count(*) AS n FROM action_event").get()?.n);
  if (count > maxEvents) return fail(refuse(path, `action_event: has ${count} rows; at most ${maxEvents} are read`));
  const config = readJson(recording.config);
  const capture = readJson(config.window_capture);
  const frame: Frame = {
    ratio: positive(recording.pixel_ratio) ?? positive(config.pixel_ratio) ?? 1,
    isWindow: capture.coordinate_space === "window_pixels",
    doubleMs: 1000 * (positive(recording.double_click_interval_seconds) ?? 0.5),
    doublePx: positive(recording.double_click_distance_pixels) ?? 5,
  };
  const events = readEvents(database, frame, path);
  if (!events.ok) return events;
  const composed = composeEvents(events.value, frame);
  if (composed.length === 0) return fail(refuse(path, "action_event: nothing was done that can be repeated"));
  const actions = composed.map(({ action }, index): RecordedAction => {
    return { ...action, n: index + 1, by: "person", client: "openadapt-capture" };
  });
  const pictures = composed.map(({ first }) => findPicture(database, first, frame));
  const files: { name: string; bytes: Uint8Array }[] = [];
  const pictured = actions.map((action, index) => {
    const found = pictures[index];
    if (found === undefined) return action;
    const file = `${String(index + 1).padStart(4, "0")}.png`;
    files.push({ name: file, bytes: found.bytes });
    return { ...action, picture: { file, bbox: found.bbox } };
  });
  const description = cleanText(textOf(recording.task_description) ?? "", 1000);
  const given =
    name ??
    description
      .replaceAll(/[^\p{L}\p{N}._-]+/gu, " ")
      .trim()
      .slice(0, 80)
      .trim();
  const demo = makeDemo(pictured, {
    name: given === "" ? "imported" : given,
    description: description === "" ? undefined : description,
    client: "openadapt-capture",
  });
  // A step that was replaced by the next one takes its picture along.
  const used = new Set(demo.steps.map(({ picture }) => picture?.file));
  return succeed({
    demo: { ...demo, recorded: { ...demo.recorded, by: "import" } },
    files: files.filter((file) => used.has(file.name)),
    unpictured: demo.steps.filter(({ picture }) => picture === undefined).length,
  });
}

/** What was moved, derived or disabled is no event of its own. */
const known: ReadonlySet<string> = new Set(["click", "scroll", "press", "release", "move"]);

function readEvents(database: DatabaseSync, frame: Frame, path: string): Result<readonly Event[]> {
  const windows = new Map<unknown, Row>();
  const times: { readonly at: number; readonly row: Row }[] = [];
  for (const row of database.prepare("SELECT * FROM window_event ORDER BY timestamp").all()) {
    windows.set(row.id, row);
    times.push({ at: Number(row.timestamp), row });
  }
  const events: Event[] = [];
  const rows: Row[] = database
    .prepare("SELECT * FROM action_event WHERE parent_id IS NULL AND coalesce(disabled, 0) = 0 ORDER BY timestamp, id")
    .all();
  for (const row of rows) {
    const name = textOf(row.name) ?? "";
    if (!known.has(name)) {
      return fail(refuse(path, `action_event ${Number(row.id)}: "${cleanText(name, 40)}" cannot be imported`));
    }
    const atSeconds = Number(row.timestamp);
    if (name === "move" || !Number.isFinite(atSeconds)) continue;
    const window = windows.get(row.window_event_id) ?? findAt(times, Number(row.window_event_timestamp ?? atSeconds));
    const seen = readObservation(row.structural_observation, frame.ratio);
    const state = readJson(window?.state);
    const origin = { x: Number(window?.left ?? 0) * frame.ratio, y: Number(window?.top ?? 0) * frame.ratio };
    events.push({
      name,
      row,
      atMs: Math.round(atSeconds * 1000),
      window: seen?.window ?? textOf(window?.title),
      app: seen?.app ?? textOf(state.owner) ?? textOf(state.app),
      origin,
      seen,
    });
  }
  return succeed(events);
}

/** The last window that was reported until then. */
function findAt(times: readonly { readonly at: number; readonly row: Row }[], at: number): Row | undefined {
  return times.findLast((one) => one.at <= at)?.row;
}

function findPicture(database: DatabaseSync, { row, origin }: Event, { isWindow }: Frame) {
  const query =
    row.screenshot_id === null || row.screenshot_id === undefined
      ? database.prepare("SELECT png_data FROM screenshot WHERE timestamp = ? AND length(png_data) < ? LIMIT 1")
      : database.prepare("SELECT png_data FROM screenshot WHERE id = ? AND length(png_data) < ?");
  const key = row.screenshot_id ?? row.screenshot_timestamp;
  if (typeof key !== "number") return undefined;
  const data = query.get(key, maxPicture)?.png_data;
  if (!(data instanceof Uint8Array)) return undefined;
  const bytes = Buffer.from(data);
  if (bytes.length < 33 || bytes.toString("latin1", 1, 4) !== "PNG") return undefined;
  const [left, top] = isWindow ? [Math.round(origin.x), Math.round(origin.y)] : [0, 0];
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  return { bytes, bbox: [left, top, left + width, top + height] as const };
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 && value < 1e6 ? value : undefined;
}

function refuse(path: string, what: string) {
  const suggestion = "the file recording.db of a recording of openadapt-capture.";
  return makeFailure("USAGE", `${path}: ${what}`, suggestion, { done: "nothing was imported." });
}
