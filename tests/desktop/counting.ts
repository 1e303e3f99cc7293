import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findPlaces, type Places } from "../../src/guard/places.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { StepsClient, type ToolResult } from "./steps-client.ts";

const fixture = join(import.meta.dir, "../fixtures/apps/counting.py");

/** The state of the desktop as seen by other programs; a refused command must not change any of it. */
export interface Sight {
  /** Events that the application's own handlers counted. */
  readonly app: readonly string[];
  /** Device events, as recorded by another client. */
  readonly devices: readonly string[];
  readonly windows: string;
  readonly stacking: string;
  readonly clipboard: string;
  readonly hasStarted: boolean;
  readonly isAlive: boolean;
}

/** An application that counts the events it receives, an observer of all devices, and a client without a terminal. */
export class CountingScene {
  private app: ChildProcess | undefined;
  private constructor(
    readonly scene: Scene,
    readonly places: Places,
    private readonly observer: ChildProcess,
    private readonly client: StepsClient,
  ) {}

  static async open(): Promise<CountingScene> {
    const scene = await openScene({ width: 1200, height: 800 });
    const { env } = scene.sandbox;
    const observer = scene.sandbox.spawn(
      ["/usr/bin/python3", join(import.meta.dir, "watch-input.py"), join(env.HOME ?? "", "devices.json")],
      { stdio: "ignore" },
    );
    const counting = new CountingScene(scene, findPlaces(env), observer, new StepsClient(env));
    await waitFor("the observer", () => counting.readState("devices").ready === true);
    scene.run("sh", "-c", "printf before | xclip -selection clipboard >/dev/null 2>&1");
    writeFileSync(counting.program, `#!/bin/sh\ntouch '${counting.mark}'\n`, { mode: 0o755 });
    return counting;
  }

  /** Starts the application, and waits until all start-up events have been counted. */
  async start(...args: string[]): Promise<void> {
    this.app = await this.scene.start(["/usr/bin/python3", fixture, this.statePath("app"), ...args], "Count other");
    await this.scene.settle();
    this.app.kill("SIGUSR2");
    await waitFor("the count to begin", () => this.readState("app").ready === true);
  }

  /** A program that `open` can start; it leaves a file behind. */
  get program(): string {
    return join(this.scene.sandbox.env.HOME ?? "", "countapp-tool");
  }

  private get mark(): string {
    return `${this.program}.started`;
  }

  /** One call in its own session. */
  call(tool: string, input: Record<string, unknown>, timeoutMs?: number): Promise<ToolResult> {
    return this.client.call(tool, input, timeoutMs);
  }

  async look(): Promise<Sight> {
    // The exit may be reported here while it is awaited.
    if (isRunning(this.app)) await this.acknowledge(this.app, "app");
    const isAlive = isRunning(this.app);
    await this.acknowledge(this.observer, "devices");
    const { run } = this.scene;
    return {
      app: this.readState("app").events,
      devices: this.readState("devices").events,
      windows: run("wmctrl", "-lG").stdout,
      stacking: run("xprop", "-root", "_NET_CLIENT_LIST_STACKING", "_NET_ACTIVE_WINDOW").stdout,
      clipboard: run("xclip", "-o", "-selection", "clipboard").stdout,
      hasStarted: existsSync(this.mark),
      isAlive,
    };
  }

  writePolicy(policy: unknown): void {
    this.write(this.places.policy, typeof policy === "string" ? policy : JSON.stringify(policy));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  }

  /** Restores the state of a first start, without a policy: everything is allowed. */
  reset(): void {
    for (const path of [this.places.state, dirname(this.places.policy)]) rmSync(path, { recursive: true, force: true });
    this.write(this.places.secrets, "CODE=4711\n");
  }

  /** Another process that holds the turn. */
  async holdTurn(): Promise<() => Promise<void>> {
    this.write(this.places.turn, "");
    const held = `${this.places.turn}.held`;
    const holder = spawn("flock", ["-x", this.places.turn, "sh", "-c", `echo > '${held}'; exec sleep 600`], {
      detached: true,
      stdio: "ignore",
    });
    await waitFor("the turn to be held", () => existsSync(held));
    return async () => {
      const gone = new Promise((resolve) => holder.once("exit", resolve));
      // The waiting process holds the lock, too.
      process.kill(-(holder.pid ?? 0), "SIGKILL");
      await gone;
      rmSync(held);
    };
  }

  /** A file takes the place of the state folder. */
  blockState(): void {
    mkdirSync(dirname(this.places.state), { recursive: true });
    rmSync(this.places.state, { recursive: true, force: true });
    writeFileSync(this.places.state, "");
  }

  async close(): Promise<void> {
    this.client.close();
    await this.scene.close();
  }

  private statePath(name: "app" | "devices"): string {
    return join(this.scene.sandbox.env.HOME ?? "", `${name}.json`);
  }

  private readState(name: "app" | "devices"): { ack: number; events: string[]; ready?: boolean } {
    if (!existsSync(this.statePath(name))) return { ack: 0, events: [] };
    return JSON.parse(readFileSync(this.statePath(name), "utf8"));
  }

  private async acknowledge(process: ChildProcess | undefined, name: "app" | "devices"): Promise<void> {
    const { ack } = this.readState(name);
    process?.kill("SIGUSR1");
    await waitFor(`${name} to have seen everything`, () => this.readState(name).ack > ack || !isRunning(process));
  }
}

function isRunning(process: ChildProcess | undefined): boolean {
  return process?.exitCode === null && process.signalCode === null;
}

/** The command as a user starts it, but without a terminal. */
export function runApart({ sandbox }: Scene, args: readonly string[]): { status: number; stderr: string } {
  const launcher = join(import.meta.dir, "../../deskmap");
  const { status, stderr } = spawnSync("setsid", ["-w", launcher, ...args], { env: sandbox.env, encoding: "utf8" });
  return { status: status ?? -1, stderr };
}
