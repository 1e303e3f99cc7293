import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Changing, countKept } from "./changing.ts";
import { prepareFirefox } from "./scene.ts";

setDefaultTimeout(180_000);
const html = readFileSync(join(import.meta.dir, "../fixtures/apps/changing.html"), "utf8");
const firefox = prepareFirefox(html);
afterAll(() => firefox.remove());
const all = 9;
const withIds = 6;

/** Firefox preferences that a person may set, until they are overridden. */
const settings = join(dirname(firefox.page), "user.js");
const ownSettings = readFileSync(settings, "utf8");
function set(...lines: readonly string[]): void {
  writeFileSync(settings, ownSettings);
  for (const line of lines) appendFileSync(settings, `\nuser_pref(${line});`);
}

test("the controls of a page in Firefox keep their marks through every change that leaves them the same", async () => {
  const app = await Changing.open("Changing page");
  const start = async (changes = ""): Promise<void> => {
    const address = `file://${firefox.page}${changes === "" ? "" : `#changes=${changes}`}`;
    await app.start([...firefox.command.slice(0, -1), address]);
    await app.scene.settle();
  };
  const kept: Record<string, number> = {};
  try {
    await start();
    const first = await app.read({ store: "Save" }, all);
    const storeMark = first.get("store") ?? 0;
    app.desktop.marks.teach(storeMark, "keep my work");
    const look = async (what: string, labels: Readonly<Record<string, string>>, count = all): Promise<void> => {
      kept[what] = countKept(first, await app.read(labels, count));
    };

    app.move(30, 40, 900, 600);
    await look("moved and resized", {});
    app.scene.run("xdotool", "key", "F9");
    await look("renamed while it is shown", { store: "Save changes" });
    set('"ui.systemUsesDarkTheme", 1', '"font.minimum-size.x-western", 24', '"layout.css.devPixelsPerPx", "2"');
    await start();
    await look("another theme and font size, twice the scale", { store: "Save" });
    set();
    await start("removed+counted");
    await look("neighbours removed, labels counted", { inbox: "Inbox (12)" }, all - 2);
    await start("inserted");
    await look("neighbours inserted", { Queue: "Queue" }, all + 3);
    await start();
    await look("as at first", { store: "Save" });
    await start("german");
    await look("another language", { store: "Speichern" });

    console.log(`  firefox: ${JSON.stringify(kept)} of ${all}`);
    app.expectNothingWrong();
    expect(kept).toEqual({
      "moved and resized": all,
      "renamed while it is shown": all,
      "another theme and font size, twice the scale": all,
      "neighbours removed, labels counted": all - 2,
      "another language": withIds,
      "neighbours inserted": all,
      "as at first": all,
    });
    expect(app.desktop.marks.findLearned([storeMark]).get(storeMark)?.taught).toBe("keep my work");
  } finally {
    await app.close();
  }
});
