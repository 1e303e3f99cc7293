import { spawn } from "node:child_process";
import { readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findPlaces, makeStateFolder } from "../../guard/places.ts";
import type { Env } from "../../model/env.ts";
import { processes } from "../../os/index.ts";

/** How long the file with the link exists: a browser reads it at once. */
const redirectMs = 30_000;

export interface Opening {
  readonly words?: string | undefined;
  /** Removes the file; it goes by itself after a while. */
  forget(): void;
}

/** By a private file that redirects: every user can read the arguments of a process, and the link has the token. */
export function openBrowser(url: string, env: Env): Opening {
  const forget = (): void => undefined;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return { words: "No display: open the link in a browser.", forget };
  const program = Bun.which("xdg-open", { PATH: env.PATH ?? "" });
  if (program === null) return { words: "There is no xdg-open here: open the link in a browser.", forget };
  const places = findPlaces(env);
  const file = join(places.state, `inspect-${process.pid}.html`);
  try {
    makeStateFolder(places);
    sweepRedirects(places.state);
    rmSync(file, { force: true });
    writeFileSync(file, makeRedirect(url), { mode: 0o600, flag: "wx" });
  } catch {
    return { words: "The browser could not be opened: open the link yourself.", forget };
  }
  const child = spawn(program, [pathToFileURL(file).href], { env: { ...env }, stdio: "ignore", detached: true });
  // If it does not start, the person has the printed link.
  child.on("error", () => undefined);
  child.unref();
  const remove = (): void => rmSync(file, { force: true });
  const timer = setTimeout(remove, redirectMs);
  timer.unref();
  return {
    forget() {
      clearTimeout(timer);
      remove();
    },
  };
}

function sweepRedirects(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^inspect-(\d+)\.html$/.exec(name) ?? [];
    if (pid === undefined) continue;
    const file = join(folder, name);
    const ageMs = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (!processes.isRunning(Number(pid)) || ageMs > 2 * redirectMs) rmSync(file, { force: true });
  }
}

/** The URL needs no escaping: the token is hexadecimal. */
function makeRedirect(url: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Deskmap inspector</title><meta http-equiv="refresh" content="0; url=${url}"><p><a href="${url}">Open the inspector</a></html>\n`;
}
