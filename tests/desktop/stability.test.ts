import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { casesOf } from "../tier.ts";
import { Changing, countKept } from "./changing.ts";

// The application identifies its controls through pyatspi: a mark that ever refers to two of them fails.

const fixtures = join(import.meta.dir, "../fixtures/apps");
const all = 11;

const settings = mkdtempSync(join(tmpdir(), "deskmap-settings-"));
for (const version of ["gtk-3.0", "gtk-4.0"]) {
  mkdirSync(join(settings, version));
  writeFileSync(join(settings, version, "settings.ini"), "[Settings]\ngtk-font-name=Sans 22\n");
}
process.on("exit", () => rmSync(settings, { recursive: true, force: true }));

interface Toolkit {
  readonly name: "gtk3" | "gtk4" | "qt5";
  readonly theme: string;
  readonly font: string;
  readonly scale: string;
  /** Whether the fixture exposes the ids that it gives its controls. */
  readonly hasIds?: boolean;
}

const toolkits: readonly Toolkit[] = [
  {
    name: "gtk3",
    theme: "GTK_THEME=HighContrast",
    font: `XDG_CONFIG_HOME=${settings}`,
    scale: "GDK_SCALE=2",
    hasIds: true,
  },
  { name: "gtk4", theme: "GTK_THEME=Default:dark", font: `XDG_CONFIG_HOME=${settings}`, scale: "GDK_SCALE=2" },
  { name: "qt5", theme: "QT_STYLE_OVERRIDE=windows", font: "QT_FONT_DPI=160", scale: "QT_SCALE_FACTOR=2" },
];

describe.each([...casesOf(toolkits.slice(0, 1), toolkits.slice(1))])(
  "the controls of an application of $name",
  ({ name, theme, font, scale, hasIds = false }) => {
    test("keep their marks through every change that leaves them the same, and no mark ever refers to another", async () => {
      const title = `Changing ${name}`;
      const app = await Changing.open(title);
      const start = (...variables: readonly string[]) =>
        app.start(["env", ...variables, "/usr/bin/python3", join(fixtures, `changing-${name}.py`), title]);
      try {
        await start();
        const first = await app.read({ store: "Save" }, all);
        const storeMark = first.get("store") ?? 0;
        app.desktop.marks.teach(storeMark, "keep my work");
        const kept: Record<string, number> = {};
        const look = async (what: string, labels: Readonly<Record<string, string>>, count = all): Promise<void> => {
          kept[what] = countKept(first, await app.read(labels, count));
        };

        app.move(40, 60, 700, 500);
        await look("moved and resized", {});
        app.tell("renamed");
        await look("renamed while it runs", { store: "Save changes" });
        expect(app.desktop.marks.findRef(storeMark)?.name).toBe("Save changes");
        app.tell("counted");
        await look("counted while it runs", { inbox: "Inbox (12)", store: "Save" });

        const later: readonly [
          what: string,
          variables: readonly string[],
          labels: Record<string, string>,
          count: number,
        ][] = [
          ["started again", [], { inbox: "Inbox (3)" }, all],
          ["another theme", [theme], {}, all],
          ["another font size", [font], {}, all],
          ["twice the scale", [scale], {}, all],
          ["neighbours inserted", ["CHANGES=inserted"], { Import: "Import" }, all + 3],
          ["neighbours removed", ["CHANGES=removed"], {}, all - 2],
          ["labels counted", ["CHANGES=counted"], { inbox: "Inbox (12)" }, all],
          ["one renamed", ["CHANGES=renamed"], { store: "Save changes" }, all],
          ["another language", ["CHANGES=german"], { store: "Speichern" }, all],
          ["in it, neighbours removed", ["CHANGES=german removed"], { store: "Speichern" }, all - 2],
          ["in it, neighbours inserted", ["CHANGES=german inserted"], { Import: "Import" }, all + 3],
          ["as at first", [], { store: "Save" }, all],
        ];
        for (const [what, variables, labels, count] of later) {
          await start(...variables);
          await look(what, labels, count);
        }

        console.log(`  ${name}: ${JSON.stringify(kept)} of ${all}`);
        app.expectNothingWrong();
        expect(kept).toEqual({
          "moved and resized": all,
          "renamed while it runs": all,
          "counted while it runs": all,
          "started again": all,
          "another theme": all,
          "another font size": all,
          "twice the scale": all,
          "neighbours inserted": all,
          "neighbours removed": all - 2,
          "labels counted": all,
          // Without an id, a renamed control cannot be distinguished from one that took its place.
          "one renamed": hasIds ? all : all - 1,
          "another language": hasIds ? all : 0,
          "in it, neighbours removed": hasIds ? all - 2 : 0,
          "in it, neighbours inserted": hasIds ? all : 0,
          "as at first": all,
        });
        expect(app.desktop.marks.findLearned([storeMark]).get(storeMark)?.taught).toBe("keep my work");
      } finally {
        await app.close();
      }
    });
  },
);
