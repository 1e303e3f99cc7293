import { existsSync, lstatSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../model/caught.ts";
import { type Result, succeed } from "../model/failure.ts";
import { folders, programs } from "../os/index.ts";
import { followLinks, isBelow, listOwnFolders, listPrivateFolders } from "../os/own-folders.ts";
import { type Bind, type BoundaryRequest, type BoundaryWish, RESERVED_PLACES } from "./mounts.ts";
import { refuseStart } from "./options.ts";
import { findExecutable } from "./programs.ts";
import { locateRegistry } from "./registry.ts";

export function prepareBoundary(
  wish: BoundaryWish,
  binds: readonly Bind[],
  hasNetwork: boolean,
  registryDirectory: string,
  parts: readonly string[],
): BoundaryRequest {
  const env = process.env;
  return {
    wish,
    bwrap: findExecutable("bwrap", env, "/") ?? "",
    binds,
    ...(wish === "off" ? { own: [] } : findOwnFolders(parts)),
    hidden: [...listPrivateFolders(env), registryDirectory],
    accountHome: folders.account() ?? folders.home(env),
    hasNetwork,
  };
}

/** Parses PATH or PATH:ro. */
export function parseBind(text: string, cwd: string): Result<Bind> {
  const isReadOnly = text.endsWith(":ro");
  const path = resolve(cwd, isReadOnly ? text.slice(0, -":ro".length) : text);
  const refuse = (why: string, suggestion: string) =>
    refuseStart("USAGE", `--bind ${JSON.stringify(text)}: ${why}`, suggestion);
  let source: string;
  try {
    source = realpathSync(path);
  } catch (error) {
    return refuse(messageOf(error), "name a file or folder that is there, as PATH or PATH:ro.");
  }
  if ([path, source].some((place) => RESERVED_PLACES.includes(place)))
    return refuse("the sandbox has this folder for itself", "name a folder below it, or use --trust.");
  const own = [...listOwnFolders(process.env), locateRegistry()].map(followLinks);
  if (isBelow(source, own)) return refuse("it belongs to Deskmap, and is not shown inside", "name another place.");
  const contained = own.find((folder) => isBelow(folder, [source]));
  // Who may write around a folder may put another one in its place.
  if (contained !== undefined && !isReadOnly)
    return refuse(
      `it contains ${contained}, which belongs to Deskmap`,
      `--bind ${JSON.stringify(`${path}:ro`)} shows the rest read-only; or name a folder without it.`,
    );
  return succeed({ path, source, isReadOnly });
}

/** The launcher writes the checkout's path into this file, beside the program that it has compiled. */
const STAMP = "stamp";

/** The folders from which Deskmap runs, so that it runs inside, too; read-only there. */
function findOwnFolders(parts: readonly string[]): Pick<BoundaryRequest, "own" | "compiled"> {
  const program = realpathSync(programs.own());
  const folder = dirname(program);
  const checkout = programs.isCompiled ? readStamp(folder) : findPackage(dirname(fileURLToPath(import.meta.url)));
  if (checkout === undefined) return { own: [program, ...parts] };
  const modules = join(checkout, "node_modules");
  // Work trees may share one folder of packages; npm puts a package's dependencies beside it.
  const shared =
    lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink() === true ? [realpathSync(modules)] : [];
  const beside = dirname(checkout).endsWith("/node_modules") ? [dirname(checkout)] : [];
  const own = [checkout, ...shared, ...beside, ...(programs.isCompiled ? [] : [program]), ...parts];
  return { own, ...(programs.isCompiled && !isBelow(folder, own) ? { compiled: { folder, checkout } } : {}) };
}

function findPackage(folder: string): string | undefined {
  if (existsSync(join(folder, "package.json"))) return folder;
  return folder === "/" ? undefined : findPackage(dirname(folder));
}

function readStamp(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, STAMP), "utf8").split("\n")[0];
  } catch {
    // The executable alone.
    return undefined;
  }
}
