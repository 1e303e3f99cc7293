import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Element, flatten } from "../../src/model/element.ts";
import type { Result } from "../../src/model/failure.ts";
import type { Hands } from "../../src/platform/hands.ts";
import type { Platform } from "../../src/platform/port.ts";
import { type Actor, type Stage, waitUntil } from "./stage.ts";

const timeoutMs = 4000;
const undone = "nothing was done.";

/** The contract for acting on elements that every platform must satisfy. */
export function describeHands(name: string, openStage: () => Promise<Stage>): void {
  describe(`the hands of the ${name} platform`, () => {
    let stage: Stage;
    let platform: Platform;
    let hands: Hands;
    beforeAll(async () => {
      stage = await openStage();
      platform = take(await stage.open());
      hands = take(await stage.openHands(platform));
    });
    afterAll(async () => {
      hands.close();
      platform.close();
      await stage.close();
    });

    const find = async (actor: Actor, isWanted: (element: Element) => boolean): Promise<Element> => {
      const { windows } = take(await platform.listWindows());
      const own = windows.filter(({ pid }) => pid === actor.pid);
      const reads = take(await platform.readWindows({ windows: own, includeHidden: false, timeoutMs }));
      const all = flatten(reads.flatMap(({ root }) => (root === undefined ? [] : [root])));
      const found = all.find(isWanted);
      if (found === undefined) throw new Error(`not among ${all.map((one) => `${one.role} ${one.name}`).join(", ")}`);
      return found;
    };
    const isField = ({ role, states }: Element): boolean => role === "input" && !states.has("secret");
    const isSecret = ({ states }: Element): boolean => states.has("secret");
    const isButton = ({ role }: Element): boolean => role === "button";

    test("see how much a field holds, and not what a secret one does", async () => {
      const secret = await find(stage.form, isSecret);
      const glimpse = take(await platform.glimpse(secret, timeoutMs));
      expect(glimpse?.length).toBe(stage.secret.length);
      expect(JSON.stringify(glimpse)).not.toContain(stage.secret);
    });

    test("refuse what a control does not offer, with nothing done", async () => {
      const element = await find(stage.form, isField);
      const refused = await hands.doToElement({ kind: "invoke", element, action: "no such action" });
      expect(refused).toMatchObject({ ok: false, failure: { code: "PATTERN_UNSUPPORTED", done: undone } });
      const selected = await hands.doToElement({ kind: "select", element, isSelected: true });
      expect(selected).toMatchObject({ ok: false, failure: { code: "PATTERN_UNSUPPORTED", done: undone } });
    });

    test("refuse a control whose object is another one now, with nothing done", async () => {
      const element = await find(stage.form, isButton);
      const other = { ...element, name: "Something else", ownName: "Something else" };
      const refused = await hands.doToElement({ kind: "invoke", element: other, action: "click" });
      expect(refused).toMatchObject({ ok: false, failure: { code: "NOT_FOUND", done: undone } });
    });

    test("refuse a control whose application has ended, with nothing done", async () => {
      const element = await find(stage.doomed, isButton);
      stage.end(stage.doomed);
      await waitUntil("its windows are gone", async () => {
        const list = take(await platform.listWindows());
        return list.windows.every(({ pid }) => pid !== stage.doomed.pid);
      });
      const refused = await hands.doToElement({ kind: "invoke", element, action: "click" });
      expect(refused).toMatchObject({ ok: false, failure: { code: "NOT_FOUND", done: undone } });
      expect(take(await platform.glimpse(element, timeoutMs))).toBeUndefined();
    });

    test("set the text of fields, secret ones too, as the application itself receives it", async () => {
      const [field, secret] = [await find(stage.form, isField), await find(stage.form, isSecret)];
      expect(await hands.doToElement({ kind: "set-text", element: field, text: "Grüße, мир" })).toMatchObject({
        ok: true,
      });
      expect(await hands.doToElement({ kind: "set-text", element: secret, text: "pass wörd" })).toMatchObject({
        ok: true,
      });
      const received = await stage.submit();
      expect(received).toContain("Grüße, мир");
      expect(received).toContain("pass wörd");
    });
  });
}

function take<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}
