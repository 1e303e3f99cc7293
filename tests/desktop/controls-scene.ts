import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ElementCommand } from "../../src/model/command.ts";
import { type Element, flatten } from "../../src/model/element.ts";
import type { Result } from "../../src/model/failure.ts";
import type { Window } from "../../src/model/window.ts";
import type { Hands } from "../../src/platform/hands.ts";
import { openHands, openPlatform } from "../../src/platform/pick.ts";
import type { Platform } from "../../src/platform/port.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

const apps = join(import.meta.dir, "../fixtures/apps");

/** An element as pyatspi reports it. */
interface Seen {
  readonly states: readonly string[];
  readonly text: string | null;
  readonly value: number | null;
}

type Query = ElementCommand extends infer Command
  ? Command extends ElementCommand
    ? Omit<Command, "element">
    : never
  : never;

/** One window with every kind of control, the actor for it, and ways to observe the results. */
export interface ControlsScene {
  readonly scene: Scene;
  readonly platform: Platform;
  readonly pid: number;
  /** The fixture's own record of the actions on it, oldest first. */
  record(): readonly string[];
  windows(): Promise<readonly Window[]>;
  /** The first element of that name, including hidden ones. */
  find(name: string, role?: string): Promise<Element>;
  act(element: Element, query: Query): Promise<Result<void>>;
  /** pyatspi's description of the first element with this role and name. */
  see(role: string, name: string): Seen;
  close(): Promise<void>;
}

export type Kit = "gtk3" | "gtk4" | "qt5" | "firefox" | "chromium";

export async function openControls(kit: Kit, timeoutMs = 5000): Promise<ControlsScene> {
  const fixture = kit === "firefox" || kit === "chromium" ? servePage(kit) : startProgram(kit);
  const scene = await openScene({ width: 1400, height: 1000 });
  await scene.start(fixture.command, "Deeds");
  await scene.settle();
  const platform = unwrap(await openPlatform({ env: scene.sandbox.env, timeoutMs }));
  const hands: Hands = unwrap(await openHands(platform));
  const windows = async () => unwrap(await platform.listWindows()).windows;
  const find = async (name: string, role?: string): Promise<Element> => {
    const request = { windows: await windows(), includeHidden: true, timeoutMs: 8000 };
    const roots = unwrap(await platform.readWindows(request)).map(({ root }) => root);
    const all = flatten(roots.filter((root) => root !== undefined));
    const found = all.find((one) => one.name === name && (role === undefined || one.role === role));
    if (found === undefined) throw new Error(`no "${name}" among ${all.map((one) => one.name).join(", ")}`);
    return found;
  };
  await waitFor("the last control", () => find("Row-3").then(Boolean, () => false));
  const pid = (await windows())[0]?.pid ?? 0;
  return {
    scene,
    platform,
    pid,
    record: fixture.record,
    windows,
    find,
    act: (element, query) => hands.doToElement({ ...query, element }),
    see: (role, name) => scene.ask("first", String(pid), role, name) as Seen,
    async close() {
      hands.close();
      platform.close();
      await scene.close();
      fixture.remove();
    },
  };
}

interface Fixture {
  readonly command: readonly [string, ...string[]];
  record(): readonly string[];
  remove(): void;
}

function startProgram(kit: Kit): Fixture {
  const directory = mkdtempSync(join(tmpdir(), "deskmap-deeds-"));
  const log = join(directory, "log");
  return {
    command: ["/usr/bin/python3", join(apps, `deeds-${kit}.py`), log, "Deeds"],
    record: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** A page that reports its script events to a local server. */
function servePage(kit: Kit): Fixture {
  const notes: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (request.method !== "POST") return new Response(Bun.file(join(apps, "deeds.html")));
      notes.push(await request.text());
      return new Response("");
    },
  });
  const { command, remove } = kit === "firefox" ? prepareFirefox("") : prepareChromium("");
  const [program, ...args] = command;
  return {
    command: [program, ...args.slice(0, -1), `http://127.0.0.1:${server.port}/`],
    record: () => notes,
    remove() {
      void server.stop(true);
      remove();
    },
  };
}

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}

/** A glimpse distinguishes a control from one that replaced it: it must agree with a read for every element. */
export async function listGlimpseDifferences({ platform, windows }: ControlsScene): Promise<string[]> {
  const request = { windows: await windows(), includeHidden: true, timeoutMs: 8000 };
  const roots = unwrap(await platform.readWindows(request)).map(({ root }) => root);
  const elements = flatten(roots.filter((root) => root !== undefined));
  if (elements.length < 40) throw new Error(`only ${elements.length} elements were read`);
  const differences: string[] = [];
  for (const element of elements) {
    const glimpse = unwrap(await platform.glimpse(element, 2000));
    const [read, seen] = [element, glimpse].map((one) => one && describeBriefly(one));
    if (read !== seen) differences.push(`${read} is glimpsed as ${seen}`);
  }
  return differences;
}

function describeBriefly({ platformRole, ownName, states }: Pick<Element, "platformRole" | "ownName" | "states">) {
  // Only a read knows whether it is in view.
  const kept = [...states].filter((state) => state !== "hidden").sort();
  return `${platformRole} "${ownName}" ${kept.join(" ")}`;
}
