import { describe, expect, test } from "bun:test";
import { userPolicy } from "../../src/guard/policy/defaults.ts";
import { findStand, type Policy, type Rule, type Standing } from "../../src/guard/policy/policy.ts";
import type { Command } from "../../src/model/command.ts";
import type { Failure } from "../../src/model/failure.ts";
import { actingAliases, actingTools, readingTools } from "../../src/model/tool-name.ts";
import type { Window } from "../../src/model/window.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { toolEntries } from "../../src/tools/index.ts";
import { makeElement } from "../fixtures/elements.ts";
import { openGuard } from "./open-guard.ts";

const standingsOf = (...entries: [string, Standing][]): Pick<Policy, "standings"> => ({ standings: new Map(entries) });

describe("the entry that decides", () => {
  test("is, for each name, the most specific one", () => {
    const policy = standingsOf(["pin*", "hands-off"], ["pinentry*", "blind"], ["pinentry-tty", "normal"]);
    expect(findStand(policy, ["pinentry-gtk-2"])).toEqual({ standing: "blind", entry: "pinentry*" });
    expect(findStand(policy, ["Pinentry-TTY"])).toEqual({ standing: "normal", entry: "pinentry-tty" });
    expect(findStand(policy, ["pinboard"])).toEqual({ standing: "hands-off", entry: "pin*" });
  });

  test("is the one for all others only if no name has its own", () => {
    const policy = standingsOf(["*", "blind"], ["gimp", "normal"]);
    expect(findStand(policy, ["Gimp", "gimp-2.10"]).standing).toBe("normal");
    expect(findStand(policy, ["inkscape"]).standing).toBe("blind");
    expect(findStand(policy, []).standing).toBe("normal");
  });

  test("of the default lists is blind for what holds or asks for passwords, hands-off for what runs commands", () => {
    const blind = ["KeePassXC", "Gcr-prompter", "pinentry-gnome3", "ssh-askpass", "i3lock", "xscreensaver", "lxpolkit"];
    const handsOff = ["XTerm", "Gnome-terminal", "kitty", "Alacritty", "org.kde.konsole", "deskmap", "st-256color"];
    expect(blind.map((name) => findStand(userPolicy, [name]).standing)).toEqual(blind.map(() => "blind"));
    expect(handsOff.map((name) => findStand(userPolicy, [name]).standing)).toEqual(handsOff.map(() => "hands-off"));
    const normal = ["firefox", "Mousepad", "soffice.bin", "python3.13", "electron", "gimp"];
    expect(normal.map((name) => findStand(userPolicy, [name]).standing)).toEqual(normal.map(() => "normal"));
  });
});

test("every tool is classified as acting or not, as its entry says", () => {
  const list = (acts: boolean): string[] => toolEntries.filter((one) => one.acts === acts).map(({ name }) => name);
  expect(list(true).toSorted()).toEqual([...actingTools, ...Object.keys(actingAliases)].toSorted());
  expect(list(false).toSorted()).toEqual([...readingTools].toSorted());
});

describe("a command", () => {
  const bounds = { x: 0, y: 0, width: 400, height: 300 };
  const desktop = new FakeDesktop({
    applications: [
      { name: "Editor", windows: [{ title: "left", bounds }] },
      { name: "Painter", windows: [{ title: "right", bounds: { ...bounds, x: 500 } }] },
    ],
  });
  const lock: Window = {
    ...{ id: 99, pid: 9, app: "i3lock", aliases: ["i3lock"], class: "i3lock", title: "", isFocused: false, state: [] },
    ...{ bounds: { x: 0, y: 0, width: 1280, height: 800 }, monitor: "", zOrder: 0 },
  };
  const attempt = async (policy: Partial<Policy>, command: Command, element?: Parameters<typeof makeElement>[0]) => {
    const guard = openGuard(desktop, { policy });
    let failure: Failure | undefined;
    await guard.run({ tool: "test", isDryRun: false, timeoutMs: 100 }, async (gate) => {
      const made = element === undefined ? undefined : makeElement(element);
      const outcome = await gate.carryOut(command, { tool: "test", element: made });
      failure = outcome.ok ? undefined : outcome.failure;
      return { ok: false, failure: { code: "FAILED", message: "", done: "" } };
    });
    return failure?.reason;
  };
  const click = (x: number): Command => ({ kind: "click", point: { x, y: 100 }, button: "left", count: 1 });
  const drag: Command = { kind: "drag", from: { x: 100, y: 100 }, to: { x: 600, y: 100 }, button: "left" };
  const type: Command = { kind: "type", text: "x", delayMs: 0 };

  test("that reaches two applications is judged by the stricter", async () => {
    const rules: Rule[] = [{ apps: ["editor"], decision: "allow" }, { decision: "deny" }];
    expect(await attempt({ rules }, click(100))).toBeUndefined();
    expect(await attempt({ rules }, click(600))).toBe("rule");
    expect(await attempt({ rules }, drag)).toBe("rule");
    expect(await attempt(standingsOf(["painter", "hands-off"]), drag)).toBe("hands-off");
  });

  test("on a terminal embedded in another application counts as one on a terminal", async () => {
    expect(await attempt(userPolicy, type, { role: "terminal" })).toBe("hands-off");
    expect(await attempt(userPolicy, type, { role: "input" })).toBeUndefined();
    expect(await attempt({}, type, { role: "terminal" })).toBeUndefined();
  });

  test("with pointer or keys reaches nothing while a lock covers everything", async () => {
    desktop.popups = [lock];
    expect(await attempt(userPolicy, type)).toBe("blind");
    expect(await attempt(userPolicy, click(100))).toBe("blind");
    expect(await attempt(userPolicy, drag)).toBe("blind");
    // The entry for all others does not apply to the frames and tooltips that lie everywhere.
    desktop.popups = [{ ...lock, app: "openbox", aliases: [], class: "" }];
    expect(await attempt(standingsOf(["*", "hands-off"], ["editor", "normal"]), type)).toBeUndefined();
    desktop.popups = [];
  });
});
