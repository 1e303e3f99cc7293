import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const listed = join(import.meta.dir, "mcp-peers");
const folder = join(import.meta.dir, "../../node_modules/.cache/deskmap-mcp-peers");
const files = ["package.json", "package-lock.json"] as const;
/** The inspector's command line, taken alone, looks for the name and version of the whole above itself. */
const whole = "node_modules/@modelcontextprotocol/package.json";

/** Others' programs for MCP, of pinned versions, where nothing of Deskmap sees them: they are not among its packages. */
export function installPeers(): { readonly conformance: string; readonly inspector: string } {
  const isThere =
    existsSync(join(folder, whole)) &&
    files.every((name) => readFileSync(join(folder, name), "utf8") === readFileSync(join(listed, name), "utf8"));
  if (!isThere) install();
  const programs = join(folder, "node_modules/@modelcontextprotocol");
  return {
    conformance: join(programs, "conformance/dist/index.js"),
    inspector: join(programs, "inspector-cli/build/index.js"),
  };
}

/** Beside its place first: what was interrupted in the middle is not taken for whole. */
function install(): void {
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    for (const name of files) copyFileSync(join(listed, name), join(draft, name));
    const args = ["ci", "--prefix", draft, "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    const { status, stderr } = spawnSync("npm", args, { encoding: "utf8", cwd: draft });
    if (status !== 0) throw new Error(`npm could not install them:\n${stderr.slice(-2000)}`);
    writeFileSync(join(draft, whole), JSON.stringify({ name: "@modelcontextprotocol/inspector", version: "1.0.3" }));
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
