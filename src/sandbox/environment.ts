import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT_VARIABLE } from "./end-processes.ts";
import type { SandboxRecord } from "./record.ts";

/** The difference between the environments inside and outside. */
export type Variables = { set: Record<string, string>; unset: string[] };

export type Folders = {
  root: string;
  run: string;
  home: string;
  temp: string;
  log: string;
  /** Read-only within a boundary: the display's cookie, the configuration of its server, the record. */
  shown: string;
  /** The display's socket within a boundary. */
  screen: string;
};

// What programs inside need of the environment outside: where programs are, language, terminal, appearance, and the settings
// of Deskmap that hold no secret.
const ALLOWED_VARIABLES =
  /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLORTERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|USER|LOGNAME|SHELL|XDG_DATA_DIRS|XDG_CONFIG_DIRS|GTK_THEME|GDK_SCALE|GDK_DPI_SCALE|QT_SCALE_FACTOR|QT_STYLE_OVERRIDE|DESKMAP_(CLIENT|DAEMON|DEBUG|FORMAT|LOG|MEMORY|READ_ONLY|TIMEOUT_MS|VISION))$/;

// Variables that refer to the desktop outside: display, session, input method, start-up notification and buses.
const OUTSIDE_VARIABLES = [
  "AT_SPI_BUS_ADDRESS",
  "DBUS_STARTER_ADDRESS",
  "DBUS_STARTER_BUS_TYPE",
  "DESKTOP_SESSION",
  "DESKTOP_STARTUP_ID",
  "GDK_BACKEND",
  "GTK_IM_MODULE",
  "IBUS_ADDRESS",
  "ICEAUTHORITY",
  "MOZ_ENABLE_WAYLAND",
  "NO_AT_BRIDGE",
  "QT_ACCESSIBILITY",
  "QT_IM_MODULE",
  "QT_QPA_PLATFORM",
  "SESSION_MANAGER",
  "WAYLAND_DISPLAY",
  "WAYLAND_SOCKET",
  "WINDOWID",
  "XDG_ACTIVATION_TOKEN",
  "XDG_CURRENT_DESKTOP",
  "XDG_SEAT",
  "XDG_SESSION_DESKTOP",
  "XDG_SESSION_ID",
  "XDG_VTNR",
  "XMODIFIERS",
];

/** `base` is another folder below the root for home, runtime and temporary files. */
export function makeFolders(root: string, base = root): Folders {
  const folders = {
    root,
    run: join(base, "run"),
    home: join(base, "home"),
    temp: join(base, "tmp"),
    log: join(root, "log"),
    shown: join(root, "shown"),
    screen: join(root, "screen"),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const folder of [".config", ".local/share", ".local/state", ".cache"]) {
    mkdirSync(join(folders.home, folder), { recursive: true, mode: 0o700 });
  }
  return folders;
}

/** With private permissions, like everything in a sandbox. */
export function writeHomeFiles(home: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(home, name), text, { mode: 0o600 });
  }
}

export function locateAuthority(root: string): string {
  return join(root, "shown", "xauthority");
}

export function describeVariables(
  name: string,
  folders: Folders,
  registryDirectory: string,
  outside: NodeJS.ProcessEnv,
  extra: Record<string, string>,
): Variables {
  const set: Record<string, string> = {
    DESKMAP_SANDBOX: name,
    [ROOT_VARIABLE]: folders.root,
    DESKMAP_SANDBOX_DIR: registryDirectory,
    XAUTHORITY: locateAuthority(folders.root),
    XDG_RUNTIME_DIR: folders.run,
    HOME: folders.home,
    XDG_CONFIG_HOME: join(folders.home, ".config"),
    XDG_DATA_HOME: join(folders.home, ".local/share"),
    XDG_STATE_HOME: join(folders.home, ".local/state"),
    XDG_CACHE_HOME: join(folders.home, ".cache"),
    TMPDIR: folders.temp,
    XDG_SESSION_TYPE: "x11",
    GNOME_ACCESSIBILITY: "1",
    QT_LINUX_ACCESSIBILITY_ALWAYS_ON: "1",
    LIBGL_ALWAYS_SOFTWARE: "1",
    // Without a graphics card GTK 4's OpenGL renderer uses half a core for a blinking caret; cairo uses none.
    GSK_RENDERER: "cairo",
    // A FUSE mount in the private runtime directory would outlive a killed gvfsd and keep the directory busy.
    GVFS_DISABLE_FUSE: "1",
    // A shell that still has this environment later would make Bun recreate the directory for its cache.
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
  };
  if (!outside.LANG && !outside.LC_ALL) set.LANG = "C.UTF-8";
  Object.assign(set, extra);
  return { set, unset: OUTSIDE_VARIABLES.filter((variable) => !(variable in set)) };
}

/** The environment of a program inside. Only in a trusted sandbox does it contain all of the environment outside. */
export function applyInside(record: Pick<SandboxRecord, "boundary" | "variables">, outside: NodeJS.ProcessEnv) {
  const { boundary } = record;
  const allowed = Object.fromEntries(Object.entries(outside).filter(([variable]) => ALLOWED_VARIABLES.test(variable)));
  const variables = boundary.kind === "bounded" ? boundary.inside : record.variables;
  return applyVariables(variables, boundary.kind === "trusted" ? outside : allowed);
}

/** The environment of a program outside that uses the sandbox's display and buses, as Deskmap does. */
export function applyVariables(variables: Variables, outside: NodeJS.ProcessEnv): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [variable, value] of Object.entries({ ...outside, ...variables.set })) {
    if (value !== undefined && !variables.unset.includes(variable)) env[variable] = value;
  }
  return env;
}

export function formatShellLines(variables: Variables): string {
  const exports = Object.entries(variables.set).map(
    ([variable, value]) => `export ${variable}=${quoteForShell(value)}`,
  );
  return [...exports, `unset ${variables.unset.join(" ")}`].join("\n");
}

function quoteForShell(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
