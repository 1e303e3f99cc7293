import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDatabase } from "../../src/demo/exchange/import.ts";
import { importRecording } from "../../src/demo/exchange/openadapt.ts";
import { printDemo } from "../../src/demo/file.ts";
import { parseDemo } from "../../src/demo/read.ts";
import { encodePng } from "../../src/picture/encode.ts";
import { draw } from "../picture/pictures.ts";

// The databases are made by Python's sqlite3, with the tables and columns of openadapt-capture.

const folder = mkdtempSync(join(tmpdir(), "deskmap-openadapt-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const schema = `
CREATE TABLE recording (id INTEGER PRIMARY KEY, timestamp NUMERIC(10, 2), monitor_width INTEGER, monitor_height INTEGER,
  pixel_ratio FLOAT, double_click_interval_seconds NUMERIC, double_click_distance_pixels NUMERIC, platform VARCHAR,
  task_description VARCHAR, video_start_time NUMERIC(10, 2), config JSON, original_recording_id INTEGER);
CREATE TABLE action_event (id INTEGER PRIMARY KEY, source_ordinal INTEGER, name VARCHAR, timestamp NUMERIC(10, 2),
  recording_timestamp NUMERIC(10, 2), recording_id INTEGER, screenshot_timestamp NUMERIC(10, 2), screenshot_id INTEGER,
  window_event_timestamp NUMERIC(10, 2), window_event_id INTEGER, browser_event_timestamp NUMERIC(10, 2),
  browser_event_id INTEGER, mouse_x NUMERIC, mouse_y NUMERIC, mouse_dx NUMERIC, mouse_dy NUMERIC,
  active_segment_description VARCHAR, available_segment_descriptions VARCHAR, mouse_button_name VARCHAR,
  mouse_pressed BOOLEAN, key_name VARCHAR, key_char VARCHAR, key_vk VARCHAR, canonical_key_name VARCHAR,
  canonical_key_char VARCHAR, canonical_key_vk VARCHAR, parent_id INTEGER, element_state JSON,
  structural_observation JSON, disabled BOOLEAN);
CREATE TABLE window_event (id INTEGER PRIMARY KEY, recording_timestamp NUMERIC(10, 2), recording_id INTEGER,
  timestamp NUMERIC(10, 2), state JSON, title VARCHAR, "left" INTEGER, top INTEGER, width INTEGER, height INTEGER,
  window_id VARCHAR);
CREATE TABLE browser_event (id INTEGER PRIMARY KEY, recording_id INTEGER, message JSON, timestamp NUMERIC(10, 2));
CREATE TABLE screenshot (id INTEGER PRIMARY KEY, recording_timestamp NUMERIC(10, 2), recording_id INTEGER,
  timestamp NUMERIC(10, 2), png_data BLOB, png_diff_data BLOB, png_diff_mask_data BLOB);
`;

const script = `
import base64, json, sqlite3, sys
given = json.load(sys.stdin)
database = sqlite3.connect(given["path"])
database.executescript(given["schema"])
for table, rows in given["rows"].items():
    for row in rows:
        if "png_data" in row:
            row["png_data"] = base64.b64decode(row["png_data"])
        names = ", ".join('"%s"' % name for name in row)
        database.execute("INSERT INTO %s (%s) VALUES (%s)" % (table, names, ", ".join("?" * len(row))), list(row.values()))
database.commit()
`;

type Rows = Readonly<Record<string, readonly object[]>>;
let count = 0;

function makeDatabase(rows: Rows, tables = schema): string {
  count += 1;
  const path = join(folder, `recording-${count}.db`);
  const input = JSON.stringify({ path, schema: tables, rows });
  const { status, stderr } = spawnSync("/usr/bin/python3", ["-c", script], { input, encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return path;
}

const start = 1_790_000_000;
let at = start;
const event = (own: object): object => {
  at += 0.05;
  return { recording_id: 1, timestamp: at, window_event_id: 1, ...own };
};
const mouse = (x: number, y: number, mouse_pressed: boolean, own = {}) =>
  event({ name: "click", mouse_x: x, mouse_y: y, mouse_pressed, mouse_button_name: "left", ...own });
const click = (x: number, y: number, own = {}) => [mouse(x, y, true, own), mouse(x, y, false)];
const key = (own: object) => [event({ name: "press", ...own }), event({ name: "release", ...own })];
const type = (text: string, own = {}) => [...text].flatMap((key_char) => key({ key_char, ...own }));
const pause = (): readonly object[] => {
  at += 5;
  return [];
};
const observe = (element: object) =>
  JSON.stringify({
    schema_version: "openadapt.capture.structural-observation/v1",
    provider: "windows_uia",
    ...{ event_timestamp: at, observed_at: at, query_kind: "point", element },
    process: { process_id: 7, process_name: "notepad.exe" },
    window: { title: "Untitled" },
    candidate_count: 1,
    candidate_context: { scope: "top_level_window", matched_fields: ["control_type", "name"] },
  });

const png = Buffer.from(encodePng(draw(200, 100, (x) => [x, 0, 0])));
const recording = { id: 1, timestamp: start, task_description: "Write: a note", double_click_interval_seconds: 0.5 };
const windows = [
  {
    id: 1,
    recording_id: 1,
    timestamp: start,
    title: "Editor",
    left: 10,
    top: 20,
    width: 300,
    height: 200,
    state: "{}",
  },
];

function read(rows: Rows) {
  const read = importRecording(makeDatabase(rows), undefined);
  if (!read.ok) throw new Error(read.failure.message);
  expect(parseDemo(printDemo(read.value.demo), "x")).toMatchObject({ ok: true });
  return read.value;
}

test("clicks, double clicks, drags, texts, keys and the wheel become steps with pictures", () => {
  const { demo, files, unpictured } = read({
    recording: [{ ...recording, pixel_ratio: 2 }],
    window_event: windows,
    screenshot: [{ id: 4, recording_id: 1, timestamp: start, png_data: png.toString("base64") }],
    action_event: [
      event({ name: "move", mouse_x: 1, mouse_y: 1 }),
      ...pause(),
      ...click(50, 40, { screenshot_id: 4 }),
      ...pause(),
      ...[...click(50, 60), ...click(51, 60)],
      ...pause(),
      ...[mouse(10, 10, true), mouse(60, 70, false)],
      ...pause(),
      ...click(5, 5, { mouse_button_name: "right" }),
      ...pause(),
      ...[...type("Helxo"), ...key({ key_name: "backspace" }), ...key({ key_name: "backspace" }), ...type("lo")],
      ...key({ key_name: "space" }),
      ...type("Ada"),
      ...key({ key_name: "enter" }),
      ...pause(),
      ...[event({ name: "press", key_name: "ctrl_l" }), ...key({ key_char: "\u0013", canonical_key_char: "s" })],
      event({ name: "release", key_name: "ctrl_l" }),
      ...pause(),
      ...[event({ name: "scroll", mouse_x: 9, mouse_y: 9, mouse_dx: 0, mouse_dy: -1 })],
      event({ name: "scroll", mouse_x: 9, mouse_y: 9, mouse_dx: 0, mouse_dy: -2 }),
      ...pause(),
      ...click(1, 1, { disabled: true }).slice(0, 1),
      event({ name: "click", mouse_x: 3, mouse_y: 3, mouse_pressed: true, parent_id: 1 }),
    ],
  });
  expect(demo).toMatchObject({
    name: "Write a note",
    description: "Write: a note",
    recorded: { by: "import", client: "openadapt-capture" },
    parameters: { text: { type: "text", default: "Hello Ada" } },
  });
  const steps = demo.steps.map(({ tool, input, point, to_point }) => ({ tool, input, point, to_point }));
  expect(steps).toEqual([
    { tool: "click", input: {}, point: [100, 80], to_point: undefined },
    { tool: "click", input: { double: true }, point: [100, 120], to_point: undefined },
    { tool: "drag", input: {}, point: [20, 20], to_point: [120, 140] },
    { tool: "click", input: { button: "right" }, point: [10, 10], to_point: undefined },
    { tool: "type", input: { text: "{{text}}" }, point: undefined, to_point: undefined },
    { tool: "type", input: { key: "enter" }, point: undefined, to_point: undefined },
    { tool: "type", input: { key: "ctrl+s" }, point: undefined, to_point: undefined },
    { tool: "scroll", input: { direction: "down", amount: 3 }, point: [18, 18], to_point: undefined },
  ]);
  expect(demo.steps.every(({ window }) => window === "Editor")).toBe(true);
  expect(demo.steps[0]).toMatchObject({
    picture: { file: "0001.png", bbox: [0, 0, 200, 100] },
    doubts: ["coordinates only: nothing tells which control was meant"],
  });
  expect(files).toEqual([{ name: "0001.png", bytes: png }]);
  expect(unpictured).toBe(7);
});

test("pixels of a window are not scaled, but moved to where it was", () => {
  const { demo } = read({
    recording: [{ ...recording, pixel_ratio: 2, config: '{"window_capture": {"coordinate_space": "window_pixels"}}' }],
    window_event: windows,
    screenshot: [{ id: 4, recording_id: 1, timestamp: start, png_data: png.toString("base64") }],
    action_event: click(50, 40, { screenshot_id: 4 }),
  });
  expect(demo.steps[0]).toMatchObject({ point: [70, 80], picture: { bbox: [20, 40, 220, 140] } });
});

test("what its recorder knew of a control is its ref, and a password is a name only", () => {
  const button = observe({
    control_type: "ButtonControl",
    name: "Save",
    automation_id: "save",
    bounds: { left: 1, top: 2, right: 31, bottom: 12 },
  });
  const field = observe({ control_type: "EditControl", name: "Password" });
  const { demo } = read({
    recording: [recording],
    window_event: windows,
    action_event: [
      ...click(10, 10, { structural_observation: button }),
      ...pause(),
      ...type("Hunter2", { structural_observation: field }),
    ],
  });
  expect(demo.steps).toMatchObject([
    {
      ...{ tool: "click", app: "notepad", window: "Untitled", evidence: [{ by: "role+name", matches: 1 }] },
      ref: { role: "button", name: "Save", automation_id: "save", bbox: [1, 2, 31, 12] },
      doubts: ["it was not tested whether its ref finds it"],
    },
    { tool: "fill-secret", input: { from: "{{password}}" }, ref: { role: "input", name: "Password" } },
  ]);
  expect(printDemo(demo)).not.toMatch(/Hunter2/);
});

test("what is no such recording is refused with its place", () => {
  const refusal = (path: string): string => {
    const read = importRecording(path, "x");
    return read.ok ? "accepted" : read.failure.message.slice(path.length + 2);
  };
  const none = makeDatabase({}, "CREATE TABLE other (x)");
  expect([isDatabase(none), refusal(none)]).toEqual([true, "it has no table recording; this is no recording"]);
  expect(refusal(makeDatabase({}))).toBe("recording: it has none; one is read");
  expect(refusal(makeDatabase({ recording: [recording, { ...recording, id: 2 }] }))).toContain("several");
  expect(refusal(makeDatabase({ recording: [recording] }))).toContain("nothing was done");
  const odd = makeDatabase({ recording: [recording], action_event: [event({ id: 9, name: "<b>tap\u001b" })] });
  expect(refusal(odd)).toMatch(/^action_event 9: "<b>tap.*" cannot be imported$/);
  const text = join(folder, "text.db");
  writeFileSync(text, "SQLite format 3\0 and nothing else");
  expect(refusal(text)).toStartWith("it cannot be read");
  writeFileSync(text, "no database");
  expect([isDatabase(text), isDatabase(join(folder, "missing"))]).toEqual([false, false]);
});
