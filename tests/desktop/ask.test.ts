import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openScene, type Scene } from "./scene.ts";

// Plain requests to a real form, without a model. The form itself tells what was done.

const form = join(import.meta.dir, "../fixtures/apps/form-gtk3.py");
const secret = "Hunter2!swordfish";

let scene: Scene;
let state: string;
beforeAll(async () => {
  scene = await openScene();
  state = join(scene.sandbox.env.HOME ?? "", "form.json");
  await scene.start(["/usr/bin/python3", form, state, "Form"], "Form");
  await scene.settle();
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
});

interface Said {
  readonly status: number;
  readonly text: string;
  readonly effect?: string;
  readonly choices?: readonly number[];
  readonly understood?: { readonly of: string };
}

function ask(request: string): Said {
  const { status, stdout, stderr } = scene.deskmap("ask", request, "--format", "json");
  expect(stdout, stderr).not.toBe("");
  return { status, ...JSON.parse(stdout) };
}

const told = () => JSON.parse(readFileSync(state, "utf8"));

describe("a request", () => {
  test.each([
    ["check Agree", { agree: true }],
    ["please uncheck the Agree box", { agree: false }],
    ["hake Agree an", { agree: true }],
    ["type Ada Lovelace in Name", { name: "Ada Lovelace" }],
    ["choose Large", { size: "Large" }],
    ["select Blue in Colour", { colour: "Blue" }],
    ["set the Count to 7", { count: 7 }],
  ])("%s is done, and its effect told", (request, expected) => {
    const said = ask(request);
    expect(said, said.text).toMatchObject({ status: 0, effect: "confirmed" });
    expect(told()).toMatchObject(expected);
  });

  test("that names nothing presses nothing, and says so", () => {
    const before = told();
    expect(ask("press Launch the rocket")).toMatchObject({
      status: 1,
      text: expect.stringContaining("Launch the rocket"),
    });
    expect(ask("what is the meaning of life and everything")).toMatchObject({ status: 1 });
    expect(told()).toEqual(before);
  });

  test("that could mean several controls is a question with at most three choices", () => {
    const before = told();
    const said = ask("press on");
    expect(said.choices?.length ?? 0).toBeLessThanOrEqual(3);
    expect(said.status).toBe(1);
    expect(told()).toEqual(before);
  });

  test("by a taught name, and by its number", () => {
    const { matches } = JSON.parse(scene.deskmap("find", "Agree", "--role", "chk", "--format", "json").stdout);
    const mark = matches[0].i;
    expect(scene.deskmap("teach", "lucky box", "--id", String(mark)).status).toBe(0);
    expect(ask("uncheck lucky box")).toMatchObject({ status: 0 });
    expect(told()).toMatchObject({ agree: false });
    expect(ask(`click ${mark}`)).toMatchObject({ status: 0 });
    expect(told()).toMatchObject({ agree: true });
  });
});

describe("a question", () => {
  test("about the place is answered with the window and the focus", () => {
    scene.deskmap("focus", "Name", "--role", "input");
    expect(ask("where am I?").text).toMatch(/Form.*Name/s);
  });

  test("about the screen and its controls names them", () => {
    expect(ask("what is on the screen?").text).toContain("Form");
    expect(ask("what can I do here?").text).toContain("Large (radio button)");
    expect(ask("how do I get to Large?").text).toMatch(/Tab|number/);
  });

  test("about a secret is not answered with it", () => {
    scene.deskmap("focus", "Password", "--role", "input");
    scene.run("xdotool", "type", "--delay", "30", secret);
    const requests = [
      ...["read this", "read Password", "what is on the screen", "read the window", "where am I"],
      ...["what does the text say", "read line one", "what is password set to", "is password set"],
    ];
    for (const request of requests) {
      const said = ask(request);
      expect([request, /Hunter2|swordfish/.test(JSON.stringify(said))]).toEqual([request, false]);
    }
  });
});
