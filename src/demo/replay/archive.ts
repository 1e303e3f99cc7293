import type { Demo } from "../file.ts";
import { printDemo } from "../file.ts";
import { printReport } from "./print-report.ts";
import type { ReplayReport } from "./report.ts";
import { makeZip, type ZipEntry } from "./zip.ts";

type Run = ReplayReport & { readonly row?: number | undefined };

/**
 * Everything that tells why a replay stopped, in one file for another person: a page that opens in any browser, the steps
 * and what became of them, pictures, and the tree of the window. No secret is in any of it: demos have them by name only.
 */
export function makeArchive(demo: Demo, runs: readonly Run[]): Uint8Array {
  const stopped = runs.find(({ stop }) => stop !== undefined);
  const { pictures, tree } = stopped?.stop ?? {};
  const add = (name: string, bytes: string | Uint8Array | undefined): readonly ZipEntry[] =>
    bytes === undefined ? [] : [{ name, bytes: Buffer.from(bytes) }];
  const picture = (base64: string | undefined): Uint8Array | undefined =>
    base64 === undefined ? undefined : Buffer.from(base64, "base64");
  const log = runs.flatMap(({ row, steps }) => steps.map((step) => JSON.stringify({ row, ...step })));
  return makeZip([
    ...add("index.html", printReport("html", demo, runs)),
    ...add("report.json", printReport("json", demo, runs)),
    ...add("demo.json", printDemo(demo)),
    ...add("log.jsonl", `${log.join("\n")}\n`),
    ...add("recorded.png", picture(pictures?.recorded)),
    ...add("stopped.png", picture(pictures?.now)),
    ...add("tree.txt", tree === undefined ? undefined : `${tree.join("\n")}\n`),
  ]);
}
