import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(import.meta.dir, "../..");

interface Locked {
  readonly version: string;
  readonly dev?: true;
  readonly devOptional?: true;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

export interface Registry {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * A local npm registry with Deskmap, as packed into `tree`, and its dependencies, repacked from the installed ones. npm
 * fetches nothing from elsewhere.
 */
export function startRegistry(folder: string, tree: string): Registry {
  const packages = new Map([
    ...readLocked(),
    ["deskmap", JSON.parse(readFileSync(join(tree, "package.json"), "utf8"))],
  ]);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      const { pathname, origin } = new URL(url);
      const name = decodeURIComponent(pathname.slice(1));
      if (name === "deskmap.tar") return new Response(Bun.file(join(folder, "deskmap.tgz")));
      if (name.endsWith(".tar")) return new Response(Bun.file(packFor(folder, name.slice(0, -".tar".length))));
      const locked = packages.get(name);
      return locked === undefined ? new Response("{}", { status: 404 }) : Response.json(describe(name, locked, origin));
    },
  });
  return { url: server.url.href, stop: () => server.stop(true) };
}

function readLocked(): ReadonlyMap<string, Locked> {
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const needed = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional,
  );
  return new Map(needed.map(([path, locked]) => [path.slice("node_modules/".length), locked]));
}

/** A package for another system is not installed here; the lock file has enough data for npm to skip it. */
function describe(name: string, locked: Locked, origin: string) {
  const file = join(root, "node_modules", name, "package.json");
  const own = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : locked;
  const dist = { tarball: `${origin}/${name}.tar` };
  const { version } = locked;
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...own, name, dist } } };
}

function packFor(folder: string, name: string): string {
  const staged = join(folder, "staged", name);
  const file = join(staged, "package.tar");
  if (existsSync(file)) return file;
  mkdirSync(dirname(staged), { recursive: true });
  if (name === "bun") stageBun(join(staged, "package"));
  else if (name.startsWith("@oven/")) stageBinary(join(staged, "package"), name);
  else {
    mkdirSync(staged);
    symlinkSync(join(root, "node_modules", name), join(staged, "package"));
  }
  const packed = spawnSync("tar", ["-chf", file, "-C", staged, "package"], { encoding: "utf8" });
  if (packed.status !== 0) throw new Error(packed.stderr);
  return file;
}

/** As published: the install script has not yet replaced this placeholder with the program. */
function stageBun(folder: string): void {
  const installed = join(root, "node_modules/bun");
  cpSync(installed, folder, { recursive: true, filter: (path) => !path.endsWith(".exe") });
  for (const name of ["bun", "bunx"])
    writeFileSync(join(folder, `bin/${name}.exe`), 'echo "not installed" >&2; exit 1\n', { mode: 0o755 });
}

function stageBinary(folder: string, name: string): void {
  mkdirSync(join(folder, "bin"), { recursive: true });
  copyFileSync(join(root, "node_modules", name, "package.json"), join(folder, "package.json"));
  symlinkSync(join(root, "node_modules/bun/bin/bun.exe"), join(folder, "bin/bun"));
}
