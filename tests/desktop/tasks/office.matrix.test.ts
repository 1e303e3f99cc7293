import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { prepareCalc } from "../calc.ts";
import { type Scene, waitFor } from "../scene.ts";
import { act, confirm, listShown, markOf, openTaskScene } from "./task.ts";

const calc = prepareCalc([
  ["Apples", 3],
  ["Pears", 4],
]);
const file = calc.command.at(-1) ?? "";
const sheet = ["--window", "sheet.fods"];
let scene: Scene;

beforeAll(async () => {
  scene = await openTaskScene({ width: 1400, height: 1000 });
  await scene.start(calc.command, "sheet.fods");
  await waitFor("the sheet", () => listShown(scene, ...sheet).some(({ r }) => r === "cell"));
  await scene.settle();
});

afterAll(async () => {
  await scene.close();
  calc.remove();
});

test("LibreOffice Calc has a sum typed into a cell, and saves it through its menu", async () => {
  act(scene, "click", "--id", markOf(scene, sheet, "cell", "B2"));
  // Empty cells are not read.
  act(scene, "type", "--key", "down", ...sheet);
  act(scene, "type", "=B1+B2", ...sheet);
  act(scene, "type", "--key", "enter", ...sheet);
  confirm(scene, "click", "--id", markOf(scene, sheet, "menu", "File"));
  const [save] = listShown(scene, ...sheet).filter(({ r, t }) => r === "menuitem" && t === "Save");
  act(scene, "click", "--id", String(save?.i));
  await waitFor("the sum in the file", () => /office:value="7"/.test(readFileSync(file, "utf8")));
  expect(readFileSync(file, "utf8")).toContain('table:formula="of:=[.B1]+[.B2]"');
});
