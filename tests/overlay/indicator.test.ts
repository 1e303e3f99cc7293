import { expect, test } from "bun:test";
import { succeed } from "../../src/model/failure.ts";
import { OverlayController } from "../../src/overlay/controller.ts";
import { attend } from "../../src/platform/attentive.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { waitFor } from "../wait.ts";

const monitors = [
  { name: "one", bounds: { x: 0, y: 0, width: 1000, height: 800 }, isPrimary: true },
  { name: "two", bounds: { x: 1000, y: 0, width: 600, height: 800 }, isPrimary: false },
];

test("an indicator is on every monitor until it ends, and turning the overlay off does not remove it", async () => {
  const desktop = new FakeDesktop({ screen: { x: 0, y: 0, width: 1600, height: 800 }, monitors, applications: [] });
  const live = attend(desktop.open(), desktop.person);
  const controller = new OverlayController(async () => succeed(live));
  try {
    const shown = await controller.indicate("somebody listens");
    expect(controller.isNeeded).toBe(true);
    const [surface] = desktop.surfaces;
    const listTags = () => (surface?.drawings ?? []).flatMap((one) => (one.kind === "tag" ? [one] : []));
    expect(listTags().map(({ text }) => text)).toEqual(["somebody listens", "somebody listens"]);
    expect(listTags().map(({ bounds }) => (bounds.x < 1000 ? "one" : "two"))).toEqual(["one", "two"]);
    controller.turnOff();
    await controller.clear(() => true);
    expect(listTags()).toHaveLength(2);
    expect(desktop.surfaces).toHaveLength(1);
    if (shown.ok) shown.value();
    expect(controller.isNeeded).toBe(false);
    await waitFor("the end of the surface", () => surface?.isClosed === true);
  } finally {
    controller.close();
  }
});
