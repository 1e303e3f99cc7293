import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openScene, type Scene } from "./scene.ts";

const fixture = join(import.meta.dir, "../fixtures/apps/renamed.py");

interface Shown {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
}

describe.each(["gtk3", "qt5"])("a control of %s that is renamed by its own use", (toolkit) => {
  let scene: Scene;
  let state: string;
  beforeAll(async () => {
    scene = await openScene();
    state = join(scene.sandbox.env.HOME ?? "", "state");
    await scene.start(["/usr/bin/python3", fixture, state, "Renamed", toolkit], "Renamed");
    await scene.settle();
  });
  afterAll(() => scene.close());

  const run = (...args: string[]): Record<string, unknown> => {
    const { stdout, stderr } = scene.deskmap(...args, "--window", "Renamed");
    return JSON.parse(stdout === "" ? stderr : stdout);
  };
  const readShown = (): Shown[] => run("read", "--compact").elements as Shown[];
  const markOf = (name: string, all = readShown()): number => all.find(({ t }) => t === name)?.i ?? 0;
  const press = (mark: number): Record<string, unknown> => run("click", "--id", String(mark));
  const listPresses = (): string[] => JSON.parse(readFileSync(state, "utf8")).presses;
  /** The mark under which an answer itself shows these words. */
  const markIn = (answer: unknown, name: string): number => {
    const found = new RegExp(`"i":(\\d+),[^{}]*"t":${JSON.stringify(name).replaceAll("*", "\\*")}`);
    return Number(found.exec(JSON.stringify(answer))?.[1] ?? 0);
  };

  test("is the same display with every new value, though a key has the former one as its name", () => {
    const all = readShown();
    const findDisplay = (words: string) => readShown().find(({ r, t }) => r !== "btn" && t === words)?.i;
    const display = findDisplay("0");
    expect(display).toBeGreaterThan(0);
    press(markOf("7", all));
    expect(findDisplay("7")).toBe(display);
    press(markOf("8", all));
    expect(findDisplay("78")).toBe(display);
  });

  test("keeps its mark in the answer that shows the new words, and is pressed by it", () => {
    const mark = markOf("Replace");
    const answer = run("check", "In all tabs");
    expect(markIn(answer, "Replace All")).toBe(mark);
    expect(press(mark)).toMatchObject({ target: { i: mark, t: "Replace All" } });
    expect(listPresses()).toContain("Replace All");
  });

  test("keeps its mark as the tab of a document that is not saved", () => {
    const mark = markOf("draft");
    const answer = run("click", "Edit");
    expect([markIn(answer, "*draft"), markOf("*draft")]).toEqual([mark, mark]);
  });

  test("is not pressed again by a batch that was written before the new words were shown", () => {
    const mark = markOf("Next");
    const { status } = scene.deskmap("do", "--steps", `click --id ${mark}\nclick --id ${mark}`);
    expect(status).not.toBe(0);
    expect(listPresses().filter((name) => name === "Next" || name === "Finish")).toEqual(["Next"]);
    expect(markOf("Finish")).toBe(mark);
  });
});
