import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listCommands } from "../listed-commands.ts";

const launcher = join(import.meta.dir, "../../deskmap");
const folder = mkdtempSync(join(tmpdir(), "deskmap-completions-"));
const scripts = {
  bash: join(folder, "deskmap.bash"),
  zsh: join(folder, "_deskmap"),
  fish: join(folder, "deskmap.fish"),
};

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    env: { ...process.env, HOME: folder, PATH: `${join(import.meta.dir, "../..")}:${process.env.PATH}`, DISPLAY: "" },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${status}\n${stderr}`);
  return stdout;
}

/** Completions that a shell offers after the last of these words. */
const ask: Readonly<Record<keyof typeof scripts, (words: readonly string[]) => string[]>> = {
  bash: (words) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const code = `. ${scripts.bash}; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _deskmap; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return split(run("bash", "-c", code));
  },
  // Real completion needs a terminal, so this prints the candidates passed to the completion functions.
  zsh: (words) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const word = words.at(-1) ?? "";
    const code = `
      compdef() { : }
      compadd() { shift; print -l -- "$@" }
      _files() { : }
      _describe() { local name=\${@[-1]}; local -a all; all=("\${(@P)name}"); print -l -- "\${(@)all%%:*}" }
      . ${scripts.zsh}
      words=(${list}); CURRENT=${words.length}; _deskmap`;
    return split(run("zsh", "-fc", code)).filter((one) => one.startsWith(word));
  },
  fish: (words) => {
    const offered = run("fish", "--no-config", "-c", `source ${scripts.fish}; complete -C '${words.join(" ")}'`);
    return split(offered).map((line) => line.split("\t")[0] ?? "");
  },
};

function split(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

beforeAll(() => {
  for (const [shell, path] of Object.entries(scripts)) writeFileSync(path, run(launcher, "completions", shell));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

for (const shell of ["bash", "zsh", "fish"] as const) {
  describe(`in ${shell}`, () => {
    test("every command that help lists is offered", () => {
      const listed = listCommands(run(launcher, "--help"));
      expect(listed.length).toBeGreaterThan(30);
      const offered = new Set(ask[shell](["deskmap", ""]));
      expect(listed.filter((name) => name !== "help" && !offered.has(name))).toEqual([]);
    });

    test("a partial command is completed", () => {
      expect(ask[shell](["deskmap", "scr"])).toEqual(["screenshot", "scroll"]);
    });

    test("a command's own options are offered, and no other's", () => {
      expect(ask[shell](["deskmap", "read", "--ro"])).toEqual(["--roles"]);
      expect(ask[shell](["deskmap", "list", "--ro"])).toEqual([]);
    });

    test("commands inside a command are offered there", () => {
      expect(ask[shell](["deskmap", "map", "res"])).toEqual(["rescue"]);
    });

    test("the choices of an option are offered", () => {
      expect(ask[shell](["deskmap", "read", "--format", ""]).sort()).toEqual(["csv", "json", "text"]);
    });

    test("without a desktop no application is offered, and no error is printed", () => {
      expect(ask[shell](["deskmap", "read", "--app", ""])).toEqual([]);
    });
  });
}

describe("the manual page", () => {
  test("renders without warnings, and has every command and its examples", () => {
    const page = run(launcher, "man");
    const { status, stdout, stderr } = spawnSync("groff", ["-k", "-man", "-Tutf8", "-P-cbou", "-ww"], {
      input: page,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const text = stdout.replaceAll(/\s+/g, " ");
    for (const name of listCommands(run(launcher, "--help")))
      if (name !== "help") expect(text).toContain(`deskmap ${name}`);
    expect(text).toContain("deskmap read --app mousepad");
    expect(text).toContain("EXIT STATUS 0 done");
  });
});
