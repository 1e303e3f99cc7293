import { afterAll, beforeAll, describe, expect, test as testAlways } from "bun:test";
import { writeFileSync } from "node:fs";
import { matrix } from "../../tier.ts";
import { type Scene, waitFor } from "../scene.ts";
import { type Form, openForm, type Toolkit } from "./form.ts";
import { makeFolder, openTaskScene } from "./task.ts";

/** What each toolkit calls the same control. */
interface Words {
  readonly toolkit: Toolkit;
  readonly radio: string;
  readonly branch: readonly [role: string, name: string];
  readonly row: string;
  readonly colourItem: string;
  readonly menuButton: string;
  readonly toggle: string;
  readonly expander: string;
}

interface Way {
  /** How it is done, if not the usual way. */
  readonly by?: string;
  readonly open?: () => Promise<Scene>;
  /** Runs only these tasks; all of them must exist. */
  readonly only?: readonly string[];
}

/** Every kind of control in one form. Each toolkit has its own file, so that they run in parallel. */
export function describeForm(words: Words, { by = "", open = openTaskScene, only }: Way = {}): void {
  const { toolkit } = words;
  const left = new Set(only);
  const test = (name: string, run: () => void | Promise<void>): void => {
    if (only === undefined || left.delete(name)) testAlways(name, run);
  };
  const testInMatrix: typeof test = (name, run) => {
    if (only === undefined || left.delete(name)) matrix.test(name, run);
  };
  describe(`a form in ${toolkit}${by}`, () => {
    const folder = makeFolder();
    let scene: Scene;
    let form: Form;

    beforeAll(async () => {
      scene = await open();
      form = await openForm(scene, toolkit, folder.path);
    });
    afterAll(async () => {
      await scene.close();
      folder.remove();
    });

    test("takes a name, typed, with letters that the keyboard has not", async () => {
      form.confirm("type", "Zoë Müller", "--id", form.mark("input", "Name"));
      await form.waitForState({ name: "Zoë Müller" });
    });

    test("takes another name, set at once", async () => {
      form.confirm("set-value", "Ada Lovelace", "--id", form.mark("input", "Name"));
      await form.waitForState({ name: "Ada Lovelace" });
    });

    test("takes a password, and the answer does not tell it", async () => {
      const { said } = form.act("type", "s3cret-Pass", "--id", form.mark("input", "Password"));
      await form.waitForState({ secret: "s3cret-Pass" });
      expect(said.replace(/^.*\n/, "")).not.toContain("s3cret-Pass");
    });

    testInMatrix("takes digits where only digits are allowed", async () => {
      form.confirm("type", "42", "--id", form.mark("input", "Age"));
      await form.waitForState({ age: "42" });
    });

    testInMatrix("is not said to have taken letters where only digits are allowed", () => {
      // In Qt, text set through accessibility bypasses the field's validator, and really is in the field.
      if (toolkit !== "qt5") form.doubt("set-value", "forty", "--id", form.mark("input", "Age"));
      form.doubt("type", "forty", "--id", form.mark("input", "Age"));
      expect(form.state().age).not.toContain("forty");
    });

    test("has its box ticked, left ticked, and cleared", async () => {
      const agree = form.mark("chk", "Agree");
      form.confirm("toggle", "--id", agree);
      await form.waitForState({ agree: true });
      form.confirm("check", "--id", agree);
      expect(form.state().agree).toBe(true);
      form.confirm("uncheck", "--id", agree);
      await form.waitForState({ agree: false });
    });

    test("has one of its sizes chosen", async () => {
      form.confirm("select", "--id", form.mark(words.radio, "Large"));
      await form.waitForState({ size: "Large" });
    });

    testInMatrix("has its combo box opened and closed", async () => {
      const colour = form.mark("select", "Colour");
      form.confirm("expand", "--id", colour);
      await form.appears(words.colourItem, "Red");
      form.confirm("collapse", "--id", colour);
    });

    test("counts to what is set", async () => {
      form.confirm("set-value", "17", "--id", form.mark("spin", "Count"));
      await form.waitForState({ count: 17 });
    });

    test("has its slider set to a value", async () => {
      form.confirm("set-value", "70", "--id", form.mark("slider", "Volume"));
      await form.waitForState({ volume: 70 });
    });

    test("has another colour chosen in its combo box", async () => {
      form.confirm("click", "--id", form.mark("select", "Colour"));
      form.confirm("click", "--id", await form.appears(words.colourItem, "Blue"));
      await form.waitForState({ colour: "Blue" });
      form.confirm("set-value", "Green", "--id", form.mark("select", "Colour"));
      await form.waitForState({ colour: "Green" });
    });

    test("takes two lines of notes", async () => {
      form.confirm("type", "first line\nsecond: naïve ✓", "--id", form.mark("input", "Notes"));
      await form.waitForState({ notes: "first line\nsecond: naïve ✓" });
    });

    testInMatrix("has a row far down its list of 500 selected", async () => {
      form.confirm("select", "Row 437", ...form.window);
      await form.waitForState({ row: "Row 437" });
    });

    test("has a branch of its tree opened and closed", async () => {
      const fruit = form.mark(...words.branch);
      form.confirm("expand", "--id", fruit);
      await form.waitForState({ opened: ["Fruit"] });
      await waitFor("what is in it", () => form.shown().some(({ t }) => t?.includes("Apple")));
      form.confirm("collapse", "--id", fruit);
      await form.waitForState({ opened: [] });
    });

    test("shows another tab", async () => {
      form.confirm("click", "--id", form.mark("tab", "Second"));
      await form.waitForState({ page: "Second" });
      form.act("click", "--id", await form.appears("btn", "On Second"));
      await form.waitForPress("on-second");
    });

    /** Opens a menu and chooses its second entry. Pop-up menus of Qt 5 are not in its tree, so keys are used there. */
    const chooseSecond = async (name: string, ...opening: string[]): Promise<void> => {
      if (toolkit === "qt5") {
        form.act(...opening);
        for (const key of ["down", "down", "enter"]) form.act("type", "--key", key);
      } else {
        form.confirm(...opening);
        form.act("click", "--id", await form.appears("menuitem", name));
      }
    };

    test("has an entry of its menu chosen", async () => {
      await chooseSecond("Beta", "click", "--id", form.mark(words.menuButton, "Options"));
      await form.waitForPress("menu-beta");
    });

    test("has an entry of a context menu chosen", async () => {
      await chooseSecond("Copy it", "click", "--button", "right", "--id", form.mark("txt", "Touch pad"));
      await form.waitForPress("context-copy");
    });

    test("is pressed where it has nothing but a surface, once and twice", async () => {
      form.act("click", "--id", form.mark("txt", "Touch pad"));
      await form.waitForPress("pad-1");
      form.act("click", "--double", "--id", form.mark("txt", "Touch pad"));
      await form.waitForPress("pad-twice");
    });

    test("has one thing dragged onto another", async () => {
      form.act("drag", "--from-id", form.mark("txt", "Parcel"), "--to-id", form.mark("txt", "Basket"));
      await form.waitForState({ basket: ["parcel"] });
    });

    if (toolkit !== "qt5") {
      test("has its switch switched", async () => {
        form.confirm("toggle", "--id", form.mark(words.toggle, "Night"));
        await form.waitForState({ night: true });
      });

      testInMatrix("has its expander opened, and what is in it pressed", async () => {
        const more = form.mark(words.expander, "More");
        form.confirm("expand", "--id", more);
        await form.waitForState({ more: true });
        form.act("click", "--id", await form.appears("btn", "Inside"));
        await form.waitForPress("inside");
        form.confirm("collapse", "--id", more);
      });
    }

    if (toolkit === "gtk3") {
      testInMatrix("has a file chosen in a dialog", async () => {
        const file = folder.in("enclosed.txt");
        writeFileSync(file, "enclosed");
        form.act("click", "--id", form.mark("btn", "(None)"));
        expect(form.act("wait", "--for", 'window "Attachment" opens').status).toBe(0);
        // Makes the dialog show the path field.
        form.act("type", "--key", "ctrl+l", "--window", "Attachment");
        form.act("type", file, "--window", "Attachment");
        form.act("type", "--key", "enter", "--window", "Attachment");
        await form.waitForState({ file });
      });

      test("has several things done by one batch, which stops at what does not hold", async () => {
        const file = folder.in("steps.txt");
        const steps = [
          `set-value "From a batch" --id ${form.mark("input", "Name")}`,
          `check --id ${form.mark("chk", "Agree")}`,
          `expect 'button "Never there" appears' ${form.window[0]} "${form.window[1]}"`,
          `uncheck --id ${form.mark("chk", "Agree")}`,
        ];
        writeFileSync(file, steps.join("\n"));
        expect(form.act("do", file).status).toBe(1);
        await form.waitForState({ name: "From a batch", agree: true });
      });
    }

    test("has its list scrolled until a row is in view", async () => {
      const row = form.confirm("select", "Row 250", ...form.window);
      await form.waitForState({ row: "Row 250" });
      form.confirm("scroll", "--to-id", /"i":(\d+)/.exec(row.said)?.[1] ?? "");
      await waitFor("the row in view", () => form.shown().some(({ t }) => t === "Row 250"));
    });

    if (toolkit === "qt5") {
      test("has its rows put in another order by dragging one onto the last", async () => {
        form.act("drag", "--from-id", form.mark("option", "One"), "--to-id", form.mark("option", "Three"));
        await waitFor("another order", () => form.state().order?.toString() !== "One,Two,Three");
        expect((form.state().order as string[]).toSorted()).toEqual(["One", "Three", "Two"]);
      });
    }

    test("has its button pressed by words, once", async () => {
      const before = form.state().presses.filter((identity) => identity === "save").length;
      form.act("click", "save", "button", ...form.window);
      await form.waitForPress("save");
      expect(form.state().presses.filter((identity) => identity === "save").length).toBe(before + 1);
    });

    test("is not said to have done anything where it does nothing", () => {
      const before = form.state();
      const { code } = form.doubt("click", "--id", form.mark("btn", "Locked"));
      expect(code).not.toBe("");
      form.doubt("click", "--id", form.mark("txt", "Only words"));
      form.doubt("click", "--id", form.mark("btn", "Nothing"));
      expect(form.state()).toEqual(before);
    });

    if (left.size > 0) throw new Error(`no such task: ${[...left].join(", ")}`);
  });
}
