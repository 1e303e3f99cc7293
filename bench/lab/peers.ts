import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The packages of other projects, pinned: a figure without its version is worth nothing. */
export const peers = {
  "@trycua/cua-driver": "0.28.2",
  "dbus-next": "0.10.2",
  "@homebridge/dbus-native": "0.7.9",
  "node-screenshots": "0.2.8",
};

export const peersFolder = fileURLToPath(new URL("../../node_modules/.cache/deskmap-bench", import.meta.url));

/** Installs the peers where Deskmap's code does not find them. They are not among its packages. */
export async function installPeers(): Promise<void> {
  if (Object.entries(peers).every(([name, version]) => readVersion(name) === version)) return;
  mkdirSync(peersFolder, { recursive: true });
  writeFileSync(join(peersFolder, "package.json"), JSON.stringify({ private: true, dependencies: peers }));
  console.log(`Installing the peers: ${listPeers()}`);
  const args = ["install", "--prefix", peersFolder, "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=http"];
  const started = performance.now();
  let fetched = 0;
  const child = spawn("npm", args, { stdio: ["ignore", "inherit", "pipe"] });
  let words = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    words += chunk;
    fetched += chunk.match(/http fetch GET 200/g)?.length ?? 0;
  });
  const progress = setInterval(
    () => console.log(`  ${Math.round((performance.now() - started) / 1000)} s, ${fetched} files fetched`),
    5000,
  );
  const code = await new Promise((resolve) => {
    child.once("error", () => resolve(127));
    child.once("close", resolve);
  });
  clearInterval(progress);
  if (code !== 0) throw new Error(`npm could not install the peers:\n${words.slice(-2000)}`);
}

export function listPeers(): string {
  return Object.entries(peers)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
}

function readVersion(name: string): string | undefined {
  const path = join(peersFolder, "node_modules", name, "package.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).version : undefined;
}
