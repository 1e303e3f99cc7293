import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { casesOf } from "../tier.ts";
import { card, findPlanted, key, secret } from "./planted.ts";
import { permissive, setPolicy, tryCommand } from "./policy.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { pick, readShown } from "./shown.ts";

// Dragging over text puts it in the primary selection at once, including a secret that its field shows.

const apps = join(import.meta.dir, "../fixtures/apps");
type Planted = readonly [name: string, file: string, title: string, x: number];
const kits = casesOf<Planted>(
  [["GTK 3", "secrets-gtk3.py", "Three", 10]],
  [
    ["GTK 4", "secrets-gtk4.py", "Four", 440],
    ["Qt", "secrets-qt5.py", "Quint", 870],
  ],
);

let scene: Scene;
const folder = mkdtempSync(join(tmpdir(), "deskmap-selection-"));
beforeAll(async () => {
  scene = await openScene({ width: 1300, height: 620 });
  setPolicy(scene, permissive);
  for (const [, file, title, x] of kits) {
    const state = join(folder, `${title}.json`);
    await scene.start(["/usr/bin/python3", join(apps, file), state, title, secret, card, key], title);
    scene.run("xdotool", "search", "--onlyvisible", "--name", title, "windowmove", "--sync", String(x), "40");
  }
  await scene.settle();
});
afterAll(async () => {
  await scene.close();
  rmSync(folder, { recursive: true, force: true });
});

const readX = (selection: string): string =>
  scene.run("timeout", "2", "xclip", "-o", "-selection", selection).stdout.trim();

for (const [name, , title] of kits) {
  describe(`in ${name}`, () => {
    const point = (field: string): [string, string] => {
      const [x = 0, y = 0] = pick(readShown(scene, "--window", title), "input", field).p ?? [];
      return [String(x), String(y)];
    };
    const cityNow = (): string => JSON.parse(readFileSync(join(folder, `${title}.json`), "utf8")).City;
    /** As a person does: two clicks, or three if there is no word, repeated if a click began a drag; finally by keys. */
    const selectAll = async (field: string, text: string): Promise<void> => {
      const [x, y] = point(field);
      scene.run("xdotool", "search", "--onlyvisible", "--name", title, "windowactivate", "--sync");
      let tries = 0;
      await waitFor(`${text} to be selected`, () => {
        tries += 1;
        // From elsewhere, and long after the last press: GTK 4 ignores a press before the pointer has entered.
        scene.run("xdotool", "mousemove", "5", "5", "sleep", "0.6", "mousemove", x, y, "sleep", "0.1");
        scene.run("xdotool", "click", "--repeat", String(2 + (tries % 2)), "--delay", "60", "1", "sleep", "0.1");
        if (tries > 2)
          scene.run("xdotool", "mousemove", x, y, "click", "1", "sleep", "0.1", "key", "ctrl+a", "sleep", "0.1");
        return readX("primary") === text;
      });
    };

    test("a shown secret that a person selects or copies is not read, and not pasted into a plain field", async () => {
      await selectAll("Password", secret);
      scene.run("xdotool", "key", "ctrl+c");
      await waitFor("the copy", () => readX("clipboard") === secret);
      for (const selection of ["primary", "clipboard"]) {
        const { status, stdout, stderr } = scene.deskmap("clipboard", "read", "--selection", selection);
        expect([selection, status, stdout, /"reason":"(\w+)"/.exec(stderr)?.[1]]).toEqual([selection, 3, "", "secret"]);
        expect(findPlanted(stderr)).toEqual([]);
      }
      const [x, y] = point("City");
      expect(tryCommand(scene, "click", "--x", x, "--y", y, "--button", "middle")).toMatchObject({ reason: "secret" });
      expect(tryCommand(scene, "type", "--key", "ctrl+v", "--on", "City", "--window", title)).toMatchObject({
        reason: "secret",
      });
      expect(cityNow()).toBe("OSLO");
    });

    test("text that is not secret is read", async () => {
      await selectAll("City", "OSLO");
      expect(JSON.parse(scene.deskmap("clipboard", "read", "--selection", "primary").stdout)).toMatchObject({
        text: "OSLO",
      });
    });

    test("Deskmap selects nothing in a secret field, neither by two clicks nor by a drag", () => {
      const [x, y] = point("Password");
      for (const args of [
        ["click", "--x", x, "--y", y, "--double"],
        ["click", "Password", "--role", "input", "--double", "--window", title],
        ["drag", "--from-x", x, "--from-y", y, "--to-x", String(Number(x) - 60), "--to-y", y],
      ]) {
        expect([args, tryCommand(scene, ...args)]).toMatchObject([args, { status: 3, reason: "secret" }]);
      }
      expect(readX("primary")).toBe("OSLO");
    });
  });
}
