import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openMcp } from "../server/mcp-client.ts";
import { openScene, type Scene } from "./scene.ts";

// A program records its own work with the library, and an MCP client does it again by a tool of its own. The form's file tells.

const root = join(import.meta.dir, "../..");
const form = join(root, "tests/fixtures/apps/order-gtk3.py");
const bun = join(root, "node_modules/bun/bin/bun.exe");
let scene: Scene;
let orders = "";

beforeAll(async () => {
  scene = await openScene();
  orders = join(scene.sandbox.env.HOME ?? "", "orders.jsonl");
  await scene.start(["/usr/bin/python3", form, orders], "Order");
});
afterAll(async () => {
  scene.deskmap("serve", "stop");
  await scene.close();
});

const stored = (): unknown[] =>
  existsSync(orders)
    ? readFileSync(orders, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];

const program = (file: string): string => `
import { writeFileSync } from "node:fs";
import { openDesktop } from ${JSON.stringify(join(root, "src/library/index.ts"))};
await using desk = await openDesktop({ client: "shop" });
await using other = await openDesktop({ client: "other" });
const form = desk.app("order-gtk3");
await form.input("E-mail").fill("before@example.org");
const recording = desk.record("order", { description: "stores an order" });
await form.input("Name").fill("Ada Lovelace");
await other.app("order-gtk3").checkbox("Send news").check();
await desk.hold(async (held) => {
  await held.app("order-gtk3").button("Store").click();
  await held.app("order-gtk3").button("Good").click();
});
const demo = await recording.stop();
await form.input("E-mail").fill("after@example.org");
writeFileSync(${JSON.stringify(file)}, JSON.stringify(demo));
await desk.replay(demo, { name: "Grace Hopper" });
`;

test("the library records what its own desk did, also in a hold, and nothing of others", () => {
  const [script, file] = [
    join(scene.sandbox.env.HOME ?? "", "shop.ts"),
    join(scene.sandbox.env.HOME ?? "", "order.demo.json"),
  ];
  writeFileSync(script, program(file));
  const { status, stderr } = scene.run(bun, script);
  expect([status, stderr]).toEqual([0, ""]);
  const demo = JSON.parse(readFileSync(file, "utf8"));
  expect(demo.steps.map(({ tool, ref }: { tool: string; ref: { name: string } }) => [tool, ref.name])).toEqual([
    ["set-value", "Name"],
    ["click", "Store"],
    ["click", "Good"],
  ]);
  expect(stored()).toEqual([
    { name: "Ada Lovelace", mail: "before@example.org", news: true },
    { name: "Grace Hopper", mail: "after@example.org", news: true },
  ]);
  expect(scene.deskmap("demo", "import", file).status).toBe(0);
});

test("an MCP client gets it as a tool, and does it with another value", async () => {
  rmSync(orders);
  const client = await openMcp(scene.sandbox.env, { args: ["--tools", "read", "--demos", "order"] });
  try {
    const { tools } = await client.ask<{ readonly tools: readonly { readonly name: string }[] }>("tools/list");
    expect(tools.map(({ name }) => name)).toEqual(["read", "demo_order"]);
    expect(tools[1]).toMatchObject({ inputSchema: { properties: { name: { type: "string" } } } });
    const done = await client.call("demo_order", { name: "Bob Builder" });
    expect(done.structuredContent).toMatchObject({ demo: "order", done: [1, 2, 3] });
    expect(stored()).toEqual([{ name: "Bob Builder", mail: "after@example.org", news: true }]);
  } finally {
    await client.close();
  }
});
