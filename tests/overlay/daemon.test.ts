import { afterEach, expect, test } from "bun:test";
import { findPlaces } from "../../src/guard/places.ts";
import { HotkeyPost } from "../../src/guard/stop/hotkey.ts";
import { type DaemonScene, openDaemonScene } from "../server/daemon-scene.ts";

let scene: DaemonScene;
afterEach(() => scene.close());

const formats = ["json"] as const;

test("the daemon stays while anything is drawn, and leaves when nothing is", async () => {
  scene = openDaemonScene({ idleMs: 40 });
  const client = await scene.connect();
  await client.call({ tool: "overlay", input: { what: "on" }, formats });
  await client.close();
  await Bun.sleep(300);
  const again = await scene.connect();
  const { outputs } = await again.call({ tool: "overlay", input: { what: "status" }, formats });
  expect(JSON.parse(outputs.json ?? "")).toMatchObject({ on: true, marks: 20 });
  await again.call({ tool: "overlay", input: { what: "off" }, formats });
  await again.close();
  expect(await scene.daemon.left).toBe("nobody needed it");
});

test("a client's temporary drawings go with its connection", async () => {
  scene = openDaemonScene();
  const client = await scene.connect();
  await client.call({ tool: "read", input: { app: "pad" }, formats });
  const { failure } = await client.call({
    tool: "annotate",
    input: { what: "highlight", id: 1, whileConnected: true },
    formats,
  });
  expect(failure).toBeUndefined();
  expect(scene.desktop.surfaces.filter(({ isClosed }) => !isClosed).length).toBe(1);
  await client.close();
  for (const surface of scene.desktop.surfaces) while (!surface.isClosed) await Bun.sleep(5);
});

test("a picking client that disconnects releases the pointer", async () => {
  scene = openDaemonScene();
  // Without a real display, nothing can listen for the keys that stop everything.
  HotkeyPost.take(findPlaces(scene.env))?.announceReady();
  const client = await scene.connect();
  const picking = client.call({ tool: "overlay", input: { what: "pick" }, formats }).catch(() => undefined);
  while (scene.desktop.surfaces.at(-1)?.isPicking !== true) await Bun.sleep(5);
  await client.close();
  while (scene.desktop.surfaces.at(-1)?.isPicking === true) await Bun.sleep(5);
  await picking;
});

test("a daemon that exits removes everything", async () => {
  scene = openDaemonScene();
  const client = await scene.connect();
  await client.call({ tool: "overlay", input: { what: "on" }, formats });
  scene.daemon.leave("the test is over");
  await scene.daemon.left;
  expect(scene.desktop.surfaces.every(({ isClosed }) => isClosed)).toBe(true);
});
