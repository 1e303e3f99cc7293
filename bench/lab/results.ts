import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";

const path = fileURLToPath(new URL("../results.md", import.meta.url));
/** Above zero, other programs were running too, and ratios are only approximate. */
const loadBefore = loadavg()[0] ?? 0;
const title = "# Measurements\n\nWritten by `npm run bench`; each part is replaced when it is measured again.\n";
const order = [
  "Cold read of one window",
  "Warm read, and changes as they happen",
  "What following an application costs",
  "The mirror over a soak",
  "Size of the text",
  "D-Bus libraries",
  "A second visit",
  "A map of a million controls",
  "Screen capture",
  "Marks in pictures",
  "Overlay",
  "A press and its verified effect",
  "What is said of a press, and what it did",
  "Office tasks",
  "Demos",
  "Typing Unicode text",
  "The inspector",
  "What a start is made of",
  "What a read costs the application",
];

/** Prints one part of the measurements, and replaces that of its last run in results.md. */
export function publish(heading: string, paragraphs: readonly string[]): void {
  const body = [describeMachine(), ...paragraphs].join("\n\n");
  console.log(`\n${heading}\n\n${body}`);
  const parts = readParts();
  parts.set(heading, body);
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  const sorted = [...parts].sort(([a], [b]) => rank(a) - rank(b));
  writeFileSync(path, `${[title, ...sorted.map(([name, text]) => `## ${name}\n\n${text}\n`)].join("\n")}`);
}

function readParts(): Map<string, string> {
  if (!existsSync(path)) return new Map();
  const sections = readFileSync(path, "utf8").split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const end = section.indexOf("\n");
      return [section.slice(0, end), section.slice(end).trim()];
    }),
  );
}

function describeMachine(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  const date = new Date().toISOString().slice(0, 10);
  const kind = cpus()[0]?.model.replaceAll(/\s+/g, " ").trim() || "unknown processor";
  return `${date}, ${availableParallelism()} cores (${kind}), ${memory} GB of memory, Bun ${Bun.version}; load before the run ${loadBefore.toFixed(1)}.`;
}

/** Names the bars that were not met, in bold. */
export function describeMisses(misses: readonly string[]): string {
  if (misses.length === 0) return "Every bar is met.";
  return `**Not met:** ${misses.join("; ")}.`;
}
