import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Field, openField } from "../desktop/input-scene.ts";
import { permissive, setPolicy, tryCommand } from "../desktop/policy.ts";
import { openMcp, textOf } from "../server/mcp-client.ts";

// A turn gives no rights, and a batch is judged by its steps. What the editor holds is read through pyatspi.

let field: Field;
let turn: string;
beforeAll(async () => {
  field = await openField("mousepad");
  setPolicy(field.scene, permissive);
  turn = field.scene.deskmap("begin", "--for", "120s", "--format", "text").stdout.trim();
});
afterAll(async () => {
  field.scene.deskmap("serve", "stop");
  await field.close();
});

const acting: readonly (readonly string[])[] = [
  ["do", "--steps", "type SNEAKED"],
  ["type", "SNEAKED"],
];

test("a client that may only read cannot act in a turn of its own name, in a batch neither", () => {
  for (const command of acting) {
    const refused = tryCommand(field.scene, "--read-only", ...command, "--turn", turn);
    expect([refused.status, refused.reason]).toEqual([3, "read-only"]);
  }
  expect(field.read()).toBe("");
});

test("nor does it write a picture there, which is an action, too", () => {
  const picture = join(field.scene.sandbox.env.HOME ?? "", "sneaked.png");
  const steps = `screenshot --output ${picture}`;
  tryCommand(field.scene, "--read-only", "do", "--steps", steps, "--turn", turn);
  expect(existsSync(picture)).toBe(false);
  expect(tryCommand(field.scene, "do", "--steps", steps, "--turn", turn).status).toBe(0);
  expect(existsSync(picture)).toBe(true);
});

test("a client that may only read holds no turn, which would keep everybody else from acting", () => {
  const deskmap: Field["scene"]["deskmap"] = (...args) =>
    field.scene.run("env", "DESKMAP_READ_ONLY=1", join(import.meta.dir, "../../deskmap"), ...args);
  expect(tryCommand({ ...field.scene, deskmap }, "begin")).toMatchObject({ status: 3, reason: "read-only" });
});

test("another client that has the token neither acts in the turn nor ends it", () => {
  const deskmap: Field["scene"]["deskmap"] = (...args) =>
    field.scene.run("env", "DESKMAP_CLIENT=other", join(import.meta.dir, "../../deskmap"), ...args);
  for (const args of [...acting.map((command) => [...command, "--turn", turn]), ["end", turn]]) {
    const refused = tryCommand({ ...field.scene, deskmap }, ...args);
    expect(refused).toMatchObject({ status: 3, reason: "turn", message: "this turn is another client's" });
  }
  expect(field.read()).toBe("");
});

test("mcp --tools read,do reaches only read inside do", async () => {
  const client = await openMcp(field.scene.sandbox.env, { args: ["--tools", "read,do"] });
  try {
    const sneaking = await client.call("do", { steps: "read\ntype SNEAKED" });
    expect([sneaking.isError, textOf(sneaking)]).toEqual([
      true,
      expect.stringContaining('"type" is none of the tools'),
    ]);
    const reading = await client.call("do", { steps: "read" });
    expect([reading.isError, textOf(reading)]).toEqual([undefined, expect.stringContaining("Mousepad")]);
  } finally {
    await client.close();
  }
  expect(field.read()).toBe("");
});

test("its own client acts in the turn, alone and in a batch", () => {
  expect(tryCommand(field.scene, "do", "--steps", "type own", "--turn", turn).status).toBe(0);
  expect(tryCommand(field.scene, "end", turn).status).toBe(0);
  expect(field.read()).toBe("own");
});
