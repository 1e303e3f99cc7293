import { expect, test } from "bun:test";
import { attend } from "../../../src/platform/attentive.ts";
import { FakeDesktop } from "../../../src/platform/fake/open.ts";
import { unwrap } from "../../desktop/controls-scene.ts";

const desktop = new FakeDesktop({ applications: [] });

test("an in-memory surface records drawings, and a test picks on it", async () => {
  const surface = unwrap(await attend(desktop.open(), desktop.person).openDrawingSurface());
  const [kept] = desktop.surfaces;
  const box = { x: 1, y: 2, width: 3, height: 4 };
  await surface.draw([{ kind: "box", key: "1", bounds: box, colour: "#ff0000", stroke: "thin" }]);
  expect(kept?.drawings).toMatchObject([{ key: "1" }]);
  const told: unknown[] = [];
  const stop = unwrap(
    await surface.pick({
      onMove: (point) => told.push(point),
      onPress: (point) => told.push(point),
      onDrag: (part, isDone) => told.push({ part, isDone }),
      onLeave: () => told.push("left"),
    }),
  );
  kept?.move({ x: 5, y: 6 });
  kept?.drag(box, true);
  stop();
  kept?.press({ x: 1, y: 1 });
  expect(told).toEqual([
    { x: 5, y: 6 },
    { part: box, isDone: true },
  ]);
  surface.close();
  expect(kept?.drawings).toEqual([]);
});

test("without drawing support, the failure says so", async () => {
  expect(await attend(desktop.open()).openDrawingSurface()).toMatchObject({
    ok: false,
    failure: { code: "UNAVAILABLE" },
  });
});
