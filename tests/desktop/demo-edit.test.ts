import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openScene, type Scene } from "./scene.ts";

// A demo is edited as a person would, and then done in a form that has changed; the form's own file tells what came of it.

const form = join(import.meta.dir, "../fixtures/apps/order-gtk3.py");
let scene: Scene;
let [orders, file] = ["", ""];

beforeAll(async () => {
  scene = await openScene();
  orders = join(scene.sandbox.env.HOME ?? "", "orders.jsonl");
  const child = await scene.start(["/usr/bin/python3", form, orders], "Order");
  expect(run("record", "start", "order", "--agent").status).toBe(0);
  for (const [tool = "", ...words] of [
    ["set-value", "Ada Lovelace", "--on", "Name"],
    ["set-value", "ada@example.org", "--on", "E-mail"],
    ["check", "Send news"],
    ["click", "Store"],
    ["click", "Good"],
  ]) {
    expect(run(tool, ...words, "--app", "order-gtk3")).toMatchObject({ status: 0 });
  }
  const saved = run("record", "stop");
  expect(saved).toMatchObject({ status: 0, steps: 5 });
  file = String(saved.file);
  child.kill();
  rmSync(orders);
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
});

interface Answer extends Readonly<Record<string, unknown>> {
  readonly status: number;
  readonly matches?: readonly { readonly i: number; readonly p: readonly [number, number] }[];
  readonly error?: { readonly message: string; readonly done: string; readonly try?: string };
}

function run(...args: string[]): Answer {
  const { status, stdout, stderr } = scene.deskmap(...args, "--format", "json");
  return { status, ...JSON.parse(stdout || (stderr.trim().split("\n").at(-1) ?? "{}")) };
}

function editWith(script: string): Answer {
  const editor = join(scene.sandbox.env.HOME ?? "", "editor.sh");
  writeFileSync(editor, script);
  const { status, stdout, stderr } = scene.run(
    "env",
    ...["VISUAL=", `EDITOR=/bin/sh ${editor}`, join(import.meta.dir, "../../deskmap")],
    ...["demo", "edit", "order", "--format", "json"],
  );
  return { status: status ?? -1, ...JSON.parse(stdout || (stderr.trim().split("\n").at(-1) ?? "{}")) };
}

const read = (): string => readFileSync(file, "utf8");

test("a step whose control is called otherwise now gets the new one, and the demo is done with other names", async () => {
  const child = await scene.start(["/usr/bin/python3", form, orders, "renamed"], "Order");
  expect(run("replay", "order", "--timeout", "500")).toMatchObject({ status: 1 });
  expect(run("demo", "edit", "order", "--repick", "4", "Keep it", "--app", "order-gtk3")).toMatchObject({
    status: 0,
    doubts: [],
  });
  expect(JSON.parse(read())).toMatchObject({
    steps: { 3: { ref: { name: "Keep it" } }, length: 5 },
    former: [{ step: 4, ref: { name: "Store" } }],
  });
  expect(run("demo", "edit", "order", "--delete", "3", "--rename-param", "name=customer")).toMatchObject({
    status: 0,
    steps: 4,
    parameters: ["customer", "email"],
  });
  expect(run("demo", "edit", "order", "--move", "2", "--to", "1")).toMatchObject({ status: 0 });
  // The dialog is opened by the step before.
  const refused = run("demo", "edit", "order", "--delete", "3");
  expect(refused).toMatchObject({ status: 2, error: { message: "step 4 works in the window that step 3 opens" } });
  child.kill();
  const again = await scene.start(["/usr/bin/python3", form, orders, "renamed"], "Order");
  expect(run("replay", "order", "--param", "customer=Grace Hopper")).toMatchObject({ status: 0 });
  expect(JSON.parse(readFileSync(orders, "utf8"))).toEqual({
    name: "Grace Hopper",
    mail: "ada@example.org",
    news: false,
  });
  again.kill();
});

test("by a mark, by a point; and a control that is not there changes nothing", async () => {
  const child = await scene.start(["/usr/bin/python3", form, orders], "Order");
  const store = run("find", "Store", "--app", "order-gtk3");
  const { i, p } = (store.matches ?? [])[0] ?? { i: 0, p: [0, 0] };
  expect(run("demo", "edit", "order", "--repick", "3", "--id", String(i))).toMatchObject({ status: 0 });
  expect(JSON.parse(read()).steps[2].ref.name).toBe("Store");
  expect(run("demo", "edit", "order", "--repick", "3", "--at", p.join(","))).toMatchObject({ status: 0 });
  const before = read();
  expect(run("demo", "edit", "order", "--repick", "3", "no such control", "--app", "order-gtk3").status).toBe(1);
  expect(run("demo", "edit", "order", "--repick", "3").status).toBe(2);
  expect(read()).toBe(before);
  child.kill();
});

test("in an editor, only what is a demo is taken over; else the copy stays, and the place is told", () => {
  expect(editWith('sed -i "s/\\"format\\"/\\"description\\": \\"By hand\\", \\"format\\"/" "$1"')).toMatchObject({
    status: 0,
  });
  expect(JSON.parse(read()).description).toBe("By hand");
  const before = read();
  const wrong = editWith('sed -i "s/\\"confirmed\\"/\\"certain\\"/" "$1"');
  expect(wrong).toMatchObject({ status: 2 });
  expect(wrong.error?.message).toContain("steps[0].effect.verdict (step 1)");
  const copy = /your copy is (\S+)/.exec(wrong.error?.done ?? "")?.[1] ?? "";
  expect(readFileSync(copy, "utf8")).toContain('"certain"');
  rmSync(dirname(copy), { recursive: true });
  expect(editWith("exit 1").status).toBe(2);
  expect(read()).toBe(before);
});

test("a file that somebody else changes meanwhile is not written", () => {
  const other = read().replace("By hand", "By another");
  const theirs = join(scene.sandbox.env.HOME ?? "", "theirs.json");
  writeFileSync(theirs, other);
  const mine = editWith(`sed -i 's/By hand/By me/' "$1"; cp ${theirs} '${file}'`);
  expect(mine).toMatchObject({ status: 1, error: { done: "nothing was written." } });
  expect(mine.error?.message).toContain("was changed meanwhile");
  expect(read()).toBe(other);
  expect(existsSync(`${file}.part`)).toBe(false);
});
