import { describe, expect, test } from "bun:test";
import { findDangers } from "../../src/guard/danger/danger.ts";
import type { Request } from "../../src/guard/gate.ts";
import { userPolicy } from "../../src/guard/policy/defaults.ts";
import { findWindowStanding } from "../../src/guard/policy/policy.ts";
import { findReceivers } from "../../src/guard/receiver.ts";
import type { Command } from "../../src/model/command.ts";
import { succeed } from "../../src/model/failure.ts";
import type { Popup } from "../../src/model/window.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { about, control, keys, typing } from "./sample-commands.ts";

const field = control("input", "Search", "editable");
const request = about(field);
if (request.window === undefined) throw new Error("the sample has a window");
const { window } = request;
const named = (app: string): Popup => ({ ...window, app, aliases: [app], class: app, pid: 5, isFocused: false });

function find(command: Command, receivers: readonly Popup[]) {
  return findDangers(command, request, userPolicy, receivers).map(({ danger }) => danger);
}

test("launchers are hands-off, by the class of their windows and by their program", () => {
  for (const app of ["Rofi", "dmenu", "krunner", "Ulauncher", "Xfce4-appfinder", "gnome-shell", "albert"])
    expect([app, findWindowStanding(userPolicy, named(app))]).toEqual([app, "hands-off"]);
});

test("text and Enter for a desktop's panel may start a program; other keys and applications may not", () => {
  for (const app of ["cinnamon", "plasmashell", "Xfce4-panel", "mate-panel"]) {
    expect(find(typing("xterm"), [named(app)])).toEqual(["run-program"]);
    expect(find(keys("Return"), [named(app)])).toEqual(["run-program"]);
    expect(find(keys("Escape"), [named(app)])).toEqual([]);
  }
  expect(find(typing("xterm"), [named("mousepad")])).toEqual([]);
});

describe("a surface that has grabbed the keyboard", () => {
  async function reach(command: Command, popups: readonly Popup[], asked = request) {
    const platform = new FakeDesktop({ applications: [] }).open();
    platform.listWindows = async () => succeed({ windows: [window], monitors: [], screen: window.bounds });
    platform.listPopups = async () => succeed(popups);
    const receivers = await findReceivers(platform, command, asked, userPolicy);
    return receivers.ok ? find(command, receivers.value) : receivers;
  }
  const foreign: Popup = { ...named("starter"), id: 50, hasGrab: true };
  const own: Popup = { ...window, id: 51, hasGrab: true };

  test("of another program gets what is typed unseen", async () => {
    expect(await reach(typing("a"), [foreign])).toEqual(["unseen"]);
    expect(await reach(keys("a"), [foreign])).toEqual(["unseen"]);
    expect(await reach(keys("Escape"), [foreign])).toEqual([]);
  });

  test("of the same program is its own list", async () => {
    expect(await reach(typing("a"), [own])).toEqual([]);
  });

  test("is an open menu of the same program, whatever lies over it", async () => {
    const menu: Popup = { ...own, isMenu: true, hasGrab: false };
    const told: Request = { ...request, tellsMenu: () => true };
    expect(await reach(typing("a"), [foreign, menu], told)).toEqual([]);
  });
});
