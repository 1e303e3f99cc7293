import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { servePresses } from "../fixtures/press-server.ts";
import { casesOf, timesOf } from "../tier.ts";
import { prepareChromium } from "./chromium.ts";
import { guardScene } from "./guarded-scene.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

// What is said of a press beside texts that change by themselves, compared with what the page or the application counts.
// `npm run bench -- verdicts` has more presses.

const apps = join(import.meta.dir, "../fixtures/apps");
const kinds = "text+word+countdown+log";
const pageKinds = `${kinds}+list`;
const title = "Restless";
type Button = "dead" | "live";

interface Subject {
  readonly command: readonly [string, ...string[]];
  count(button: Button): number;
  remove(): void;
}

type Prepared = Pick<Subject, "command" | "remove">;

function servePage(prepare: (html: string) => Prepared): Subject {
  const server = servePresses();
  const { command, remove } = prepare("");
  const [program, ...options] = command.slice(0, -1);
  return {
    command: [program ?? "", ...options, `file://${join(apps, "restless.html")}#${pageKinds},${server.port}`],
    count: server.count,
    remove: () => {
      server.stop();
      remove();
    },
  };
}

function startGtk(): Subject {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-verdicts-"));
  const state = join(folder, "state.json");
  return {
    command: ["/usr/bin/python3", join(apps, "restless.py"), state, kinds],
    count: (button) => JSON.parse(readFileSync(state, "utf8")).presses.filter((one: string) => one === button).length,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Answer {
  readonly effect: string;
  readonly evidence: readonly string[];
}

const listProofs = ({ effect, evidence }: Answer): readonly string[] => (effect === "confirmed" ? evidence : []);

const subjects = casesOf<readonly [name: string, make: () => Subject, presses: number]>(
  [["Chromium", () => servePage(prepareChromium), timesOf(5, 10)]],
  [
    ["Firefox", () => servePage(prepareFirefox), 10],
    ["GTK 3", startGtk, 10],
  ],
);

describe.each(subjects)("beside texts that change by themselves in %s,", (_name, make, presses) => {
  let scene: Scene;
  let subject: Subject;
  beforeAll(async () => {
    subject = make();
    scene = await openScene();
    guardScene(scene, { actionsPerMinute: 0, hotkey: false });
    await scene.start(subject.command, title);
    expect(scene.deskmap("serve", "--detach").status).toBe(0);
    await waitFor("the buttons", () => scene.deskmap("find", "live", "--role", "btn").status === 0);
  });
  afterAll(async () => {
    scene.deskmap("serve", "stop");
    await scene.close();
    subject.remove();
  });

  /** What is said of a press that has arrived. */
  async function press(button: Button, ...options: string[]): Promise<Answer> {
    const before = subject.count(button);
    const { stdout, stderr } = scene.deskmap("click", button, "--role", "btn", "--format", "json", ...options);
    await waitFor(`a press of ${button}: ${stderr}`, () => subject.count(button) === before + 1);
    return JSON.parse(stdout);
  }

  test("no press of a button without an effect is confirmed", async () => {
    for (let round = 0; round < presses; round += 1) {
      expect(listProofs(await press("dead"))).toEqual([]);
    }
    expect(listProofs(await press("dead", "--no-daemon"))).toEqual([]);
  });

  test("a press that raises a count is confirmed by it", async () => {
    const said: string[] = [];
    const rounds = Array.from({ length: Math.max(presses, 2) }, (): readonly string[] => []);
    for (const options of [...rounds, ["--no-daemon"]]) {
      const { effect, evidence } = await press("live", ...options);
      const isProof = options.length > 0 || evidence.join().includes(`${subject.count("live")} presses`);
      if (effect !== "confirmed" || !isProof) said.push(`${effect}: ${evidence.join()}`);
    }
    // A page that got no time for 200 ms may show the effect so late that it could be that of the press before.
    expect(said.filter((one) => !/^unverified: .*late effect of the action before/.test(one))).toEqual([]);
    expect(said.length, said.join("\n")).toBeLessThanOrEqual(1);
  });

  test("the count is read", () => {
    expect(scene.deskmap("read", "--window", title).stdout).toContain(`${subject.count("live")} presses`);
  });
});
