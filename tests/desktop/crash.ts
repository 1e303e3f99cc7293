import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readEvents, unfinished } from "../../src/guard/audit/read.ts";
import { verifyLog } from "../../src/guard/audit/verify.ts";
import { tryLock } from "../../src/guard/lock.ts";
import { findHolder } from "../../src/guard/turn.ts";
import { type GuardedScene, guardScene } from "./guarded-scene.ts";
import { compareKeyboards, type Field, openField, readHeld, readKeyboard } from "./input-scene.ts";
import { waitFor } from "./scene.ts";

/** Twice the duration of an action here, so that some are killed before, many during and some after it. */
const longestLifeMs = 600;

export interface CrashReport {
  /** How many were killed before they exited by themselves. */
  readonly killed: number;
  /** How many of those had begun to act. */
  readonly unfinished: number;
  readonly faults: readonly string[];
}

/** Kills Deskmap at random points of this many actions on a real application, and checks what each leaves behind. */
export async function crashActions(count: number, seed: number, tell: (line: string) => void): Promise<CrashReport> {
  const field = await openField("mousepad");
  try {
    const guarded = guardScene(field.scene, { hotkey: true, actionsPerMinute: 0, sensitive: "allow" });
    return await new Crashes(field, guarded, seed).run(count, tell);
  } finally {
    await field.close();
  }
}

class Crashes {
  private killed = 0;
  private readonly faults: string[] = [];
  private readonly actions: readonly (readonly string[])[];
  private state: number;

  constructor(
    private readonly field: Field,
    private readonly guarded: GuardedScene,
    seed: number,
  ) {
    this.state = seed;
    const steps = join(field.scene.sandbox.env.HOME ?? "", "steps");
    writeFileSync(steps, "type --text eins\ntype --key shift+a\nclick --x 600 --y 380\n");
    this.actions = [
      ["type", "--text", "größer широкая ёж 日本", "--delay", "5"],
      ["type", "--text", "plain text, and CAPITALS"],
      ["type", "--key", "shift+Right"],
      ["click", "--x", "600", "--y", "380"],
      ["drag", "--from-x", "600", "--from-y", "380", "--to-x", "680", "--to-y", "420"],
      ["do", steps],
    ];
  }

  async run(count: number, tell: (line: string) => void): Promise<CrashReport> {
    const { places } = this.guarded;
    // What the very first action leaves permanently: the listening process, and the state files.
    await this.guarded.begin(["type", "--text", "first"]).ended;
    const keyboard = readKeyboard(this.field.scene);
    const held = readHeld(this.field.scene);
    for (let index = 0; index < count; index += 1) {
      await this.crashOne(index, held);
      if ((index + 1) % 50 === 0) tell(`  ${index + 1} actions, ${this.killed} killed, ${this.faults.length} faults`);
    }
    const { status, stderr } = await this.guarded.begin(["type", "--text", "after all"]).ended;
    if (status !== 0) this.faults.push(`after all of it an action ended with ${status}: ${stderr}`);
    this.faults.push(...compareKeyboards(keyboard, readKeyboard(this.field.scene)));
    if (!this.field.read().includes("after all")) this.faults.push("the last text did not arrive");
    const actions = readEvents(places, { what: "action" }).events;
    return {
      killed: this.killed,
      unfinished: actions.filter(({ effect }) => effect === unfinished).length,
      faults: this.faults,
    };
  }

  private async crashOne(index: number, heldBefore: string): Promise<void> {
    const args = this.actions[this.draw(this.actions.length)] ?? [];
    const lifeMs = this.draw(longestLifeMs);
    const { child, ended } = this.guarded.begin(args);
    await Promise.race([ended, Bun.sleep(lifeMs)]);
    if (child.exitCode === null && child.kill("SIGKILL")) this.killed += 1;
    await ended;
    const { places } = this.guarded;
    const story = `${index}: ${args.join(" ")}, killed after ${lifeMs} ms`;
    // A process that is killed while forking leaves a copy of itself until the fork completes.
    await waitFor("the turn", () => findHolder(places) === "free").catch(() =>
      this.faults.push(`${story}: the turn is held`),
    );
    for (const { text } of verifyLog(places).findings) this.faults.push(`${story}: ${text}`);
    for (const path of listLocked(places.surfaces)) this.faults.push(`${story}: ${path} is still held`);
    let held = "";
    const isAsBefore = (): boolean => {
      held = readHeld(this.field.scene);
      return held === heldBefore;
    };
    await waitFor("nothing held", isAsBefore).catch(() => this.faults.push(`${story}: ${held}`));
  }

  /** Park and Miller's minimal standard generator. */
  private draw(below: number): number {
    this.state = (this.state * 48_271) % 2_147_483_647;
    return this.state % below;
  }
}

/** Files of a folder that a living process holds locked. */
function listLocked(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const lock = tryLock(path);
      lock?.release();
      return lock === undefined;
    });
}
