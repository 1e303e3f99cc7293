import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DESKTOP_VARIABLES =
  /^(DISPLAY|XAUTHORITY|WAYLAND_.*|DBUS_.*|AT_SPI_.*|XDG_RUNTIME_DIR|XDG_SESSION_.*|XDG_CURRENT_DESKTOP|DESKTOP_SESSION|SESSION_MANAGER|SWAYSOCK|GNOME_.*|GTK_.*|QT_.*)$/;

// Removes every variable that leads to the developer's own desktop. XDG_RUNTIME_DIR is one: D-Bus looks for a session bus
// in it when no address is given.
export function withoutDesktop(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !DESKTOP_VARIABLES.test(name)));
}

// Adds a private home folder, so that no test reads or writes the developer's settings, browser profile or map. Temporary
// files are inside it and removed with it. Both names are short: the path of a socket has at most 108 bytes.
export function isolate(env) {
  const home = mkdtempSync(join(tmpdir(), "deskmap-"));
  const folders = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_STATE_HOME: join(home, ".local/state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    TMPDIR: join(home, "t"),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  return { home, env: { ...withoutDesktop(env), ...folders } };
}
