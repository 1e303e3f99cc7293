import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openScene, type Scene, waitFor } from "./scene.ts";

/** An application that is killed and started again; its window's title, and the least number of its uniquely named controls. */
export interface Restarted {
  readonly app: string;
  readonly title: string;
  readonly least: number;
  command(folder: string): readonly [string, ...string[]];
}

const form = ["zenity", "--forms", "--title=Person", "--text=Who", "--add-entry=Name", "--add-entry=Town"] as const;

/** The first is tested with the suite, the next two with its matrix, all of them by `npm run soak -- restarts`. */
export const restarted: readonly Restarted[] = [
  { app: "gnome-calculator", title: "Calculator", least: 28, command: () => ["gnome-calculator"] },
  { app: "mousepad", title: "Mousepad", least: 7, command: () => ["mousepad", "--disable-server"] },
  { app: "featherpad", title: "Untitled", least: 20, command: () => ["featherpad", "--standalone"] },
  { app: "zenity", title: "Person", least: 4, command: () => form },
  { app: "gtk4-demo", title: "GTK Demo", least: 3, command: () => ["gtk4-demo"] },
  { app: "xfce4-terminal", title: "Terminal", least: 5, command: () => ["xfce4-terminal", "--disable-server"] },
  { app: "xfce4-mouse-settings", title: "Mouse", least: 5, command: () => ["xfce4-mouse-settings"] },
  { app: "xfce4-keyboard-settings", title: "Keyboard", least: 5, command: () => ["xfce4-keyboard-settings"] },
];

export interface RestartReport {
  readonly app: string;
  readonly restarts: number;
  /** Sightings of uniquely named controls after a restart, and how many of them had their first mark. */
  readonly seen: number;
  readonly kept: number;
  readonly lost: readonly string[];
  /** Marks that were shown for a control of another role or name. */
  readonly passed: readonly string[];
}

interface Shown {
  readonly i: number;
  readonly r: string;
  readonly t?: string;
}

/** Restarts an application and compares the marks of its uniquely named controls with the first ones. */
export async function restartOften({ app, title, command }: Restarted, restarts: number): Promise<RestartReport> {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-restarts-"));
  const scene = await openScene();
  const report = { app, restarts, seen: 0, kept: 0, lost: [] as string[], passed: [] as string[] };
  try {
    let end = await startOnce(scene, command(folder), title);
    await scene.settle();
    const first = readLabels(scene, app);
    const marks = listUnique(first);
    const meanings = new Map(first.map(({ label, mark }) => [mark, label]));
    for (let count = 0; count < restarts; count += 1) {
      await end();
      end = await startOnce(scene, command(folder), title);
      // Half of the reads find a window that is still being built.
      if (count % 2 === 0) await scene.settle();
      const shown = readLabels(scene, app);
      for (const [label, mark] of listUnique(shown)) {
        const before = marks.get(label);
        if (before === undefined) continue;
        report.seen += 1;
        if (before === mark) report.kept += 1;
        else report.lost.push(`${label}: ${before} → ${mark}`);
      }
      for (const { label, mark } of shown) {
        const meaning = meanings.get(mark) ?? label;
        if (meaning !== label) report.passed.push(`${mark}: ${meaning} → ${label}`);
        meanings.set(mark, meaning);
      }
    }
    return report;
  } finally {
    await scene.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns what kills it and waits until its window is gone. */
async function startOnce(
  scene: Scene,
  command: readonly [string, ...string[]],
  title: string,
): Promise<() => Promise<void>> {
  const child = await scene.start(command, title);
  return async () => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    await waitFor("the window to be gone", () => scene.run("xdotool", "search", "--name", title).status !== 0);
  };
}

interface Labelled {
  readonly label: string;
  readonly mark: number;
}

function readLabels(scene: Scene, app: string): Labelled[] {
  const { status, stdout, stderr } = scene.deskmap("read", "--no-daemon", "--compact", "--app", app);
  if (status !== 0) throw new Error(stderr);
  const { elements } = JSON.parse(stdout) as { elements: Shown[] };
  return elements.flatMap(({ i, r, t = "" }) => (t === "" ? [] : [{ label: `${r} ${t}`, mark: i }]));
}

/** Marks by label, of labels that one control alone has. */
function listUnique(shown: readonly Labelled[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(shown, ({ label }) => label);
  return new Map(
    [...groups].flatMap(([label, own]) => (own.length === 1 ? [[label, own[0]?.mark ?? 0] as const] : [])),
  );
}
