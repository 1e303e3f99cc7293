import type { Env } from "../model/env.ts";

/** Variables whose values describe a desktop and not its user. */
const shownVariables = [
  ...["DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "DESKTOP_SESSION", "LANG", "LC_ALL"],
  ...["LC_MESSAGES", "GDK_BACKEND", "GDK_SCALE", "GTK_MODULES", "GTK_THEME", "QT_QPA_PLATFORM", "QT_SCALE_FACTOR"],
  ...["QT_ACCESSIBILITY", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "GNOME_ACCESSIBILITY", "NO_AT_BRIDGE"],
  ...["MOZ_ENABLE_WAYLAND", "DESKMAP_DAEMON", "DESKMAP_LOG", "DESKMAP_VISION", "DESKMAP_READ_ONLY"],
];
/** Variables of which only the names are shown; all others are left out. */
const namedFamilies = /^(DESKMAP|XDG|GTK|GDK|QT|DBUS|AT_SPI|LC|MOZ)_/;
/** A shorter value, such as "1" or "yes", is in every text and tells nothing. */
const shortestSecret = 6;
const masked = "[masked]";

/** Variables by name: their values where these are harmless, else that they are set. */
export function describeVariables(env: Env): Readonly<Record<string, string>> {
  const shown = Object.entries(env).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (shownVariables.includes(name)) return [[name, value] as const];
    return namedFamilies.test(name) ? [[name, "set"] as const] : [];
  });
  return Object.fromEntries(shown.toSorted(([a], [b]) => a.localeCompare(b)));
}

/**
 * Replaces, in every text of some data, what must not leave this machine. No part of a bundle is meant to hold any of it: this is
 * for what an application, a path or an error message brings along.
 */
export function maskSecrets(data: unknown, secrets: readonly string[], home: string): unknown {
  const long = secrets.filter((secret) => secret.trim().length >= shortestSecret);
  const sought = [...new Set(long)].toSorted((a, b) => b.length - a.length);
  const mask = (text: string): string => {
    const plain = home.length > 1 ? text.replaceAll(home, "~") : text;
    return sought.reduce((rest, secret) => rest.replaceAll(secret, masked), plain);
  };
  const visit = (value: unknown): unknown => {
    if (typeof value === "string") return mask(value);
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, visit(one)]));
  };
  return visit(data);
}

/** The values of all variables that are not shown and that are more than a place or a program. */
export function listSecretValues(env: Env): readonly string[] {
  const harmless = /^(PATH|HOME|PWD|OLDPWD|SHELL|TERM|TMPDIR|XDG_.*_(HOME|DIRS?))$/;
  const hidden = Object.entries(env).filter(([name]) => !shownVariables.includes(name) && !harmless.test(name));
  return hidden.flatMap(([, value]) => (value === undefined ? [] : [value]));
}
