import { describe, expect, test } from "bun:test";
import type { Order } from "../../src/model/order.ts";
import { idOfContent } from "../../src/model/pair.ts";
import type { Temper } from "../../src/sources/port.ts";
import { button, text } from "../map/desk.ts";
import { waitFor } from "../wait.ts";
import { useWindows } from "./open-window.ts";

// When the search for an effect starts and ends. judge.test.ts covers how the observations are judged.

const open = useWindows();
const click: Order = { kind: "click", button: "left", count: 1 };
const check: Order = { kind: "check" };

describe("an effect", () => {
  test("that comes some time after the press, with a sign, is waited for", async () => {
    const form = open(text("log"));
    const log = form.desk.find("log");
    form.watch.tempers.set(log.handle, "calm");
    const later = (): void => {
      log.rename("went");
      form.watch.show("event");
    };
    form.desk.app.windows[0]?.root.insert(button("Go", { onPress: () => setTimeout(later, 300) }));
    expect(await form.do("go", click)).toMatchObject({
      verdict: "confirmed",
      evidence: ['the name of txt "log" is "went" now'],
    });
  });

  test("that was there before the command returned is seen at once", async () => {
    const form = open({ role: "checkbox", name: "Wrap", actions: ["toggle"] });
    Object.assign(form.desk.find("Wrap").sketch, { onPress: () => form.watch.show("event") });
    expect(await form.do("wrap", check)).toMatchObject({ verdict: "confirmed", evidence: ["it is checked"] });
    expect(form.watch.vain).toBe(0);
  });

  test("that opens step by step is reported completely", async () => {
    const form = open(button("Open"));
    const frame = form.desk.app.windows[0]?.root;
    const steps = ["One", "Two", "Three"];
    const next = (): void => {
      const name = steps.shift();
      if (name === undefined) return;
      // As a mirror knows: steps that a busy machine shows far apart would otherwise look like changes by themselves.
      form.watch.tempers.set(idOfContent(frame?.handle ?? ""), "calm");
      frame?.insert(button(name));
      form.watch.show("event");
      setTimeout(next, 20);
    };
    Object.assign(form.desk.find("Open").sketch, { onPress: next });
    const { verdict, changes } = await form.do("open", click);
    expect(verdict).toBe("confirmed");
    expect(changes.appeared.map(({ name }) => name)).toEqual(["One", "Two", "Three"]);
  });

  test("of a dialog that clears its list before it closes is that it closed", async () => {
    const form = open(text("row"), button("Save"));
    const listWindows = form.platform.listWindows.bind(form.platform);
    form.platform.listWindows = async () => {
      const list = await listWindows();
      if (!list.ok) return list;
      return { ok: true, value: { ...list.value, windows: list.value.windows.map((one) => ({ ...one, ownerId: 1 })) } };
    };
    const row = form.desk.find("row");
    const close = (): void => {
      form.desk.app.windows.splice(0);
      form.watch.show("windows");
    };
    const onPress = (): void => {
      form.watch.tempers.set(row.handle, "calm");
      row.rename("-");
      form.watch.show("event");
      setTimeout(close, 60);
    };
    Object.assign(form.desk.find("Save").sketch, { onPress });
    expect(await form.do("save", click)).toMatchObject({
      verdict: "confirmed",
      evidence: expect.arrayContaining(['window "Form" closed']),
    });
  });

  test("is not missed because pixels keep changing", async () => {
    const form = open(text("log"), button("Go"));
    form.watch.tempers.set(form.desk.find("log").handle, "calm");
    const animation = setInterval(() => form.watch.show("pixels"), 5);
    try {
      Object.assign(form.desk.find("Go").sketch, { onPress: () => form.desk.find("log").rename("went") });
      expect((await form.do("go", click)).verdict).toBe("confirmed");
    } finally {
      clearInterval(animation);
    }
  });
});

test("an effect that is reported only during the last read is not denied", async () => {
  const form = open(text("log"), button("Go"));
  const log = form.desk.find("log");
  form.watch.tempers.set(log.handle, "calm");
  const { readWindows } = form.platform;
  form.platform.readWindows = async (request) => {
    const reads = await readWindows.call(form.platform, request);
    if (request.isAnew === true && log.name === "log") {
      log.rename("went");
      form.watch.show("event");
    }
    return reads;
  };
  expect((await form.do("go", click)).verdict).toBe("confirmed");
});

test("a field that holds what was typed is not read again because it reports so meanwhile", async () => {
  const form = open({ role: "input", name: "Town", states: ["editable", "focusable"] });
  const town = form.desk.find("Town");
  let looks = 0;
  const { readWindows } = form.platform;
  form.platform.readWindows = (request) => {
    if (town.value !== "") {
      looks += 1;
      form.watch.show("event", town.handle);
    }
    return readWindows.call(form.platform, request);
  };
  const typing = form.do("town", { kind: "type", text: "Ulm", delayMs: 0 });
  await waitFor("the text", () => town.value !== "");
  form.watch.show("event", town.handle);
  const effect = await typing;
  expect([effect.verdict, town.value, looks]).toEqual(["confirmed", "Ulm", 1]);
});

test("nobody looks for an effect that need not be verified, which is then unknown", async () => {
  const form = open(button("Go"));
  const effect = await form.do("go", click, { isUnverified: true });
  expect(effect).toMatchObject({ verdict: "unverified", isDelivered: true, isRetrySafe: false });
  expect(form.desk.fake.pressed).toHaveLength(1);
  expect(form.watch.vain).toBe(0);
});

describe("a negative verdict", () => {
  test("waits while the right effect may still come: another box changes first, then the target", async () => {
    const form = open({ role: "checkbox", name: "Wrap", actions: ["toggle"] }, { role: "checkbox", name: "Other" });
    const [wrap, other] = [form.desk.find("Wrap"), form.desk.find("Other")];
    const settle = (): void => {
      wrap.states.add("checked");
      form.watch.show("event");
    };
    const onPress = (): void => {
      wrap.states.delete("checked");
      other.states.add("checked");
      form.watch.show("event");
      setTimeout(settle, 150);
    };
    Object.assign(wrap.sketch, { onPress });
    expect(await form.do("wrap", check)).toMatchObject({ verdict: "confirmed", evidence: ["it is checked"] });
  });

  test("is given once nothing changes any more", async () => {
    const form = open({ role: "checkbox", name: "Wrap", actions: ["toggle"] }, { role: "checkbox", name: "Other" });
    const [wrap, other] = [form.desk.find("Wrap"), form.desk.find("Other")];
    const onPress = (): void => {
      wrap.states.delete("checked");
      other.states.add("checked");
    };
    Object.assign(wrap.sketch, { onPress });
    expect((await form.do("wrap", check)).verdict).toBe("wrong-target");
  });
});

describe("if nothing changes", () => {
  test("the search ends after a moment, and the state is unchanged", async () => {
    const form = open(button("Go"));
    expect(await form.do("go", click)).toMatchObject({
      verdict: "no-change",
      evidence: [expect.stringContaining('nothing changed in window "Form"')],
    });
    expect(form.watch.vain).toBe(1);
  });

  test("except pixels, the effect is unknown", async () => {
    const form = open(button("Go"));
    Object.assign(form.desk.find("Go").sketch, { onPress: () => form.watch.show("pixels") });
    expect((await form.do("go", click)).verdict).toBe("unverified");
  });

  test("except the focus, while the window keeps drawing, the effect may still come", async () => {
    const form = open(button("Go"), { role: "input", name: "Field" });
    const onPress = (): void => {
      form.desk.find("Field").states.add("focused");
      form.watch.show("event");
    };
    Object.assign(form.desk.find("Go").sketch, { onPress });
    const loading = setInterval(() => form.watch.show("pixels"), 20);
    try {
      expect(await form.do("go", click)).toMatchObject({
        verdict: "unverified",
        evidence: [expect.stringContaining("still being drawn")],
      });
    } finally {
      clearInterval(loading);
    }
  });

  test("except for a menu whose content is not exposed, that menu is the effect", async () => {
    const form = open(button("Go"));
    Object.assign(form.desk.find("Go").sketch, { onPress: () => form.watch.show("menu") });
    expect(await form.do("go", click)).toMatchObject({
      verdict: "confirmed",
      evidence: ["a menu opened that accessibility does not report"],
    });
  });

  test("because the application stopped answering, the effect is unknown", async () => {
    const form = open(button("Go"));
    Object.assign(form.desk.find("Go").sketch, { onPress: () => Object.assign(form.desk.app, { manner: "treeless" }) });
    expect((await form.do("go", click)).verdict).toBe("unverified");
  });
});

describe("the mirror's knowledge", () => {
  const pressing = (temper: Temper) => {
    const form = open(text("status"), button("Go"));
    const status = form.desk.find("status");
    const onPress = (): void => {
      form.watch.tempers.set(status.handle, temper);
      status.rename("went");
      form.watch.show("event");
    };
    Object.assign(form.desk.find("Go").sketch, { onPress });
    return form;
  };

  test("a text that never changed by itself confirms at once when it changes after a press", async () => {
    const form = pressing("calm");
    expect((await form.do("go", click)).verdict).toBe("confirmed");
    expect(form.watch.vain).toBe(0);
  });

  test("a text that changes by itself confirms nothing", async () => {
    expect((await pressing("restless").do("go", click)).verdict).toBe("unverified");
  });
});

describe("a self-changing element", () => {
  /** Changes a text at these times, over and over, while `work` runs. */
  async function whileChanging<T>(change: (step: number) => void, pauses: readonly number[], work: () => Promise<T>) {
    let step = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const next = (): void => {
      step += 1;
      change(step);
      timer = setTimeout(next, pauses[step % pauses.length]);
    };
    timer = setTimeout(next, 50);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  test.each<[string, readonly number[]]>([
    ["often", [100]],
    ["at long, irregular intervals", [2400, 1900]],
  ])("does not confirm a press: it changes %s without one, too", async (_when, pauses) => {
    const form = open(text("tick 0"), button("Go"));
    const counter = form.desk.find("tick 0");
    const tick = (step: number): void => {
      counter.rename(`tick ${step}`);
      form.watch.show("event");
    };
    const { verdict } = await whileChanging(tick, pauses, () => form.do("go", click));
    expect(verdict).toBe("unverified");
  });

  test("does not confirm a press by lines that come one after the other", async () => {
    const form = open(text("line 0"), button("Go"));
    const write = (step: number): void => {
      form.desk.app.windows[0]?.root.insert(text(`line ${step}`));
      form.watch.show("event");
    };
    const { verdict } = await whileChanging(write, [1200], () => form.do("go", click));
    expect(verdict).toBe("unverified");
  });

  test.each([
    ["is confirmed", "confirmed", false],
    ["is in doubt if something is drawn later that no read shows: it may come and go", "unverified", true],
  ] as const)("a text that appears once %s", async (_what, verdict, isDrawn) => {
    const form = open(button("Go"));
    const onPress = (): void => {
      form.desk.app.windows[0]?.root.insert(text("Saved"));
      form.watch.show("event");
      if (isDrawn) setTimeout(() => form.watch.show("pixels"), 1500);
    };
    Object.assign(form.desk.find("Go").sketch, { onPress });
    expect((await form.do("go", click)).verdict).toBe(verdict);
  });

  test("does not confirm a press by its own number: a button that counts seconds", async () => {
    const form = open(button("Send again (60)"));
    const own = form.desk.find("Send again (60)");
    const tick = (step: number): void => {
      own.rename(`Send again (${60 - step})`);
      form.watch.show("event");
    };
    const { verdict } = await whileChanging(tick, [1000], () => form.do("send again", click));
    expect(verdict).toBe("unverified");
  });

  test("does not hide the effect beside it", async () => {
    const form = open(text("tick 0"), text("log"), button("Go"));
    const counter = form.desk.find("tick 0");
    Object.assign(form.desk.find("Go").sketch, { onPress: () => form.desk.find("log").rename("went") });
    const tick = (step: number): void => {
      counter.rename(`tick ${step}`);
      form.watch.show("event");
    };
    const effect = await whileChanging(tick, [400], () => form.do("go", click));
    expect(effect).toMatchObject({ verdict: "confirmed", evidence: ['the name of txt "log" is "went" now'] });
  });

  test("that changed once and never again is the effect of the press", async () => {
    const form = open(text("log"), button("Go"));
    const onPress = (): void => {
      form.desk.find("log").rename("went");
      form.watch.show("event");
    };
    Object.assign(form.desk.find("Go").sketch, { onPress });
    expect((await form.do("go", click)).verdict).toBe("confirmed");
  });
});

test("an application whose last read took long is not denied an effect that comes during it", async () => {
  const form = open(text("log"), button("Go"));
  const log = form.desk.find("log");
  form.watch.tempers.set(log.handle, "calm");
  const readWindows = form.platform.readWindows.bind(form.platform);
  let isPressed = false;
  Object.assign(form.desk.find("Go").sketch, { onPress: () => (isPressed = true) });
  form.platform.readWindows = async (request) => {
    const read = await readWindows(request);
    // The last read shows the state before the effect, and is answered late.
    if (isPressed && request.isAnew === true && log.name === "log") {
      await Bun.sleep(200);
      log.rename("went");
    }
    return read;
  };
  expect(await form.do("go", click)).toMatchObject({ verdict: "confirmed" });
});
