import { expect } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { read } from "../../src/desktop/index.ts";
import type { Desktop } from "../../src/find/read.ts";
import { openSession } from "../../src/host/session.ts";
import { flatten } from "../../src/model/element.ts";
import type { Session } from "../../src/tools/session.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";

const timeoutMs = 5000;

/** The mark of each control, by the identity that the application assigned. */
export type Marks = ReadonlyMap<string, number>;

/** An application that is changed and restarted, and every mark that its controls have ever had. */
export class Changing {
  private child: ChildProcess | undefined;
  /** The control that each mark was first shown for; no other control may have it. */
  private readonly meanings = new Map<number, string>();
  private readonly wrong: string[] = [];

  private constructor(
    readonly scene: Scene,
    private readonly session: Session,
    readonly desktop: Desktop,
    readonly title: string,
  ) {}

  static async open(title: string): Promise<Changing> {
    const scene = await openScene();
    const session = openSession(scene.sandbox.env, timeoutMs);
    const desktop = await session.openDesktop();
    if (!desktop.ok) throw new Error(desktop.failure.message);
    return new Changing(scene, session, desktop.value, title);
  }

  /** Stops the running application, and starts it again. */
  async start(command: readonly string[]): Promise<void> {
    await this.end();
    const [program = "", ...args] = command;
    this.child = this.scene.sandbox.spawn([program, ...args], { stdio: ["pipe", "ignore", "ignore"] });
    const find = () => this.scene.run("xdotool", "search", "--onlyvisible", "--name", this.title);
    await waitFor("the window", () => find().stdout.trim() !== "");
  }

  /** Sends the running application its new settings. */
  tell(changes: string): void {
    this.child?.stdin?.write(`${changes}\n`);
  }

  /** Moves and resizes the window. */
  move(x: number, y: number, width: number, height: number): void {
    const id =
      this.scene.run("xdotool", "search", "--onlyvisible", "--name", this.title).stdout.trim().split("\n")[0] ?? "";
    this.scene.run("xdotool", "windowmove", "--sync", id, String(x), String(y));
    this.scene.run("xdotool", "windowsize", id, String(width), String(height));
  }

  /**
   * The marks of the current controls once the application shows `labels`. pyatspi identifies each control by its description,
   * which Deskmap does not use for recognition.
   */
  async read(labels: Readonly<Record<string, string>>, count: number): Promise<Marks> {
    let marks: Marks = new Map();
    await waitFor(`${count} controls, ${JSON.stringify(labels)}`, async () => {
      const names = this.askIdentities();
      const isShown =
        [...names.values()].length === count &&
        Object.entries(labels).every(([identity, label]) => {
          return [...names.values()].some((one) => one.identity === identity && one.name === label);
        });
      if (!isShown) return false;
      const view = await read(this.desktop, { window: this.title, includeHidden: false, timeoutMs });
      if (!view.ok) return false;
      const elements = flatten(view.value.windows.flatMap((window) => window.elements));
      marks = new Map(
        elements.flatMap(({ mark, handle }) => {
          const known = names.get(handle.slice(handle.indexOf("/")));
          return known === undefined ? [] : [[known.identity, mark] as const];
        }),
      );
      return marks.size === count;
    });
    this.note(marks);
    return marks;
  }

  /** Fails if a mark ever referred to two controls. */
  expectNothingWrong(): void {
    expect(this.wrong).toEqual([]);
  }

  async close(): Promise<void> {
    await this.end();
    this.session.close();
    await this.scene.close();
  }

  private async end(): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    this.child = undefined;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill();
    await gone;
    await waitFor("the window to go", () => this.scene.run("xdotool", "search", "--name", this.title).status !== 0);
  }

  private note(marks: Marks): void {
    for (const [identity, mark] of marks) {
      const meant = this.meanings.get(mark) ?? identity;
      if (meant !== identity) this.wrong.push(`${mark} was ${meant}, and is ${identity} now`);
      this.meanings.set(mark, meant);
    }
  }

  /** Identity and name of each control, by object path. */
  private askIdentities(): ReadonlyMap<string, { readonly identity: string; readonly name: string }> {
    const found = this.scene.run("/usr/bin/python3", identities, this.title);
    if (found.status !== 0) return new Map();
    const list = JSON.parse(found.stdout) as readonly (readonly [path: string, identity: string, name: string])[];
    return new Map(list.map(([path, identity, name]) => [path, { identity, name }]));
  }
}

const identities = `${import.meta.dir}/identities.py`;

/** How many controls of the first read have the same mark now. */
export function countKept(before: Marks, after: Marks): number {
  return [...before].filter(([identity, mark]) => after.get(identity) === mark).length;
}
