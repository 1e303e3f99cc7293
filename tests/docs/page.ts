import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dir, "../..");

/** Every handwritten page, relative to the root. */
export const pages: readonly string[] = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md") && name !== "tools.md")
    .map((name) => `docs/${name}`),
];

export function readPage(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

/** The content of the fenced blocks of one language; "" for those without one. */
export function listBlocks(text: string, language: string): readonly string[] {
  const blocks = text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...blocks].filter(([, named]) => named === language).map(([, , block = ""]) => block);
}

/** The lines of the shell blocks. */
export function listShellLines(text: string): readonly string[] {
  return listBlocks(text, "sh").flatMap((block) => block.split("\n").filter((line) => line.trim() !== ""));
}

/** The complete commands in table cells. */
export function listTableCommands(text: string): readonly string[] {
  const rows = text.split("\n").filter((line) => line.startsWith("|"));
  return rows.flatMap((row) => [...row.matchAll(/`(deskmap [^`]+)`/g)].map(([, command = ""]) => command));
}
