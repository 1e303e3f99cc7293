import { describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { listBlocks, pages, readPage, root } from "./page.ts";

test("README.md has at most 8192 bytes", () => {
  expect(Buffer.byteLength(readPage("README.md"))).toBeLessThanOrEqual(8192);
});

test("README.md links to every page of docs/ for readers, and to AGENTS.md", () => {
  const linked = listLinks("README.md").map(({ path }) => path);
  for (const name of ["agents", "people", "guard", "learning", "limits", "benchmarks", "architecture", "concepts"])
    expect(linked).toContain(`docs/${name}.md`);
  expect(linked).toContain("AGENTS.md");
});

describe("relative links", () => {
  test.each(pages)("of %s lead to a file, and to a heading in it", (page) => {
    const links = listLinks(page);
    const broken = links.filter(({ path, anchor }) => {
      if (!existsSync(join(root, path))) return true;
      return anchor !== undefined && !listAnchors(path).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test("are found at all", () => {
    expect(pages.flatMap(listLinks).length).toBeGreaterThan(40);
  });
});

/** Links and pictures, except those to other sites. */
function listLinks(page: string): readonly { readonly path: string; readonly anchor: string | undefined }[] {
  const text = readPage(page).replaceAll(/^```[\s\S]*?^```$/gm, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = "", anchor] = target.split("#");
      return { path: path === "" ? page : relative(root, join(root, dirname(page), path)), anchor };
    });
}

/** The anchors that GitHub generates for the headings. */
function listAnchors(page: string): readonly string[] {
  return [...readPage(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

/** Every file of the program and its tests. */
const files = ["src", "web", "tests", "scripts", "bench", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `/${folder}/${name}`),
);

describe("the files that a page names are there", () => {
  // Decisions describe history, including files that no longer exist.
  test.each(pages.filter((page) => page !== "docs/decisions.md" && page !== "CHANGELOG.md"))("%s", (page) => {
    const named = [...readPage(page).matchAll(/(?<![*\w./-])[\w./-]*\w\.(?:tsx?|mjs|py)\b/g)].map(([name]) =>
      name.replace(/^\.\//, ""),
    );
    expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  });

  test("and architecture.md lists every folder and file directly under src/", () => {
    const text = readPage("docs/architecture.md");
    const entries = readdirSync(join(root, "src"), { withFileTypes: true });
    const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    expect(names.filter((name) => !new RegExp(`^ {6}.*\\b${name}(?: |:)`, "m").test(text))).toEqual([]);
  });

  test("and so are the tests that security.md names", () => {
    const named = [...readPage("docs/security.md").matchAll(/`(tests\/[^`]+)`/g)].flatMap(([, path = ""]) => {
      const [, before = path, choices = "", after = ""] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
      return choices === "" ? [before] : choices.split(",").map((choice) => `${before}${choice}${after}`);
    });
    expect(named.length).toBeGreaterThan(40);
    const missing = named.filter((path) => !files.some((file) => file.startsWith(`/${path.replace(/\*$/, "")}`)));
    expect(missing).toEqual([]);
  });
});

const launcher = join(root, "deskmap");
/** Two-word commands. */
const groups = ["map", "policy", "sandbox", "completions", "demo", "record"];

interface Call {
  readonly command: string;
  readonly flags: readonly string[];
}

/** Every deskmap call in shell blocks and in inline code. */
function listCalls(page: string): readonly Call[] {
  const text = readPage(page);
  const inline = [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
  const shell = listBlocks(text, "sh").flatMap((block) => block.split("\n").map((line) => line.replace(/\s# .*$/, "")));
  return [...inline, ...shell].flatMap((line) =>
    [...line.replaceAll(/\s+/g, " ").matchAll(/(?:^|[ (/])deskmap ([a-z][a-z_-]*)(?: ([a-z]+))?([^|;&)]*)/g)].map(
      ([, name = "", second = "", rest = ""]) => ({
        command: groups.includes(name) && second !== "" ? `${name} ${second}` : name,
        flags: [...`${second} ${rest}`.replace(/ -- .*$/, "").matchAll(/(?<=\s)--[a-z][a-z-]*/g)].map(([flag]) => flag),
      }),
    ),
  );
}

describe("the pages speak only of commands and options that exist", () => {
  const help = new Map<string, string>();
  const readHelp = (command: string): string => {
    const known = help.get(command);
    if (known !== undefined) return known;
    const { stdout } = spawnSync(launcher, [...command.split(" "), "--help"], { encoding: "utf8" });
    // An unknown command prints the help of the program itself.
    const text = stdout.startsWith(`Usage: deskmap ${command} `) ? stdout : "";
    help.set(command, text);
    return text;
  };

  test.each(pages)("%s", (page) => {
    for (const { command, flags } of listCalls(page)) {
      const text = readHelp(command);
      expect({ command, isKnown: text !== "" }).toEqual({ command, isKnown: true });
      const unknown = flags.filter((flag) => !new RegExp(`${flag}(?![a-z-])`).test(text));
      expect({ command, unknown }).toEqual({ command, unknown: [] });
    }
  });

  test("which are found at all", () => {
    expect(pages.flatMap(listCalls).length).toBeGreaterThan(100);
  });
});
