import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const packages = join(import.meta.dir, "../../node_modules");
const own = join(packages, "@modelcontextprotocol");

export interface Peers {
  readonly conformance: string;
  readonly inspector: string;
  remove(): void;
}

/**
 * Third-party programs for MCP. The inspector's command line looks for the name and version of the full package in a parent
 * folder, so a copy of it is put where there is one.
 */
export function findPeers(): Peers {
  const folder = join(packages, `.cache/deskmap-inspector.${process.pid}`);
  const copy = join(folder, "inspector-cli");
  mkdirSync(folder, { recursive: true });
  cpSync(join(own, "inspector-cli"), copy, { recursive: true });
  const { version } = JSON.parse(readFileSync(join(copy, "package.json"), "utf8"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "@modelcontextprotocol/inspector", version }));
  return {
    conformance: join(own, "conformance/dist/index.js"),
    inspector: join(copy, "build/index.js"),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
