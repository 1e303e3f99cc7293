import { expect, test } from "bun:test";
import { openSession } from "../../src/host/session.ts";
import { TrackedWindows } from "../../src/overlay/tracked-windows.ts";
import { OverlayScene } from "./scene.ts";

test("a scene that is closed while it starts follows nothing", async () => {
  const around = new OverlayScene([{ name: "Editor", windows: [{ title: "Letter", children: [] }] }]);
  const session = openSession(around.home.env, 1000, around.runtime);
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const source = {
    ...session,
    openLive: async () => {
      begun.resolve();
      await gate.promise;
      return session.openLive();
    },
    close: () => undefined,
  };
  const scene = new TrackedWindows(source, () => undefined, 1000);
  const showing = scene.show(undefined, new Set([1]));
  await begun.promise;
  scene.close();
  gate.resolve();
  await showing;
  expect(around.watching).toBe(0);
  session.close();
  around.close();
});
