import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../src/model/caught.ts";
import { launcher, startAtTerminal } from "../../tests/guard/terminal-session.ts";
import { waitFor } from "../../tests/wait.ts";
import type { DemoSpec, Order } from "../lab/demos/demo.ts";
import type { Panel } from "../lab/demos/panel.ts";
import { recordDemo } from "../lab/demos/record.ts";
import { type Running, Stage } from "../lab/demos/stage.ts";
import { makeRandom } from "../lab/random.ts";

const keys = ["one", "two", "three", "four", "five", "six"];
const panel: Panel = {
  title: "Killed",
  controls: [
    { kind: "entry", id: "word", label: "Word" },
    ...keys.map((id) => ({ kind: "button" as const, id, label: `Key ${id}` })),
  ],
};
const press = (id: string): Order => ({ do: "click", on: { role: ["push button", "button"], name: `Key ${id}` } });
const [first, second] = [keys.slice(0, 3), keys.slice(3)];
const demo: DemoSpec = {
  name: "killed",
  toolkit: "GTK 3",
  drifts: [],
  panel,
  orders: [
    ...first.map(press),
    { do: "click", on: { role: "text", name: "Word" } },
    { do: "type", text: "Hello World" },
    ...second.map(press),
  ],
  start: (work) => ({
    command: ["/usr/bin/python3", join(import.meta.dir, "../lab/demos/panels/panel-gtk3.py"), work.path("panel.json")],
    title: panel.title,
    files: { "panel.json": JSON.stringify({ ...panel, state: work.path("state.json") }) },
  }),
  isDone: ({ state }) => JSON.stringify(state?.presses) === JSON.stringify(keys),
};

const victims = ["recorder", "daemon of a recorder", "replayer", "daemon of a replayer"] as const;
type Victim = (typeof victims)[number];

interface Tally {
  readonly kills: Record<Victim, number>;
  /** Steps that had been told as recorded or done before the kill. */
  confirmed: number;
  readonly faults: string[];
}

/** Kills recorders, replayers and daemons at random moments, and looks at what is left. */
export async function killDemos(kills: number, seed: number): Promise<readonly string[]> {
  console.log(`killing ${kills} recorders, replayers and their daemons (seed ${seed}) …`);
  const random = makeRandom(seed);
  const stage = await Stage.open();
  const tally: Tally = {
    kills: { recorder: 0, "daemon of a recorder": 0, replayer: 0, "daemon of a replayer": 0 },
    confirmed: 0,
    faults: [],
  };
  try {
    await recordDemo(stage, demo, "human", "whole");
    const file = join(stage.scene.sandbox.env.XDG_DATA_HOME ?? "", "deskmap/demos/whole.demo.json");
    const running = await stage.start(demo);
    copyFileSync(file, stage.path("whole.demo.json"));
    for (let count = 0; count < kills; count += 1) {
      const victim = victims[count % victims.length] ?? "recorder";
      const trial = new Trial(stage, running, victim, random);
      try {
        const { confirmed, faults } = await trial.run();
        tally.confirmed += confirmed;
        tally.faults.push(...faults.map((what) => `${victim} (${count}): ${what}`));
      } catch (error) {
        tally.faults.push(`${victim} (${count}): ${messageOf(error)}`);
      }
      tally.kills[victim] += 1;
      if ((count + 1) % 20 === 0) console.log(`  ${count + 1}: ${tally.faults.length} faults`);
    }
    await stage.stop(running);
  } finally {
    await stage.close();
  }
  console.log(`  ${JSON.stringify(tally.kills)}; ${tally.confirmed} steps had been told as recorded or done`);
  return tally.faults;
}

class Trial {
  private readonly faults: string[] = [];

  constructor(
    private readonly stage: Stage,
    private readonly running: Running,
    private readonly victim: Victim,
    private readonly random: () => number,
  ) {}

  async run(): Promise<{ readonly confirmed: number; readonly faults: readonly string[] }> {
    const confirmed = this.victim.endsWith("recorder") ? await this.record() : await this.replay();
    const { stdout, status } = this.stage.scene.run("/usr/bin/python3", join(import.meta.dir, "keys-down.py"));
    if (status !== 0 || stdout.trim() !== "") this.faults.push(`still down: ${stdout.trim()} (${status})`);
    return { confirmed, faults: this.faults };
  }

  private async record(): Promise<number> {
    const { env } = this.stage.scene.sandbox;
    const terminal = startAtTerminal([launcher, "record", "start", "killed", "--replace"], env);
    await terminal.see("work as usual");
    const working = this.stage.robot.run(this.running.pid, this.running.title, demo.orders, "full");
    await Bun.sleep(this.random() * 2500);
    await this.kill(this.victim === "recorder" ? await terminal.pid() : undefined);
    await working;
    await terminal.ended;
    const confirmed = listPresses(terminal.shown().split("\n"));
    const stopped = await this.stage.deskmap("record", "stop", "--replace");
    const shown = await this.stage.deskmap("demo", "show", "killed");
    const saved = stopped.status === 0 && shown.status === 0 ? listPresses(shown.stdout.split("\n")) : [];
    if (stopped.status === 0 && shown.status !== 0) this.faults.push(`the demo does not open: ${shown.stderr}`);
    if (stopped.status !== 0 && confirmed.length > 0) this.faults.push(`it was not saved: ${stopped.stderr}`);
    if (!confirmed.every((key, at) => saved[at] === key)) this.faults.push(`lost: ${confirmed} became ${saved}`);
    // What the robot pressed, each once. At its speed GTK takes some presses for those of the button beside.
    if (!saved.every((key, at) => keys[at] === key)) this.faults.push(`doubled: ${keys} became ${saved}`);
    return confirmed.length;
  }

  private async replay(): Promise<number> {
    const { env } = this.stage.scene.sandbox;
    const before = this.presses().length;
    const file = this.stage.path("whole.demo.json");
    const child = spawn(launcher, ["replay", file, "--allow-doubtful", "--timeout", "3000"], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const told: string[] = [];
    child.stderr.on("data", (text) => told.push(String(text)));
    await Bun.sleep(this.random() * 2000);
    await this.kill(this.victim === "replayer" ? child.pid : undefined);
    await closed(child);
    await this.rest();
    const pressed = this.presses().slice(before);
    if (!pressed.every((key, at) => keys[at] === key)) this.faults.push(`pressed ${pressed}`);
    const confirmed = listPresses(
      told
        .join("")
        .split("\n")
        .filter((line) => /\bconfirmed\b/.test(line)),
    );
    if (!confirmed.every((key, at) => pressed[at] === key)) this.faults.push(`told ${confirmed}, pressed ${pressed}`);
    const shown = await this.stage.deskmap("demo", "show", file);
    if (shown.status !== 0) this.faults.push(`the demo does not open: ${shown.stderr}`);
    return confirmed.length;
  }

  /** Kills a process, or the daemon if none is given. */
  private async kill(pid: number | undefined): Promise<void> {
    const victim = pid ?? (await this.findDaemon());
    try {
      if (victim !== undefined) process.kill(victim, "SIGKILL");
    } catch {
      // It had ended.
    }
  }

  private async findDaemon(): Promise<number | undefined> {
    const { status, stdout } = await this.stage.deskmap("serve", "status", "--format", "json");
    return status === 0 ? JSON.parse(stdout).pid : undefined;
  }

  /** An action that the daemon had begun is still carried out. */
  private async rest(): Promise<void> {
    let [count, sinceMs] = [this.presses().length, performance.now()];
    await waitFor("rest", () => {
      const now = this.presses().length;
      if (now !== count) [count, sinceMs] = [now, performance.now()];
      return performance.now() - sinceMs > 800;
    });
  }

  private presses(): readonly string[] {
    return JSON.parse(readFileSync(this.stage.path("state.json"), "utf8")).presses;
  }
}

/** The buttons in lines such as: 3  click button "Key one" in … */
function listPresses(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => /click button "Key (\w+)"/.exec(line)?.[1] ?? []);
}

async function closed(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
