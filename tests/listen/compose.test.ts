import { beforeEach, describe, expect, test } from "bun:test";
import type { Bounds } from "../../src/model/bounds.ts";
import type { ControlSketch } from "../../src/platform/fake/sketch.ts";
import { FakePerson } from "./person.ts";

const at = (x: number, y: number) => ({ x, y });
const box = (x: number, y: number, width = 100, height = 30) => ({ x, y, width, height });
const controls: readonly ControlSketch[] = [
  { role: "button", name: "Save", bounds: box(10, 10) },
  { role: "button", name: "Close", bounds: box(210, 10) },
  { role: "input", name: "Name", states: ["editable"], bounds: box(10, 60) },
  { role: "input", name: "Password", states: ["editable"], secret: true, bounds: box(210, 60) },
  {
    role: "list",
    name: "Things",
    bounds: box(10, 200, 100, 200),
    children: [{ role: "option", name: "Milk", bounds: box(10, 210) }],
  },
];
const [onSave, onClose, onMilk] = [at(20, 20), at(220, 20), at(20, 220)];
let person: FakePerson;
beforeEach(() => {
  person = new FakePerson(controls);
});

function focus(name: string): { value: string } {
  for (const one of ["Name", "Password", "Save"]) person.find(one).states.delete("focused");
  const control = person.find(name);
  control.states.add("focused");
  return control;
}

describe("presses", () => {
  test("a click has the control that was there at the press, even if the press removes it", async () => {
    await person.press(onSave);
    person.find("Save").remove();
    await person.release(onSave);
    expect(await person.finish()).toMatchObject([
      {
        tool: "click",
        input: {},
        aim: "control",
        markField: "id",
        ref: { role: "button", name: "Save", bbox: [10, 10, 110, 40] },
        point: onSave,
        app: "editor",
        window: "Letter",
        effect: { way: "pointer", gone: [{ role: "button", name: "Save" }] },
      },
    ]);
  });

  test("a press that closes its dialog, or opens one under the pointer, is of the window that was there", async () => {
    const [editor] = person.desktop.applications;
    if (editor === undefined) throw new Error("no editor");
    const good = { role: "button", name: "Good", bounds: box(10, 10) } as const;
    const sketch = { title: "Stored", bounds: box(0, 0, 300, 200), children: [good] };
    person.meanwhile = () => {
      person.meanwhile = undefined;
      editor.openWindow(sketch);
    };
    await person.click(onSave);
    person.meanwhile = () => {
      person.meanwhile = undefined;
      editor.windows.shift();
    };
    await person.click(onSave);
    const steps = await person.finish();
    expect(steps.map(({ window, ref }) => [window, ref?.name])).toEqual([
      ["Letter", "Save"],
      ["Stored", "Good"],
    ]);
  });

  test("two presses of one control in short time are a double click; of two controls, two clicks", async () => {
    await person.click(onSave);
    await person.click(at(22, 21), "left", 150);
    await person.click(onClose);
    person.find("Close").rename("Open");
    person.find("Open").handle = "another object";
    await person.click(onClose, "left", 150);
    await person.click(onSave, "right");
    await person.click(onSave, "right", 900);
    const steps = await person.finish();
    expect(steps.map(({ input, ref }) => [input, ref?.name])).toEqual([
      [{ double: true }, "Save"],
      [{}, "Close"],
      [{}, "Open"],
      [{ button: "right" }, "Save"],
      [{ button: "right" }, "Save"],
    ]);
  });

  test("a drag is one step with both ends", async () => {
    await person.press(onMilk);
    await person.release(onClose);
    expect(await person.finish()).toMatchObject([
      {
        tool: "drag",
        ref: { role: "option", name: "Milk" },
        toRef: { name: "Close" },
        point: onMilk,
        toPoint: onClose,
      },
    ]);
  });

  test("turns of the wheel over one part are one step, and the part that scrolls is its control", async () => {
    await person.turn(onMilk, "down", 5);
    await person.turn(onMilk, "up", 2);
    expect(await person.finish()).toMatchObject([
      { tool: "scroll", input: { direction: "down", amount: 5 }, ref: { role: "list", name: "Things" } },
      { tool: "scroll", input: { direction: "up", amount: 2 }, ref: { role: "list", name: "Things" } },
    ]);
  });

  describe("what had been reported before the press, and was not read then,", () => {
    const unread = "its window had just reported changes that were not read yet";
    const id = () => person.desktop.applications[0]?.windows[0]?.id ?? 0;

    test("is a doubt if something there may have moved; what is reported after the press is not", async () => {
      const note = (sinceMs: number, areas?: readonly Bounds[]) => {
        person.unread.set(id(), sinceMs);
        person.shifted.set(id(), { sinceMs, areas });
      };
      note(1);
      await person.click(onSave);
      note(Date.now());
      await person.click(onClose);
      note(1, [box(200, 0, 200, 50)]);
      await person.click(onSave);
      await person.click(onClose);
      const steps = await person.finish();
      expect(steps.map(({ ref, doubt }) => [ref?.name, doubt])).toEqual([
        ["Save", unread],
        ["Close", undefined],
        ["Save", undefined],
        ["Close", unread],
      ]);
    });

    test("is none if it was only a state and the same control is still there, and is one if that is gone", async () => {
      person.unread.set(id(), 1);
      await person.click(onSave);
      await person.click(onClose);
      person.find("Close").isHidden = true;
      const steps = await person.finish();
      expect(steps.map(({ ref, doubt }) => [ref?.name, doubt])).toEqual([
        ["Save", undefined],
        ["Close", unread],
      ]);
    });

    test("and was drawn around the control, is a doubt where its application tells nothing else", async () => {
      const areas = [
        { bounds: box(10, 10, 4, 4), isReported: false },
        { bounds: box(0, 0, 500, 500), isReported: true },
        { bounds: box(0, 0, 500, 500), isReported: false },
      ];
      for (const area of areas) {
        person.drawn = [{ ...area, sinceMs: 1 }];
        await person.click({ x: 11, y: 11 });
      }
      const steps = await person.finish();
      expect(steps.map(({ doubt }) => doubt !== undefined)).toEqual([false, false, true]);
    });
  });

  describe("a press that follows another before anybody could see the effect of that", () => {
    const crossed = "it came before the effect of the press before it was known";
    const id = () => person.desktop.applications[0]?.windows[0]?.id ?? 0;

    test("is doubtful if something moved there meanwhile, even if it is back at its place", async () => {
      await person.click(onSave);
      await person.click(onClose, "left", 60);
      person.shifted.set(id(), { sinceMs: person.timeMs + 40, areas: [box(200, 0, 200, 50)] });
      await person.click(onMilk, "left", 60);
      person.shifted.clear();
      const steps = await person.finish();
      expect(steps.map(({ ref, doubt }) => [ref?.name, doubt])).toEqual([
        ["Save", undefined],
        ["Close", crossed],
        ["Milk", undefined],
      ]);
    });

    test("is sure if only places were told and all is at its place, and doubtful if it is elsewhere", async () => {
      const tell = () => person.moved.set(id(), { sinceMs: person.timeMs + 10, areas: [box(0, 0, 600, 600)] });
      await person.click(onSave);
      tell();
      await person.click(onClose, "left", 60);
      const sure = await person.finish();
      expect(sure.map(({ doubt }) => doubt)).toEqual([undefined, undefined]);
      person = new FakePerson(structuredClone(controls));
      await person.click(onSave);
      tell();
      await person.click(onClose, "left", 60);
      Object.assign(person.find("Close").sketch, { bounds: box(214, 10) });
      const doubted = await person.finish();
      expect(doubted.map(({ ref, doubt }) => [ref?.name, doubt])).toEqual([
        ["Save", undefined],
        ["Close", crossed],
      ]);
    });

    test("is sure if nothing moved there, or if a person had the time to look", async () => {
      await person.click(onSave);
      await person.click(onClose, "left", 60);
      await person.click(onSave, "left", 500);
      person.shifted.set(id(), { sinceMs: person.timeMs + 40, areas: [box(10, 10)] });
      await person.click(onMilk, "left", 500);
      const steps = await person.finish();
      expect(steps.map(({ doubt }) => doubt)).toEqual([undefined, undefined, undefined, undefined]);
    });
  });

  test("an entry that only closes its menu has shown no effect", async () => {
    const menu = { role: "menu", name: "File", bounds: box(310, 10, 40, 20), states: ["expanded"] } as const;
    const item = { role: "menuitem", name: "Quit", bounds: box(310, 40) } as const;
    person = new FakePerson([...controls, { ...menu, children: [item] }]);
    await person.press(at(320, 50));
    person.find("Quit").remove();
    await person.release(at(320, 50));
    await person.press(onSave);
    person.find("Save").rename("Saved");
    await person.release(onSave);
    const verdicts = (await person.finish()).map(({ effect }) => effect?.verdict);
    expect(verdicts).toEqual(["unverified", "confirmed"]);
  });

  test("a press where a list is open that was not read yet leaves a doubt about what lies behind it", async () => {
    const pid = person.desktop.applications[0]?.pid ?? 0;
    const list = { pid, bounds: box(0, 0, 150, 80), sinceMs: 0, untilMs: Number.POSITIVE_INFINITY };
    const press = async (...popups: FakePerson["popups"]): Promise<void> => {
      person.popups = popups;
      await person.click(onSave);
    };
    await press(list);
    // It has just opened, and nobody knows where.
    await press({ ...list, bounds: undefined });
    // Another place, another program, and one that the press has opened or that was closed before.
    await press({ ...list, bounds: box(200, 200) }, { ...list, pid: -1 });
    await press({ ...list, sinceMs: Date.now() }, { ...list, untilMs: 0 });
    const steps = await person.finish();
    expect(steps.map(({ ref, doubt }) => [ref?.name, doubt])).toEqual([
      ["Save", "a menu or list that was not read lay over it"],
      ["Save", "a menu or list that was not read lay over it"],
      ["Save", undefined],
      ["Save", undefined],
    ]);
  });

  test("a press in a list that was read leaves none", async () => {
    const blue: ControlSketch = { role: "menuitem", name: "Entry", bounds: box(10, 10) };
    const menu: ControlSketch = { role: "menu", name: "Colours", bounds: box(10, 0, 100, 80), children: [blue] };
    const select: ControlSketch = { role: "select", name: "Colour", bounds: box(400, 10), children: [menu] };
    const good: ControlSketch = { role: "button", name: "Entry", bounds: box(10, 10) };
    // Its window has a shadow.
    const popover: ControlSketch = { role: "dialog", bounds: box(0, 0, 150, 120), children: [good] };
    for (const [shown, bounds] of [
      [select, box(10, 0, 100, 80)],
      [popover, box(-20, -20, 190, 160)],
    ] as const) {
      person = new FakePerson([...controls.slice(1), shown]);
      const pid = person.desktop.applications[0]?.pid ?? 0;
      person.popups = [{ pid, bounds, sinceMs: 0, untilMs: Number.POSITIVE_INFINITY }];
      await person.click(onSave);
      expect((await person.finish()).map(({ ref, doubt }) => [ref?.name, doubt])).toEqual([["Entry", undefined]]);
    }
  });

  test("a press beside an open menu may only close it, which leaves a doubt", async () => {
    const menu = { role: "menu", name: "File", bounds: box(310, 10, 40, 20), states: ["expanded"] } as const;
    const item = { role: "menuitem", name: "Quit", bounds: box(310, 40) } as const;
    person = new FakePerson([...controls, { ...menu, children: [item] }]);
    await person.click(at(320, 50));
    await person.click(onSave);
    const steps = await person.finish();
    expect(steps.map(({ ref, doubt }) => [ref?.name, doubt])).toEqual([
      ["Quit", undefined],
      ["Save", "a menu was open, and may have taken it"],
    ]);
  });

  test("where there is no control, the place is kept, and nothing is made up", async () => {
    await person.click(at(900, 700));
    const [step] = await person.finish();
    expect(step).toMatchObject({ tool: "click", aim: "point", point: at(900, 700) });
    expect(step?.ref).toBeUndefined();
  });
});

describe("texts", () => {
  test("what is typed into a field is its value, with the keys as evidence", async () => {
    const name = focus("Name");
    name.value = "Dr. ";
    await person.type("Adx", name);
    await person.key("BackSpace");
    name.value = name.value.slice(0, -1);
    await person.type("a", name);
    await person.click(onSave);
    expect(await person.finish()).toMatchObject([
      { tool: "set-value", input: { text: "Dr. Ada" }, typed: "Ada", ref: { name: "Name" }, aim: "control" },
      { tool: "click", ref: { name: "Save" } },
    ]);
  });

  test("a key that ends a text is a step of its own", async () => {
    const name = focus("Name");
    await person.type("Ada", name);
    await person.key("Return");
    await person.key("s", ["ctrl"]);
    await person.key("Down");
    await person.key("Down");
    const steps = await person.finish();
    expect(steps.map(({ tool, input }) => [tool, input])).toEqual([
      ["set-value", { text: "Ada" }],
      ["type", { key: "Return" }],
      ["type", { key: "Ctrl+S" }],
      ["type", { key: "Down", repeat: 2 }],
    ]);
  });

  test("Return leaves the cell of a sheet, and is a line of a text", async () => {
    const cell = {
      role: "cell",
      name: "A1",
      states: ["editable", "multiline", "focused"],
      bounds: box(310, 60),
    } as const;
    for (const [role, tools] of [
      ["cell", ["set-value", "type"]],
      ["input", ["set-value"]],
    ] as const) {
      person = new FakePerson([{ ...cell, role }]);
      await person.type("Ada", person.find("A1"));
      await person.key("Return");
      expect((await person.finish()).map(({ tool }) => tool)).toEqual([...tools]);
    }
  });

  test("a text that runs over several paragraphs of a document is typed where the focus is", async () => {
    const paragraph = { role: "text", states: ["editable", "multiline"], bounds: box(10, 100) } as const;
    const children = ["Dear", "Old"].map((name) => ({ ...paragraph, name }));
    person = new FakePerson([{ role: "document", name: "Letter", bounds: box(0, 90), children }]);
    const [one, two] = [person.find("Dear"), person.find("Old")];
    one.states.add("focused");
    await person.type(" Ada");
    one.rename("Dear Ada");
    await person.key("Return");
    one.states.delete("focused");
    two.states.add("focused");
    await person.type("How are you");
    two.rename("How are youOld");
    const steps = await person.finish();
    expect(steps).toMatchObject([{ tool: "type", input: { text: " Ada\nHow are you" }, aim: "focus" }]);
    expect(steps[0]).not.toHaveProperty("secret");
    expect(steps[0]).not.toHaveProperty("ref");
  });

  test("Return goes on with a text whose focus nobody had read yet", async () => {
    const paragraph = { role: "text", states: ["editable", "multiline"], bounds: box(10, 100) } as const;
    person = new FakePerson([{ ...paragraph, name: "Dear" }]);
    const only = person.find("Dear");
    await person.type(" Ada");
    await person.key("Return");
    await person.type("How are you");
    only.states.add("focused");
    only.rename("Dear Ada How are you");
    expect(await person.finish()).toMatchObject([{ tool: "type", input: { text: " Ada\nHow are you" }, aim: "focus" }]);
  });

  test("what changes after a key is not its effect while nothing has come of the input before it", async () => {
    const save = async (isTaken: boolean): Promise<unknown> => {
      person = new FakePerson([{ role: "text", name: "0 words", bounds: box(10, 100) }]);
      await person.key("Return");
      if (isTaken) person.changed.set(person.desktop.applications[0]?.windows[0]?.id ?? 0, person.timeMs + 10);
      await person.key("s", ["ctrl"]);
      person.find("0 words").rename("2 words");
      return (await person.finish()).at(-1)?.effect?.verdict;
    };
    expect(await save(true)).toBe("confirmed");
    expect(await save(false)).toBeUndefined();
  });

  test("keys for a paragraph have no ref: its name is the text that they change", async () => {
    const states = ["editable", "multiline", "focused"] as const;
    person = new FakePerson([{ role: "text", name: "Dear Ada", states: [...states], bounds: box(10, 100) }]);
    await person.key("End", ["ctrl"]);
    const [step] = await person.finish();
    expect(step).toMatchObject({ tool: "type", input: { key: "Ctrl+End" }, aim: "focus", window: "Letter" });
    expect(step).not.toHaveProperty("ref");
  });

  test("keys of a secret field are not in any step", async () => {
    focus("Password");
    await person.type("zebra99");
    await person.click(onSave);
    const steps = await person.finish();
    expect(steps).toMatchObject([
      { tool: "type", input: {}, secret: "Password", ref: { name: "Password" } },
      { tool: "click" },
    ]);
    expect(JSON.stringify(steps)).not.toMatch(/zebra|typed/);
  });

  test("a focus that is known too late does not give a secret away", async () => {
    const name = focus("Name");
    await person.type("ad", name);
    await person.key("Tab");
    // The mirror still says that the name has the focus, and shows its last letter only now.
    await person.key("a");
    name.value = "ada";
    await person.type("qwx");
    focus("Password");
    await person.click(onSave);
    const steps = await person.finish();
    expect(steps.map(({ tool, secret }) => [tool, secret !== undefined])).toEqual([
      ["set-value", false],
      ["type", false],
      ["type", true],
      ["click", false],
    ]);
    expect(JSON.stringify(steps)).not.toContain("qwx");
  });

  test("a card number is not kept, whatever field shows it", async () => {
    const name = focus("Name");
    await person.type("4111 1111 1111 1111", name);
    const steps = await person.finish();
    expect(steps).toMatchObject([{ tool: "type", input: {}, secret: "Name" }]);
    expect(JSON.stringify(steps)).not.toContain("4111");
  });

  test("keys in a window without a tree are not kept: nothing tells what they were for", async () => {
    person = new FakePerson([]);
    const [window] = person.desktop.applications;
    if (window !== undefined) person.desktop.end(window);
    person.desktop.start({ name: "game", manner: "treeless", windows: [{ title: "Game" }] });
    await person.type("xyzzy");
    const steps = await person.finish();
    expect(steps).toMatchObject([{ tool: "type", input: {}, secret: "the keys typed in Game", aim: "focus" }]);
  });
});

describe("what may not be seen", () => {
  const vault = { name: "Vault", windows: [{ title: "Keys", bounds: box(700, 0, 200, 200) }] };

  test("is a gap also if the press closes it before anybody asks", async () => {
    person = new FakePerson(controls, [vault]);
    person.meanwhile = () => {
      person.desktop.applications.find(({ name }) => name === "Vault")?.windows.pop();
    };
    await person.click(onSave);
    expect(await person.finish()).toMatchObject([{ gap: "Vault is blind" }]);
  });

  test("is one gap, without keys and places", async () => {
    person = new FakePerson(controls, [vault]);
    await person.click(at(750, 50));
    await person.click(at(760, 60));
    const [application] = person.desktop.applications.filter(({ name }) => name === "Vault");
    const [window] = application?.windows ?? [];
    if (application !== undefined && window !== undefined) person.desktop.bringToFront(application, window);
    await person.type("zebra99");
    await person.key("Return");
    const steps = await person.finish();
    expect(steps).toHaveLength(1);
    expect(steps).toMatchObject([{ tool: "click", input: {}, gap: "Vault is blind" }]);
    // A time of day has digits of its own.
    expect(JSON.stringify({ ...steps[0], atMs: 0 })).not.toMatch(/zebra|750|Keys/);
  });
});
