import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Element, flatten } from "../../src/model/element.ts";
import type { Result } from "../../src/model/failure.ts";
import type { Hands } from "../../src/platform/hands.ts";
import type { Platform } from "../../src/platform/port.ts";
import { type ConformanceScene, type SceneWindow, waitUntil } from "./scene.ts";

const timeoutMs = 4000;
const undone = "nothing was done.";

/** The contract for acting on elements that every platform must satisfy. */
export function describeActing(name: string, openScene: () => Promise<ConformanceScene>): void {
  describe(`the hands of the ${name} platform`, () => {
    let scene: ConformanceScene;
    let platform: Platform;
    let hands: Hands;
    beforeAll(async () => {
      scene = await openScene();
      platform = take(await scene.open());
      hands = take(await scene.openHands(platform));
    });
    afterAll(async () => {
      hands.close();
      platform.close();
      await scene.close();
    });

    const find = async (window: SceneWindow, isWanted: (element: Element) => boolean): Promise<Element> => {
      const { windows } = take(await platform.listWindows());
      const own = windows.filter(({ pid }) => pid === window.pid);
      const reads = take(await platform.readWindows({ windows: own, includeHidden: false, timeoutMs }));
      const all = flatten(reads.flatMap(({ root }) => (root === undefined ? [] : [root])));
      const found = all.find(isWanted);
      if (found === undefined) throw new Error(`not among ${all.map((one) => `${one.role} ${one.name}`).join(", ")}`);
      return found;
    };
    const isField = ({ role, states }: Element): boolean => role === "input" && !states.has("secret");
    const isSecret = ({ states }: Element): boolean => states.has("secret");
    const isButton = ({ role }: Element): boolean => role === "button";

    test("report the length of a field, and not the content of a secret one", async () => {
      const secret = await find(scene.form, isSecret);
      const glimpse = take(await platform.glimpse(secret, timeoutMs));
      expect(glimpse?.length).toBe(scene.secret.length);
      expect(JSON.stringify(glimpse)).not.toContain(scene.secret);
    });

    test("refuse an action that a control does not offer, with nothing done", async () => {
      const element = await find(scene.form, isField);
      const refused = await hands.doToElement({ kind: "invoke", element, action: "no such action" });
      expect(refused).toMatchObject({ ok: false, failure: { code: "PATTERN_UNSUPPORTED", done: undone } });
      const selected = await hands.doToElement({ kind: "select", element, isSelected: true });
      expect(selected).toMatchObject({ ok: false, failure: { code: "PATTERN_UNSUPPORTED", done: undone } });
    });

    test("refuse a control whose object was replaced, with nothing done", async () => {
      const element = await find(scene.form, isButton);
      const other = { ...element, name: "Something else", ownName: "Something else" };
      const refused = await hands.doToElement({ kind: "invoke", element: other, action: "click" });
      expect(refused).toMatchObject({ ok: false, failure: { code: "NOT_FOUND", done: undone } });
    });

    test("refuse a control whose application has ended, with nothing done", async () => {
      const element = await find(scene.doomed, isButton);
      scene.end(scene.doomed);
      await waitUntil("its windows are gone", async () => {
        const list = take(await platform.listWindows());
        return list.windows.every(({ pid }) => pid !== scene.doomed.pid);
      });
      const refused = await hands.doToElement({ kind: "invoke", element, action: "click" });
      expect(refused).toMatchObject({ ok: false, failure: { code: "NOT_FOUND", done: undone } });
      expect(take(await platform.glimpse(element, timeoutMs))).toBeUndefined();
    });

    test("set the text of fields, secret ones too, as the application itself receives it", async () => {
      const [field, secret] = [await find(scene.form, isField), await find(scene.form, isSecret)];
      expect(await hands.doToElement({ kind: "set-text", element: field, text: "Grüße, мир" })).toMatchObject({
        ok: true,
      });
      expect(await hands.doToElement({ kind: "set-text", element: secret, text: "pass wörd" })).toMatchObject({
        ok: true,
      });
      const received = await scene.submit();
      expect(received).toContain("Grüße, мир");
      expect(received).toContain("pass wörd");
    });
  });
}

function take<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}
