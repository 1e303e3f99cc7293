import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { InputCommand } from "../../src/model/command.ts";
import type { Result } from "../../src/model/failure.ts";
import { openHands, openPlatform } from "../../src/platform/pick.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, prepareFirefox, type Scene, waitFor } from "./scene.ts";

const fixtures = join(import.meta.dir, "../fixtures/apps");

/** The pointer and keyboard of a scene, without the command line in between. */
export async function openInput(
  scene: Scene,
): Promise<{ input(command: InputCommand): Promise<Result<string | undefined>>; close(): void }> {
  const platform = await openPlatform({ env: scene.sandbox.env, timeoutMs: 10_000 });
  if (!platform.ok) throw new Error(platform.failure.message);
  const hands = await openHands(platform.value);
  if (!hands.ok) throw new Error(hands.failure.message);
  return {
    input: (command) => hands.value.input(command),
    close: () => {
      hands.value.close();
      platform.value.close();
    },
  };
}

/** An application with one focused field, and an independent way to read its content. */
export interface Field {
  readonly scene: Scene;
  read(): string;
  close(): Promise<void>;
}

export const fieldNames = ["mousepad", "gtk4", "qt5", "xterm", "firefox", "chromium"] as const;
export type FieldName = (typeof fieldNames)[number];

export async function openField(name: FieldName): Promise<Field> {
  const scene = await openScene();
  try {
    const field = await openers[name](scene);
    await scene.settle();
    return {
      scene,
      read: field.read,
      close: async () => {
        await scene.close();
        field.remove?.();
      },
    };
  } catch (error) {
    await scene.close();
    throw error;
  }
}

interface Opened {
  read(): string;
  remove?(): void;
}

const openers: Readonly<Record<FieldName, (scene: Scene) => Promise<Opened>>> = {
  mousepad: (scene) => openAccessible(scene, ["mousepad", "--disable-server"], "Mousepad"),
  gtk4: (scene) => openAccessible(scene, ["/usr/bin/python3", join(fixtures, "field-gtk4.py"), "Field"], "Field"),
  qt5: (scene) => openAccessible(scene, ["/usr/bin/python3", join(fixtures, "field-qt5.py"), "Field"], "Field"),
  async xterm(scene) {
    // A terminal passes a line on when it is complete; the file contains what arrived.
    const written = join(scene.sandbox.env.HOME ?? "", "written");
    await scene.start(["xterm", "-T", "Field", "-e", "sh", "-c", `stty -echo; cat >'${written}'`], "Field");
    await waitFor("the file", () => existsSync(written));
    return { read: () => readFileSync(written, "utf8") };
  },
  firefox: (scene) => openPage(scene, prepareFirefox),
  chromium: (scene) => openPage(scene, prepareChromium),
};

async function openAccessible(scene: Scene, command: readonly [string, ...string[]], title: string): Promise<Opened> {
  const { pid } = await scene.start(command, title);
  return { read: () => (scene.ask("text", String(pid), "text") as string[])[0] ?? "" };
}

/** The page reports the content of its field. */
async function openPage(
  scene: Scene,
  prepare: (html: string) => { readonly command: readonly [string, ...string[]]; remove(): void },
): Promise<Opened> {
  let told: { readonly turn: number; readonly value: string } = { turn: 0, value: "" };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      // Several reports are in flight at once, and may overtake one another.
      const turn = Number(new URL(request.url).searchParams.get("turn"));
      const value = await request.text();
      if (turn > told.turn) told = { turn, value };
      return new Response("", { headers: { "access-control-allow-origin": "*" } });
    },
  });
  const tell = `fetch("http://127.0.0.1:${server.port}/?turn=" + ++turn, { method: "POST", body: field.value })`;
  const page = prepare(`<!doctype html><meta charset=utf-8><title>Field</title>
<style>html,body,textarea{width:100%;height:100%;margin:0}</style><textarea id=field></textarea>
<script>let turn = 0; field.onfocus = field.oninput = () => ${tell};</script>`);
  await scene.start(page.command, "Field");
  await scene.settle();
  await waitFor("the focus in the page's field", async () => {
    scene.run("xdotool", "mousemove", "600", "500", "click", "1");
    await Bun.sleep(300);
    return told.turn > 0;
  });
  return {
    read: () => told.value,
    remove: () => {
      server.stop(true);
      page.remove();
    },
  };
}

/** Held keys, locks and layout group, according to Xlib. */
export function readHeld(scene: Scene, ...args: string[]): string {
  return scene.run("/usr/bin/python3", join(import.meta.dir, "held.py"), ...args).stdout;
}

/** Everything that typing could leave behind, as other programs see it: keymap, layout, locks, group, keys and buttons. */
export function readKeyboard(scene: Scene): string[] {
  const script = `xkbcomp "$DISPLAY" - 2>/dev/null; xkbcomp -i 5 "$DISPLAY" - 2>/dev/null; xmodmap -pke; xmodmap -pm; setxkbmap -query; xset q
xinput query-state "Virtual core XTEST keyboard"; xinput query-state "Virtual core XTEST pointer" | grep button`;
  const { status, stdout, stderr } = scene.run("sh", "-c", script);
  if (status !== 0) throw new Error(stderr);
  return [...stdout.split("\n"), readHeld(scene)];
}

/** The lines in which two of them differ: a whole keymap is too long to read. */
export function compareKeyboards(before: readonly string[], after: readonly string[]): string[] {
  const [old, now] = [new Set(before), new Set(after)];
  return [
    ...before.filter((line) => !now.has(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ];
}
