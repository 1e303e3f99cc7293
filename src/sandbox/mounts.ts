import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { folders as os } from "../os/index.ts";
import { followLinks, isBelow } from "../os/own-folders.ts";
import type { Folders } from "./environment.ts";

/** A file or folder of the person that is shown inside, at the same path. */
export type Bind = View & { isReadOnly: boolean };

/** A path inside, and the file or folder outside that is seen there: its path without links. */
type View = { path: string; source: string };

export type MountPlan = {
  binds: readonly Bind[];
  /** Deskmap's program, its checkout and its runtime, and the programs of the desktop. */
  own: readonly string[];
  /** Where the launcher of a package has put the compiled program of a checkout, so that it need not compile it again. */
  compiled?: { folder: string; checkout: string };
  /** Deskmap's files of the desktop outside: not shown, even if a bind contains them. */
  hidden: readonly string[];
  /** The home in the user database, which some programs prefer to $HOME. */
  accountHome: string;
  hasNetwork: boolean;
};

/** "preferred": without bubblewrap it opens all the same and says so. "required": then it does not open. */
export type BoundaryWish = "preferred" | "required" | "off";

/** What is asked of the boundary. */
export type BoundaryRequest = MountPlan & {
  wish: BoundaryWish;
  /** The path of bubblewrap; "" if it is not installed. */
  bwrap: string;
};

const SYSTEM_FOLDERS = ["/usr", "/etc", "/opt", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"];
// Caches and dictionaries that Debian keeps outside /usr.
const SYSTEM_DATA = [
  "/var/cache/fontconfig",
  "/var/lib/aspell",
  "/var/lib/dbus",
  "/var/lib/dictionaries-common",
  "/var/lib/flatpak",
  "/var/lib/libreoffice",
];
/** The places of the boundary itself: a bind over one of them, or around it, would undo it. */
export const RESERVED_PLACES = ["/", os.kernel().place, "/sys", "/dev", "/run", "/tmp", "/tmp/.X11-unix"];

/** The options of bubblewrap for the file system inside, and the paths that exist there as they do outside. */
export function planMounts(folders: Folders, plan: MountPlan): { args: string[]; shown: string[] } {
  const system = [...SYSTEM_FOLDERS, ...SYSTEM_DATA].filter((path) => existsSync(path));
  const kernel = os.kernel();
  const own = plan.own.filter((path) => !isBelow(path, system));
  const shown = [...system, folders.home, folders.run, folders.shown, ...own, ...plan.binds.map(({ path }) => path)];
  const args = [
    ...system.flatMap(showSystem),
    // The processes are those outside, since their ids are the same: a view of its own would need a pid namespace.
    ...bind(kernel.place, kernel.place),
    ...kernel.settings.flatMap(readOnly),
    ...readOnly("/sys"),
    ...["--dev", "/dev", "--tmpfs", "/run", "--symlink", "/run", "/var/run", "--symlink", "/tmp", "/var/tmp"],
    ...["--bind", folders.temp, "/tmp", "--bind", folders.screen, "/tmp/.X11-unix"],
    ...(isBelow(plan.accountHome, system) || plan.accountHome === "/" ? [] : bind(folders.home, plan.accountHome)),
    ...bind(folders.home, folders.home),
    ...bind(folders.run, folders.run),
    ...readOnly(folders.shown),
    ...own.flatMap(readOnly),
    ...(plan.compiled === undefined ? [] : showCompiled(folders, plan.compiled)),
    ...plan.binds.flatMap(({ path, source, isReadOnly }) => [isReadOnly ? "--ro-bind" : "--bind", source, path]),
    ...(plan.hasNetwork ? showNameServers(system) : []),
    ...hide(plan.hidden, [...[...system, ...own].map((path) => ({ path, source: followLinks(path) })), ...plan.binds]),
    ...["--remount-ro", "/"],
  ];
  return { args, shown };
}

/** Covers each folder in every view that contains it: folders and views may have other names by links. */
function hide(folders: readonly string[], views: readonly View[]): string[] {
  return folders.map(followLinks).flatMap((folder) => {
    const containing = views.filter(({ source }) => isBelow(folder, [source]));
    // A folder that is made later would be seen.
    if (containing.length > 0) makeFolder(folder);
    const places = containing.map(({ path, source }) => join(path, relative(source, folder)));
    return existsSync(folder) ? places.flatMap((place) => ["--tmpfs", place]) : [];
  });
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // Where it cannot be made now, Deskmap does not make it later.
  }
}

function bind(source: string, path: string): string[] {
  return ["--bind", source, path];
}

function readOnly(path: string): string[] {
  return ["--ro-bind", path, path];
}

/** /bin is a link to /usr/bin on most systems. */
function showSystem(path: string): string[] {
  return lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : readOnly(path);
}

function showCompiled({ home }: Folders, { folder, checkout }: NonNullable<MountPlan["compiled"]>): string[] {
  return ["--ro-bind", folder, join(home, ".cache/deskmap", checkout)];
}

/** With systemd, /etc/resolv.conf is a link into /run. */
function showNameServers(system: readonly string[]): string[] {
  try {
    const folder = dirname(realpathSync("/etc/resolv.conf"));
    return isBelow(folder, system) ? [] : readOnly(folder);
  } catch {
    return [];
  }
}
