import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DesktopEntry } from "../../../src/platform/linux/openers/desktop-files.ts";
import { expandExec, splitExec } from "../../../src/platform/linux/openers/exec-line.ts";
import { findOpener } from "../../../src/platform/linux/openers/find-opener.ts";

function entryOf(exec: string): DesktopEntry {
  return {
    id: "x.desktop",
    path: "/apps/x.desktop",
    name: "The Name",
    names: ["The Name"],
    exec,
    icon: "pen",
    folder: undefined,
    windowClass: "",
    mimeTypes: [],
    isTerminal: false,
    isHidden: false,
  };
}

describe("an Exec line", () => {
  test("splits words at spaces, and keeps quoted ones together", () => {
    expect(splitExec('a  "b c" d"e f"g')).toEqual(["a", "b c", "de fg"]);
    expect(splitExec('a "" "\\"\\$\\\\"')).toEqual(["a", "", '"$\\']);
  });

  test("takes a file if it has a placeholder for one, as a path or as an address", () => {
    const file = { path: "/data/two words" };
    expect(expandExec(entryOf("run %f --then"), file)).toEqual(["run", "/data/two words", "--then"]);
    expect(expandExec(entryOf("run %U"), file)).toEqual(["run", "file:///data/two%20words"]);
    expect(expandExec(entryOf("run --file=%f"), file)).toEqual(["run", "--file=/data/two words"]);
    expect(expandExec(entryOf("run"), file)).toEqual(["run", "/data/two words"]);
    expect(expandExec(entryOf("run %u"), { url: "https://x.y/?a=%20" })).toEqual(["run", "https://x.y/?a=%20"]);
  });

  test("drops the placeholders without a file, and expands icon, name, its own path and the percent sign", () => {
    expect(expandExec(entryOf("run %F %i %c %k 100%% %d"), undefined)).toEqual([
      "run",
      "--icon",
      "pen",
      "The Name",
      "/apps/x.desktop",
      "100%",
    ]);
  });
});

describe("the opener", () => {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-openers-"));
  const env = {
    HOME: join(folder, "home"),
    XDG_DATA_HOME: join(folder, "own"),
    XDG_DATA_DIRS: join(folder, "system"),
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_CONFIG_DIRS: join(folder, "etc"),
    PATH: join(folder, "bin"),
    LANG: "de_DE.UTF-8",
  };
  const write = (path: string, ...lines: string[]): string => {
    const whole = join(folder, path);
    mkdirSync(join(whole, ".."), { recursive: true });
    writeFileSync(whole, `${lines.join("\n")}\n`);
    return whole;
  };
  const install = (path: string, ...lines: string[]) =>
    write(`${path}.desktop`, "[Desktop Entry]", "Type=Application", ...lines);
  const ask = (what: string, ...args: string[]) => findOpener(what, args, env, folder);
  const commandOf = (what: string, ...args: string[]) => {
    const found = ask(what, ...args);
    return found.ok ? found.value.command : found.failure.code;
  };

  beforeAll(() => {
    for (const name of ["editor", "viewer", "tool", "xterm"]) chmodSync(write(`bin/${name}`, "#!/bin/sh"), 0o755);
    install("system/applications/org.example.Editor", "Name=Text Editor", "Name[de]=Textbearbeitung", "Exec=editor %F");
    install("system/applications/kde/viewer", "Name=Viewer", "Exec=viewer %u", "MimeType=image/png;text/html;");
    install("system/applications/gone", "Name=Gone", "Exec=notthere %f", "MimeType=image/gone;");
    install("system/applications/removed", "Name=Removed", "Exec=viewer");
    install("own/applications/removed", "Name=Removed", "Exec=viewer", "Hidden=true");
    install("system/applications/top", "Name=Top", "Exec=tool --all", "Terminal=true");
    write(
      "system/mime/globs2",
      "# comment",
      "50:text/plain:*.txt",
      "50:text/x-python:*.py",
      "60:text/x-special:*.spec.txt",
    );
    write("system/mime/subclasses", "text/x-python text/plain");
    write("config/mimeapps.list", "[Default Applications]", "text/plain=nowhere.desktop;org.example.Editor.desktop;");
    write("etc/mimeapps.list", "[Default Applications]", "x-scheme-handler/https=kde-viewer.desktop");
    for (const file of ["a.txt", "b.py", "c.unknown", "tool.spec.txt"]) write(`files/${file}`, "text");
    writeFileSync(join(folder, "files", "d.bin"), Buffer.from([1, 0, 2]));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("of an application is found by its id, its name in any language, the end of its id or its program, in any case", () => {
    for (const name of [
      "org.example.editor",
      "TEXT EDITOR",
      "textbearbeitung",
      "Editor",
      "org.example.Editor.desktop",
    ]) {
      expect(commandOf(name, "-x")).toEqual([join(folder, "bin/editor"), "-x"]);
    }
    expect(commandOf("kde-viewer")).toEqual([join(folder, "bin/viewer")]);
  });

  test("may be a program in PATH, run in a terminal if it needs one", () => {
    expect(commandOf("top")).toEqual([join(folder, "bin/xterm"), "-e", join(folder, "bin/tool"), "--all"]);
    expect(commandOf("tool")).toEqual([join(folder, "bin/tool")]);
    expect(commandOf("XTERM")).toEqual([join(folder, "bin/xterm")]);
    expect(commandOf("./bin/tool", "a b")).toEqual([join(folder, "bin/tool"), "a b"]);
  });

  test("of a file is found by its type: by its name, its parent types, or its content", () => {
    const editor = join(folder, "bin/editor");
    for (const file of ["a.txt", "b.py", "c.unknown", "tool.spec.txt"]) {
      expect(commandOf(`files/${file}`)).toEqual([editor, join(folder, "files", file)]);
    }
    expect(commandOf(`file://${folder}/files/a.txt`)).toEqual([editor, join(folder, "files/a.txt")]);
    const binary = ask("files/d.bin");
    expect(binary.ok ? "" : binary.failure.message).toContain("none is set for application/octet-stream");
  });

  test("of an address is found by its scheme", () => {
    expect(commandOf("https://example.org/?q=a b")).toEqual([join(folder, "bin/viewer"), "https://example.org/?q=a b"]);
    expect(commandOf("mailto:nobody")).toBe("UNAVAILABLE");
    expect(commandOf("file://elsewhere/a.txt")).toBe("NOT_FOUND");
  });

  test("does not include entries hidden by the user; entries that are not installed are reported", () => {
    expect(commandOf("removed")).toBe("NOT_FOUND");
    const gone = ask("gone");
    expect(gone.ok ? "" : gone.failure.message).toBe("Gone (gone.desktop) needs notthere, which is not installed");
    expect(commandOf("files/missing.txt")).toBe("NOT_FOUND");
  });

  test("from a user-writable entry is a program; the system's own is an application", () => {
    const own = ask("viewer");
    expect(own.ok && own.value.kind).toBe("program");
    const system = findOpener("mousepad", [], process.env, folder);
    expect(system.ok && system.value.kind).toBe("application");
    // Its program is found by the client's search path.
    chmodSync(write("bin/mousepad", "#!/bin/sh"), 0o755);
    const PATH = `${join(folder, "bin")}:${process.env.PATH ?? ""}`;
    const other = findOpener("mousepad", [], { ...process.env, PATH }, folder);
    expect(other).toMatchObject({ value: { kind: "program", command: [join(folder, "bin/mousepad")] } });
  });

  test("is reported missing with every known name", () => {
    const missing = ask("edtor");
    expect(missing.ok ? [] : missing.failure.nearest).toEqual(
      expect.arrayContaining(["Text Editor", "Textbearbeitung", "Viewer", "xterm", "tool"]),
    );
  });
});
