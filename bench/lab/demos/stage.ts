import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Server } from "bun";
import { permissive, setPolicy } from "../../../tests/desktop/policy.ts";
import { openScene, type Scene } from "../../../tests/desktop/scene.ts";
import type { DemoSpec, EndState } from "./demo.ts";
import type { Panel } from "./panel.ts";
import { Robot } from "./robot.ts";

const launcher = join(import.meta.dir, "../../../deskmap");
/** Where every window is put at first, away from panels and from the indicator. */
export const home = { x: 120, y: 90 };

const longestUnrestMs = 12_000;

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly tookMs: number;
}

/** How an application is started otherwise than when its demo was recorded. */
export interface Otherwise {
  readonly env?: Readonly<Record<string, string>>;
  readonly words?: readonly string[];
  readonly panel?: Panel;
  readonly move?: { readonly x: number; readonly y: number };
  readonly resize?: readonly [number, number];
}

/** One application that runs. */
export interface Running {
  readonly pid: number;
  readonly title: string;
  readonly child: ChildProcess;
}

/** A private desktop on which demos are recorded and replayed, one application at a time. */
export class Stage {
  readonly robot: Robot;
  private readonly server: Server<undefined>;

  private constructor(
    readonly scene: Scene,
    private readonly folder: string,
  ) {
    this.robot = new Robot(scene.sandbox.env);
    this.server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        writeFileSync(this.path("state.json"), await request.text());
        return new Response();
      },
    });
  }

  static async open(manager?: NonNullable<Parameters<typeof openScene>[0]>["manager"]): Promise<Stage> {
    const size = { width: 1600, height: 1200 };
    const scene = await openScene(manager === undefined ? size : { ...size, manager });
    setPolicy(scene, permissive);
    // A blinking caret keeps GTK 4 busy where there is no graphics card.
    const config = join(scene.sandbox.env.XDG_CONFIG_HOME ?? "", "gtk-4.0");
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, "settings.ini"), "[Settings]\ngtk-cursor-blink=false\n");
    return new Stage(scene, mkdtempSync(join(tmpdir(), "deskmap-demos-")));
  }

  /** A file of the demo that runs. */
  path(name: string): string {
    return join(this.folder, name);
  }

  async start(demo: DemoSpec, otherwise: Otherwise = {}): Promise<Running> {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
    const address = `http://127.0.0.1:${this.server.port}/`;
    const work = { path: (name: string) => this.path(name), address };
    const { command, title, env = {}, files = {} } = demo.start(work, otherwise.panel);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(this.path(name)), { recursive: true });
      writeFileSync(this.path(name), content);
    }
    const variables = Object.entries({ ...env, ...otherwise.env }).map(([name, value]) => `${name}=${value}`);
    const child = await this.scene.start(["env", ...variables, ...command, ...(otherwise.words ?? [])], title);
    this.place(title, otherwise);
    // Some browsers are never quite still.
    const settled = this.scene.settle().catch(() => undefined);
    await Promise.race([settled, Bun.sleep(longestUnrestMs)]);
    return { pid: child.pid ?? 0, title, child };
  }

  private place(title: string, { move = home, resize }: Otherwise): void {
    const id = this.scene.run("xdotool", "search", "--onlyvisible", "--name", title).stdout.trim().split("\n").at(-1);
    if (id === undefined || id === "") return;
    this.scene.run("wmctrl", "-i", "-r", id, "-b", "remove,maximized_vert,maximized_horz");
    if (resize !== undefined) this.scene.run("xdotool", "windowsize", id, ...resize.map(String));
    this.scene.run("xdotool", "windowmove", id, String(move.x), String(move.y), "windowactivate", id);
  }

  /** Ends an application and all that it started. */
  async stop({ child, pid }: Running): Promise<void> {
    const own = listFamily(pid);
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      for (const one of own) signalProcess(one, "SIGCONT");
      for (const one of own) signalProcess(one, signal);
      if (signal === "SIGTERM") await Promise.race([closed(child), Bun.sleep(1500)]);
    }
    await closed(child);
  }

  endState(running: Running): EndState {
    return {
      readFile: (name) => (existsSync(this.path(name)) ? readFileSync(this.path(name), "utf8") : undefined),
      isFolder: (name) => existsSync(this.path(name)) && statSync(this.path(name)).isDirectory(),
      state: this.readState(),
      look: () => this.robot.look(running.pid),
    };
  }

  private readState(): EndState["state"] {
    try {
      return JSON.parse(readFileSync(this.path("state.json"), "utf8"));
    } catch {
      return undefined;
    }
  }

  /** Runs deskmap without blocking, so that the application can be disturbed meanwhile. */
  async deskmap(...args: readonly string[]): Promise<Ended> {
    const startedAt = performance.now();
    const child = spawn(launcher, args, { env: this.scene.sandbox.env, stdio: ["ignore", "pipe", "pipe"] });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.on("data", (text) => out.push(String(text)));
    child.stderr.on("data", (text) => err.push(String(text)));
    const [code] = await once(child, "close");
    const tookMs = performance.now() - startedAt;
    return { status: code ?? -1, stdout: out.join(""), stderr: err.join(""), tookMs };
  }

  async close(): Promise<readonly string[]> {
    this.robot.close();
    this.server.stop(true);
    this.scene.deskmap("serve", "stop");
    const { accused } = await this.scene.referee.judge();
    await this.scene.close();
    rmSync(this.folder, { recursive: true, force: true });
    return accused;
  }
}

async function closed(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** A process and everything that it started. */
export function listFamily(pid: number): readonly number[] {
  const table = spawnSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
    .stdout.trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const own = new Set([pid]);
  for (let size = 0; size !== own.size; ) {
    size = own.size;
    for (const [child = 0, parent = 0] of table) if (own.has(parent)) own.add(child);
  }
  return [...own];
}
