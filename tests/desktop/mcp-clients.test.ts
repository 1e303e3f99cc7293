import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { launcher } from "../guard/terminal-session.ts";
import { type McpClient, openMcp } from "../server/mcp-client.ts";
import { type GuardedScene, guardScene } from "./guarded-scene.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { makeFolder } from "./tasks/task.ts";

const folder = makeFolder();
const danger = join(import.meta.dir, "../fixtures/apps/danger-gtk3.py");
let scene: Scene;
let guarded: GuardedScene;
let app: ChildProcess;
let client: McpClient;
let uri: string;

beforeAll(async () => {
  scene = await openScene();
  guarded = guardScene(scene, { actionsPerMinute: 0, hotkey: false });
  app = await scene.start(["/usr/bin/python3", danger, folder.in("danger.json"), "Danger"], "Danger");
  client = await openMcp(scene.sandbox.env, { folder: folder.path });
  const { resources } = await client.ask<{ resources: { uri: string; title?: string }[] }>("resources/list");
  uri = resources.find(({ title }) => title?.includes("Danger"))?.uri ?? "";
});
afterAll(async () => {
  await client.close();
  await scene.close();
  folder.remove();
});

/** Moves the pointer to where pyatspi places the button. */
function pointAtRefresh(): void {
  const { extents } = scene.ask("first", String(app.pid), "push button", "Refresh") as {
    extents: readonly [number, number, number, number];
  };
  const [left, top, width, height] = extents;
  scene.run("xdotool", "mousemove", String(left + Math.floor(width / 2)), String(top + Math.floor(height / 2)));
}

/** Clicks repeatedly until `work` ends. */
async function clickDuring<T>(work: Promise<T>): Promise<T> {
  pointAtRefresh();
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) {
    await once(spawn("xdotool", ["click", "1"], { env: scene.sandbox.env }), "exit");
    await Bun.sleep(100);
  }
  return work;
}

test("continuous changes are reported while they continue", async () => {
  await client.ask("resources/subscribe", { uri });
  const before = client.notices.length;
  const isTold = (): boolean => client.notices.slice(before).filter(({ params }) => params.uri === uri).length >= 4;
  await clickDuring(waitFor("four notices", isTold));
  await client.ask("resources/unsubscribe", { uri });
});

describe("clients that listen over HTTP in the newer protocol", () => {
  test("are notified of changes, and the log has their names", async () => {
    const server = spawn(launcher, ["mcp", "--http"], { env: scene.sandbox.env, stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(server, "exit");
    const leaving = new AbortController();
    try {
      const [line] = await once(createInterface({ input: server.stdout }), "line");
      const { url, token }: { url: string; token: string } = JSON.parse(String(line));
      const heard = { first: "", second: "" };
      for (const name of ["first", "second"] as const) {
        const listening = await fetch(url, { ...listenAs(name, token), signal: leaving.signal });
        const write = (text: string): void => {
          heard[name] += text;
        };
        const text = listening.body?.pipeThrough(new TextDecoderStream());
        void text?.pipeTo(new WritableStream({ write })).catch(() => undefined);
      }
      const isTold = (): boolean => Object.values(heard).every((text) => text.includes("resources/updated"));
      await clickDuring(waitFor("some notices", isTold));
      const log = readFileSync(guarded.places.audit, "utf8").trim().split("\n");
      const watches = log
        .map((one): { client: string; tool: string } => JSON.parse(one))
        .filter(({ tool }) => tool === "watch");
      expect([...new Set(watches.map((one) => one.client))].toSorted()).toEqual([
        "mcp:first",
        "mcp:scripted",
        "mcp:second",
      ]);
    } finally {
      leaving.abort();
      server.kill("SIGTERM");
      await ended;
    }
  });

  function listenAs(name: string, token: string): RequestInit {
    const protocol = "2026-07-28";
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": protocol,
      "io.modelcontextprotocol/clientInfo": { name, version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { notifications: { resourceSubscriptions: [uri], resourcesListChanged: true }, _meta };
    return {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": protocol,
        "mcp-method": "subscriptions/listen",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params }),
    };
  }
});

describe("file names", () => {
  test("are relative to the client's folder, although the daemon runs elsewhere", async () => {
    const shot = await client.call("screenshot", { window: "Danger", output: "shot.png" });
    expect(shot.isError ?? false).toBe(false);
    expect(readFileSync(folder.in("shot.png")).subarray(1, 4).toString()).toBe("PNG");
    expect(existsSync("/shot.png")).toBe(false);
    writeFileSync(folder.in("steps.txt"), "click refresh --window Danger");
    const count = (): number => JSON.parse(readFileSync(folder.in("danger.json"), "utf8")).presses.length;
    const before = count();
    await client.call("do", { file: "steps.txt" });
    await waitFor("the press", () => count() === before + 1);
  });
});
