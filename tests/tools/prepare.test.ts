import { expect, test } from "bun:test";
import { toolEntries } from "../../src/tools/index.ts";

test("every tool refuses an argument that it does not know, and names those that it takes", async () => {
  for (const { name, load } of toolEntries) {
    const tool = await load();
    const prepared = tool.prepare({ bogus: 1 });
    const [first = ""] = Object.keys(tool.input.shape);
    expect([name, prepared]).toMatchObject([name, { ok: false, issue: { field: "bogus" } }]);
    expect(JSON.stringify(prepared)).toContain(first);
  }
});
