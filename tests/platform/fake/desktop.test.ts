import { describe, expect, test } from "bun:test";
import { type Element, flatten } from "../../../src/model/element.ts";
import { FakeDesktop } from "../../../src/platform/fake/open.ts";
import type { ControlSketch } from "../../../src/platform/fake/sketch.ts";

function openDesktop(...children: readonly ControlSketch[]): FakeDesktop {
  return new FakeDesktop({ applications: [{ name: "Editor", windows: [{ title: "notes", children }] }] });
}

async function look(desktop: FakeDesktop, includeHidden = true): Promise<Element[]> {
  const platform = desktop.open();
  const list = await platform.listWindows();
  if (!list.ok) throw new Error(list.failure.message);
  const reads = await platform.readWindows({ windows: list.value.windows, includeHidden, timeoutMs: 100 });
  if (!reads.ok) throw new Error(reads.failure.message);
  return reads.value.flatMap(({ root }) => flatten(root?.children ?? []));
}

function firstApp(desktop: FakeDesktop) {
  const [app] = desktop.applications;
  if (app === undefined) throw new Error("the desktop has an application");
  return app;
}

describe("the fake desktop", () => {
  test("counts look-alikes among all siblings, including hidden ones", async () => {
    const go: ControlSketch = { role: "button", name: "Go" };
    const desktop = openDesktop(go, { ...go, hidden: true }, { role: "toggle", name: "Go" }, go);
    const ranks = (await look(desktop, false)).map(({ alikeIndex, alikeCount }) => [alikeIndex, alikeCount]);
    expect(ranks).toEqual([
      [0, 3],
      [0, 1],
      [2, 3],
    ]);
  });

  test("names a nameless control after its content, but not a container", async () => {
    const inside: ControlSketch[] = [{ role: "text", name: "Alice" }];
    const named = await look(openDesktop({ role: "option", children: inside }, { role: "row", children: inside }));
    expect(named.map(({ role, name, ownName }) => [role, name, ownName])).toEqual([
      ["option", "Alice", ""],
      ["text", "Alice", "Alice"],
      ["row", "", ""],
      ["text", "Alice", "Alice"],
    ]);
  });

  test("gives a restarted application new ids for the same content", async () => {
    const desktop = openDesktop({ role: "button", name: "Go" });
    const before = await look(desktop);
    const { pid } = firstApp(desktop);
    firstApp(desktop).restart();
    const after = await look(desktop);
    expect(firstApp(desktop).pid).not.toBe(pid);
    expect(after[0]?.handle).not.toBe(before[0]?.handle ?? "");
    const anonymous = { handle: "", life: "" };
    expect({ ...after[0], ...anonymous }).toEqual({ ...before[0], ...anonymous });
  });

  test("shows another item through the same objects when a row is recycled", async () => {
    const row = (name: string): ControlSketch => ({ role: "row", children: [{ role: "text", name }] });
    const desktop = openDesktop(row("Alice"));
    const before = await look(desktop);
    firstApp(desktop).windows[0]?.root.children[0]?.recycle(row("Bob"));
    const after = await look(desktop);
    expect(after.map(({ handle }) => handle)).toEqual(before.map(({ handle }) => handle));
    expect(after[1]?.name).toBe("Bob");
  });

  test("reads neither the value of a secret field nor its content", async () => {
    const desktop = openDesktop(
      { role: "input", value: "hunter2", secret: true, children: [{ role: "text", name: "hunter2" }] },
      { role: "input", name: "PIN", value: "hunter2", states: ["editable"] },
    );
    const elements = await look(desktop);
    expect(elements.map(({ states }) => states.has("secret"))).toEqual([true, true]);
    expect(JSON.stringify(elements)).not.toContain("hunter2");
  });

  test("inserts, removes, reorders and renames on request", async () => {
    const desktop = openDesktop({ role: "button", name: "A" }, { role: "button", name: "B" });
    const root = firstApp(desktop).windows[0]?.root;
    root?.insert({ role: "button", name: "C" }, 1);
    root?.children[0]?.moveTo(2);
    root?.children[1]?.rename("Z");
    expect((await look(desktop)).map(({ name }) => name)).toEqual(["C", "Z", "A"]);
    root?.children[0]?.remove();
    expect((await look(desktop)).map(({ name }) => name)).toEqual(["Z", "A"]);
  });

  test("says which applications have a tree", async () => {
    const desktop = new FakeDesktop({
      applications: [
        { name: "Editor", windows: [{ title: "a" }] },
        { name: "Game", manner: "treeless", windows: [{ title: "b" }] },
      ],
    });
    const platform = desktop.open();
    const list = await platform.listWindows();
    const windows = list.ok ? list.value.windows : [];
    const covered = await platform.covers(windows);
    expect(covered.ok && windows.filter(({ id }) => covered.value.has(id)).map(({ app }) => app)).toEqual(["Editor"]);
  });
});
