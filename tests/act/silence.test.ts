import { describe, expect, test } from "bun:test";
import type { Order } from "../../src/model/order.ts";
import type { Temper } from "../../src/sources/port.ts";
import { button, text } from "../map/desk.ts";
import { type OpenWindow, useWindows } from "./open-window.ts";

// Pressing again what had no effect when it was recorded.

const open = useWindows();
const click: Order = { kind: "click", button: "left", count: 1 };
const silenceMs = 30;
const foretold = { silenceMs };

/** The limits of the waits for a sign, from now on. */
function listWaits({ watch }: OpenWindow): readonly number[] {
  const waits: number[] = [];
  const { waitForSign } = watch;
  watch.waitForSign = (timeoutMs) => {
    waits.push(timeoutMs);
    return waitForSign.call(watch, timeoutMs);
  };
  return waits;
}

describe("a press that showed nothing when it was recorded", () => {
  test("is answered at the end of that time, and its effect not denied", async () => {
    const form = open(button("Go"));
    const waits = listWaits(form);
    const { verdict, evidence, isDelivered } = await form.do("go", click, { foretold });
    expect({ verdict, isDelivered }).toEqual({ verdict: "unverified", isDelivered: true });
    expect(evidence.at(-1)).toBe("an effect was not waited for longer, because its recording saw none");
    expect(Math.max(...waits)).toBeLessThanOrEqual(silenceMs);
  });

  test("holds the turn for no longer than any other, whatever it is said to be", async () => {
    const form = open(button("Go"));
    const waits = listWaits(form);
    await form.do("go", click, { foretold: { silenceMs: 600_000 } });
    expect(Math.max(...waits)).toBeLessThanOrEqual(550);
  });

  test("is looked at as long as its toolkit may take to begin", async () => {
    const form = open(button("Go"));
    const frame = form.desk.app.windows[0]?.root;
    form.watch.crossing = { reactionMs: 250, hasLateTitles: false, wasBefore: () => false };
    const later = (): void => {
      frame?.insert(button("Went"));
      form.watch.show("event");
    };
    Object.assign(form.desk.find("Go").sketch, { onPress: () => setTimeout(later, 60) });
    expect((await form.do("go", click, { foretold })).verdict).toBe("confirmed");
  });

  test("is watched to the end if something comes of it all the same", async () => {
    const form = open(button("Go"));
    const frame = form.desk.app.windows[0]?.root;
    const show = (name: string): void => {
      frame?.insert(button(name));
      form.watch.show("event");
    };
    const onPress = (): void => {
      show("Really?");
      setTimeout(() => show("Yes"), 35);
    };
    Object.assign(form.desk.find("Go").sketch, { onPress });
    const { verdict, changes } = await form.do("go", click, { foretold });
    expect(verdict).toBe("confirmed");
    expect(changes.appeared.map(({ name }) => name)).toEqual(["Really?", "Yes"]);
  });

  test("does not keep the next action waiting for its effect", async () => {
    const form = open(button("Go"), { role: "checkbox", name: "Wrap", actions: ["toggle"] });
    form.watch.crossing = { reactionMs: 10, hasLateTitles: false, wasBefore: () => false };
    await form.do("go", click, { foretold });
    const waits = listWaits(form);
    expect((await form.do("wrap", { kind: "check" })).verdict).toBe("confirmed");
    expect(Math.max(...waits)).toBeLessThan(550);
  });
});

describe("a change that was recorded", () => {
  const setUp = (temper?: Temper) => {
    const form = open(text("log"), button("Go"));
    const log = form.desk.find("log");
    Object.assign(form.desk.find("Go").sketch, {
      onPress: () => {
        if (temper !== undefined) form.watch.tempers.set(log.handle, temper);
        log.rename("went");
        form.watch.show("event");
      },
    });
    return form;
  };
  const changed = (after: string) => ({ changed: [{ role: "text", name: after, what: "name", after }] });

  test("is no doubt where nobody knows yet whether it happens by itself", async () => {
    const form = setUp();
    const waits = listWaits(form);
    expect(await form.do("go", click, { foretold: changed("went") })).toMatchObject({
      verdict: "confirmed",
      evidence: ['the name of txt "log" is "went" now'],
    });
    // Otherwise it is watched for three seconds.
    expect(Math.max(...waits)).toBeLessThanOrEqual(550);
  });

  test("proves nothing where that is known", async () => {
    const form = setUp("restless");
    expect((await form.do("go", click, { foretold: changed("went") })).verdict).toBe("unverified");
  });

  test("by itself, perhaps, is not watched where the recording proved nothing either", async () => {
    const form = setUp();
    const waits = listWaits(form);
    expect((await form.do("go", click, { foretold: { isUnproven: true } })).verdict).toBe("unverified");
    expect(Math.max(...waits)).toBeLessThanOrEqual(550);
  });

  test("to another text is watched as ever", async () => {
    const form = setUp();
    const waits = listWaits(form);
    await form.do("go", click, { foretold: changed("stopped") });
    expect(Math.max(...waits)).toBeGreaterThan(1000);
  });
});
