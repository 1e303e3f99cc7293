import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { forget, forgetApplications } from "../../src/map/store/forget.ts";
import { button, Desk, makeMapFolder } from "./desk.ts";
import { openBar, readMarks } from "./tool-bar.ts";

let folder: ReturnType<typeof makeMapFolder>;
beforeEach(() => {
  folder = makeMapFolder();
});
afterEach(() => folder.remove());

const readBytes = (): string =>
  readdirSync(dirname(folder.path))
    .map((name) => readFileSync(join(dirname(folder.path), name), "latin1"))
    .join("");

test("a forgotten application leaves no byte, even while another process has the map open", async () => {
  const store = folder.open();
  const before = await readMarks(openBar("Wipe", "Shred"), store);
  const [app = ""] = store.listNames().keys();
  expect(store.countByApplication().get(app)).toBeGreaterThan(1);
  expect(readBytes()).toContain("Shred");
  expect(forgetApplications(folder.path, [app], "everywhere")).toMatchObject({ ok: true });
  expect(readBytes()).not.toContain("Shred");
  expect(store.listNames().size).toBe(0);
  expect(store.findRef(before.Wipe ?? 0)).toBeUndefined();
  const after = await readMarks(openBar("Wipe", "Shred"), store);
  expect(Math.min(...Object.values(after))).toBeGreaterThan(Math.max(...Object.values(before)));
  store.close();
});

test("other controls stay, and forgetting a missing one is no error", async () => {
  const store = folder.open();
  const before = await readMarks(openBar("Keep"), store);
  expect(forgetApplications(folder.path, ["other"], "everywhere")).toEqual({ ok: true, value: 0 });
  expect(await readMarks(openBar("Keep"), store)).toEqual(before);
  store.close();
  expect(forgetApplications(join(dirname(folder.path), "nothing.db"), ["other"], "everywhere")).toEqual({
    ok: true,
    value: 0,
  });
});

test("a forgotten control's name is removed from its neighbours, too", async () => {
  const store = folder.open();
  const marks = await readMarks(openBar("Open", "Bombast", "Print"), store);
  expect(store.findRef(marks.Open ?? 0)?.sisters).toEqual(["", "Bombast"]);
  expect(forget(folder.path, { by: "mark", mark: marks.Bombast ?? 0 })).toEqual({ ok: true, value: 1 });
  expect(readBytes()).not.toContain("Bombast");
  store.close();
});

test("a forgotten container's name is in no path of its content, and the content keeps its mark", async () => {
  const store = folder.open();
  const box = { role: "group" as const, name: "Severance agreement", children: [button("Sign"), button("Refuse")] };
  const desk = new Desk(store, { title: "notes", children: [box, button("Elsewhere")] });
  const mark = await desk.markOf(desk.find("Severance agreement"));
  const [sign, elsewhere] = [await desk.markOf(desk.find("Sign")), await desk.markOf(desk.find("Elsewhere"))];
  expect(readBytes()).toContain("Severance");
  expect(forget(folder.path, { by: "mark", mark })).toEqual({ ok: true, value: 1 });
  expect(readBytes()).not.toContain("Severance");
  expect(store.findRef(sign)).toMatchObject({ name: "Sign", path: [{ role: "group", name: "" }] });
  expect(store.findRef(elsewhere)?.path).toEqual([]);
  // When seen again, it is a new control; its content is unchanged.
  expect(await desk.markOf(desk.find("Sign"))).toBe(sign);
  expect(await desk.markOf(desk.find("Severance agreement"))).toBeGreaterThan(mark);
  store.close();
});
