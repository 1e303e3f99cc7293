import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openEnvelope } from "../envelope.ts";
import { openScene, type Scene, waitFor } from "./scene.ts";
import { act } from "./window-tools.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

const everyScript = "Grüße, Привет, 日本語, e\u0301, 👩‍👩‍👧‍👦, שלום\n\ttab and “quotes” \\ $HOME `x` \u0001";

const launcher = join(import.meta.dir, "../../deskmap");

function pipe(input: string, command: string, ...args: string[]): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync(command, args, {
    env: scene.sandbox.env,
    encoding: "utf8",
    input,
    maxBuffer: 64 << 20,
    // xclip waits forever for an owner that loses the selection at that moment.
    timeout: 25_000,
  });
  return { status, stdout };
}

/** xclip goes into the background with the output it was given, so it gets none. */
function copyWithXclip(input: string, ...args: string[]): void {
  const env = scene.sandbox.env;
  spawnSync("xclip", ["-selection", "clipboard", ...args], { env, input, stdio: ["pipe", "ignore", "ignore"] });
}

function read(...args: string[]): { text: string; length: number; partial?: boolean } {
  const { stdout, stderr, status } = scene.deskmap("clipboard", "read", ...args, "--format", "json");
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

/** The processes that hold a selection of this sandbox, from /proc. */
function listHolders(): string[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => {
      try {
        const isInside = readFileSync(`/proc/${pid}/environ`, "utf8").includes(
          `DESKMAP_SANDBOX=${scene.sandbox.name}\0`,
        );
        return isInside && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("serve-selection\0");
      } catch {
        return false;
      }
    });
}

/** Through Xlib: no tool prints it. */
const askForManager = `
import ctypes
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
x.XInternAtom.restype = x.XGetSelectionOwner.restype = ctypes.c_ulong
display = ctypes.c_void_p(x.XOpenDisplay(None))
print(x.XGetSelectionOwner(display, ctypes.c_ulong(x.XInternAtom(display, b"CLIPBOARD_MANAGER", 0))))
`;

describe("deskmap clipboard", () => {
  test("an empty clipboard is an answer", () => {
    expect(read()).toMatchObject({ text: "", length: 0 });
    expect(openEnvelope(scene.deskmap("clipboard", "read", "--format", "text").stdout)).toBe(
      "# the clipboard is empty",
    );
  });

  test("xclip and xsel read what it wrote, letter by letter, after its process has ended", () => {
    const written = pipe(everyScript, launcher, "clipboard", "write", "-");
    expect(JSON.parse(written.stdout)).toMatchObject({ effect: "confirmed", did: "clipboard write" });
    expect(scene.run("xclip", "-o", "-selection", "clipboard").stdout).toBe(everyScript);
    expect(scene.run("xsel", "-b", "-o").stdout).toBe(everyScript);
    expect(read().text).toBe(everyScript);
    const targets = scene.run("xclip", "-o", "-selection", "clipboard", "-t", "TARGETS").stdout;
    expect(targets.split("\n")).toEqual(expect.arrayContaining(["TARGETS", "UTF8_STRING", "text/plain;charset=utf-8"]));
    expect(targets).not.toContain("STRING\nSTRING");
  });

  test("it reads what xclip and xsel wrote", () => {
    copyWithXclip(everyScript);
    expect(read().text).toBe(everyScript);
    spawnSync("xsel", ["-b", "-i"], { env: scene.sandbox.env, input: "von xsel: ü" });
    expect(read().text).toBe("von xsel: ü");
  });

  test("several megabytes are transferred in chunks, in both directions", () => {
    const large = Array.from({ length: 300_000 }, (_value, index) => `${index} ü日`).join("\n");
    expect(Buffer.byteLength(large)).toBeGreaterThan(3 << 20);
    const written = pipe(large, launcher, "clipboard", "write", "-", "--timeout-ms", "20000");
    expect(JSON.parse(written.stdout)).toMatchObject({ effect: "confirmed" });
    expect(pipe("", "xclip", "-o", "-selection", "clipboard").stdout === large).toBe(true);
    expect(pipe("", "xsel", "-b", "-o").stdout === large).toBe(true);
    copyWithXclip(large);
    const shown = read("--timeout-ms", "20000");
    expect(shown).toMatchObject({ length: large.length, partial: true });
    expect(shown.text).toBe(large.slice(0, 100_000));
  });

  test("the primary selection is separate", () => {
    expect(act(scene, "clipboard", "write", "for the middle button", "--selection", "primary").status).toBe(0);
    expect(act(scene, "clipboard", "write", "for pasting").status).toBe(0);
    expect(scene.run("xclip", "-o", "-selection", "primary").stdout).toBe("for the middle button");
    expect(scene.run("xclip", "-o", "-selection", "clipboard").stdout).toBe("for pasting");
    expect(read("--selection", "primary").text).toBe("for the middle button");
  });

  test("one process holds it, without the text in its arguments, and ends when another application copies", async () => {
    pipe("a secret nobody may see", launcher, "clipboard", "write", "-");
    pipe("a secret nobody may see", launcher, "clipboard", "write", "-", "--selection", "primary");
    await waitFor("one holder of each", () => listHolders().length === 2);
    for (const pid of listHolders()) {
      const seen = readFileSync(`/proc/${pid}/cmdline`, "utf8") + readFileSync(`/proc/${pid}/environ`, "utf8");
      expect(seen).not.toContain("secret");
    }
    copyWithXclip("something else");
    spawnSync("xsel", ["-p", "-i"], { env: scene.sandbox.env, input: "something else" });
    await waitFor("no holder", () => listHolders().length === 0);
  });

  test("non-text content is reported by its types", () => {
    copyWithXclip("\x89PNG", "-t", "image/png");
    const { error, status } = act(scene, "clipboard", "read");
    expect(status).toBe(1);
    expect(error).toMatchObject({ code: "PATTERN_UNSUPPORTED", message: "the clipboard holds no text, but image/png" });
  });

  test("an owner that does not answer is reported in time", async () => {
    const owner = scene.sandbox.spawn(["xclip", "-quiet", "-selection", "clipboard"], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    owner.stdin?.end("held");
    await waitFor("the owner", () => scene.run("xclip", "-o", "-selection", "clipboard").stdout === "held");
    process.kill(owner.pid ?? 0, "SIGSTOP");
    expect(act(scene, "clipboard", "read", "--timeout-ms", "1500").error?.code).toBe("TIMEOUT");
    process.kill(owner.pid ?? 0, "SIGKILL");
  });

  test("it pastes into a real application", async () => {
    const file = join(scene.sandbox.env.HOME ?? "", "pasted.txt");
    writeFileSync(file, "");
    await scene.start(["mousepad", file], "pasted.txt");
    const text = "Grüße 日本語 👩‍👩‍👧 Привет";
    expect(act(scene, "clipboard", "write", text).effect?.effect).toBe("confirmed");
    expect(act(scene, "focus", "--app", "mousepad").effect?.effect).toBe("confirmed");
    scene.run("xdotool", "key", "ctrl+v");
    await waitFor("the editor to notice", () => scene.run("wmctrl", "-l").stdout.includes("*"));
    scene.run("xdotool", "key", "ctrl+s");
    await waitFor("the file", () => readFileSync(file, "utf8").trim() === text);
    scene.run("xdotool", "key", "ctrl+a", "ctrl+c");
    await waitFor("what the editor copied", () => read().text.trim() === text);
  });

  test("invalid arguments are reported before anything is done", () => {
    expect(act(scene, "clipboard", "write").error).toMatchObject({
      code: "USAGE",
      message: "clipboard write needs a text",
    });
    expect(act(scene, "clipboard", "read", "words").error?.code).toBe("USAGE");
    expect(act(scene, "clipboard", "write", "x", "--dry-run").effect).toMatchObject({
      effect: "would",
      delivered: false,
    });
  });

  test("a clipboard manager takes it over, small and large, and then no process needs to hold it", async () => {
    scene.sandbox.spawn(["xfsettingsd", "--no-daemon"], { stdio: "ignore" });
    await waitFor("the manager", () => scene.run("/usr/bin/python3", "-c", askForManager).stdout.trim() !== "0");
    const large = Array.from({ length: 200_000 }, (_value, index) => `${index} ü`).join("\n");
    for (const text of ["kurz: ü日", large]) {
      const written = pipe(text, launcher, "clipboard", "write", "-", "--timeout-ms", "20000");
      expect(JSON.parse(written.stdout)).toMatchObject({ effect: "confirmed" });
      await waitFor("no holder of the clipboard", () => listHolders().length === 0);
      await waitFor("the same text", () => pipe("", "xclip", "-o", "-selection", "clipboard").stdout === text);
    }
  });
});
