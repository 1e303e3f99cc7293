import { readFileSync } from "node:fs";
import { join } from "node:path";
import { colourOf } from "../../src/marks/tag.ts";
import type { Bounds, Point } from "../../src/model/bounds.ts";
import { type Scene, waitFor } from "./scene.ts";

const fixture = join(import.meta.dir, "../fixtures/apps/counter.py");
const launcher = join(import.meta.dir, "../../deskmap");

/** An overlay over an application that counts its presses. Another program reads what is drawn on the screen. */
export interface OverlayScene {
  readonly scene: Scene;
  readonly pid: number;
  /** Runs a command that must succeed. */
  deskmap(...args: string[]): Record<string, unknown>;
  /** Moves the application's window, and waits until its button has moved. */
  move(place: Point): Promise<void>;
  /** The bounds of a button according to pyatspi. */
  findButton(name: string): Bounds;
  /** The mark of the counting button. */
  findMark(): number;
  /** Whether a line of this colour runs along the left edge of a box, within a pixel. */
  isFramed(box: Bounds, colour: string): boolean;
  /** Whether the counting button has its mark drawn. */
  isMarked(): boolean;
  countPresses(): number;
  /** A command that waits for a person. */
  begin(client: string, ...args: string[]): Waiting;
  untilPicking(isPicking?: boolean): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  end(): void;
  answer(): Promise<Answer>;
}

interface Answer {
  readonly code: number;
  readonly error: string;
  /** Its output, whatever the exit code. */
  readonly json: ReturnType<typeof JSON.parse>;
}

export async function openOverlayScene(scene: Scene, place: Point): Promise<OverlayScene> {
  const state = join(scene.sandbox.env.HOME ?? "", "state.json");
  const { pid = 0 } = await scene.start(["/usr/bin/python3", fixture, state, "Counter", "gtk3"], "Counter");
  const deskmap: OverlayScene["deskmap"] = (...args) => {
    const { status, stdout, stderr } = scene.deskmap(...args);
    if (status !== 0) throw new Error(`${args.join(" ")}: ${status} ${stderr}`);
    return JSON.parse(stdout);
  };
  const findButton: OverlayScene["findButton"] = (name) => {
    const found = scene.ask("first", String(pid), "push button", name) as { extents: [number, number, number, number] };
    const [x, y, width, height] = found.extents;
    return { x, y, width, height };
  };
  const isFramed: OverlayScene["isFramed"] = ({ x, y, height }, colour) => {
    const part = `5x1+${x - 2}+${y + Math.floor(height / 2)}`;
    const { stdout } = scene.run("import", "-window", "root", "-crop", part, "+repage", "-depth", "8", "txt:-");
    return stdout.toLowerCase().includes(colour);
  };
  const findMark = (): number => {
    const { matches } = deskmap("find", "Count", "--role", "button", "--app", "counter") as {
      matches: { i: number }[];
    };
    return matches[0]?.i ?? 0;
  };
  const move: OverlayScene["move"] = async ({ x, y }) => {
    const before = findButton("Count");
    scene.run("xdotool", "search", "--name", "^Counter$", "windowmove", "--sync", String(x), String(y));
    const isMoved = ({ x, y }: Bounds): boolean => x !== before.x || y !== before.y;
    await waitFor("the button to be elsewhere", () => isMoved(findButton("Count")));
    await scene.settle();
  };
  await move(place);
  return {
    scene,
    pid,
    deskmap,
    move,
    findButton,
    findMark,
    isFramed,
    isMarked: () => isFramed(findButton("Count"), colourOf(findMark())),
    countPresses: () => JSON.parse(readFileSync(state, "utf8")).presses?.length ?? 0,
    begin: (client, ...args) => beginAs(scene, client, args),
    untilPicking: (isPicking = true) =>
      waitFor(`picking: ${isPicking}`, () => (deskmap("overlay", "status").picking ?? false) === isPicking),
    async close() {
      scene.deskmap("overlay", "off");
      scene.deskmap("serve", "stop");
      await scene.close();
    },
  };
}

function beginAs(scene: Scene, client: string, args: readonly string[]): Waiting {
  const child = Bun.spawn([launcher, "overlay", ...args, "--format", "json"], {
    env: { ...scene.sandbox.env, DESKMAP_CLIENT: client },
    stdout: "pipe",
    stderr: "pipe",
  });
  return {
    end: () => child.kill("SIGTERM"),
    async answer() {
      const [out, error, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ]);
      return { code, error, json: out === "" ? {} : JSON.parse(out) };
    },
  };
}
