import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { type Failure, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { processes, user } from "../os/index.ts";
import { isBelow } from "../os/own-folders.ts";
import { findExecutable } from "./programs.ts";
import type { Bounded, SandboxRecord } from "./record.ts";

/** Prints its process id and waits; the id is the same outside. */
export const HOLD = ["/bin/sh", "-c", "echo $$; exec sleep infinity"] as const;

/** Only from folders that are the same inside. */
export function findTool(name: string): string | undefined {
  return findExecutable(name, { PATH: "/usr/bin:/bin:/usr/sbin:/sbin" }, "/") ?? undefined;
}

/** Joins the mounts, memory and network of a boundary, with all rights over them: another command must follow. */
export function enterOuter(outer: Bounded["outer"]): [string, ...string[]] {
  const namespaces = ["--user", "--mount", "--ipc", "--net", "--preserve-credentials"];
  return [findTool("nsenter") ?? "nsenter", "--target", String(outer.pid), ...namespaces, "--"];
}

/**
 * Gives up all rights for good. Root would otherwise get them back with each program; it keeps one, without which Linux lets
 * root make no user namespace, and Firefox starts no page. With it, root can give its own files what it can give them anyway.
 */
export function limitRights(signalWithParent?: "KILL" | "TERM"): string[] {
  const capabilities = user.id() === 0 ? ["--bounding-set=-all,+setfcap", "--inh-caps=-all"] : [];
  const end = signalWithParent === undefined ? [] : ["--pdeathsig", signalWithParent];
  return [findTool("setpriv") ?? "setpriv", "--no-new-privs", ...capabilities, ...end, "--"];
}

// The working folder is entered inside: a folder that was entered outside would lead out.
const CHANGE_FOLDER = ["/bin/sh", "-c", 'cd -- "$1" && unset OLDPWD && shift && exec "$@"', "sh"];

/** The command that runs another one inside a boundary, in the same process. */
export function enterBoundary(
  { outer, inner }: Pick<Bounded, "outer" | "inner">,
  command: readonly string[],
  cwd: string,
  signalWithParent?: "KILL" | "TERM",
): [string, ...string[]] {
  const namespace = ["--target", String(inner.pid), "--user", "--preserve-credentials", "--"];
  return [
    ...enterOuter(outer),
    findTool("nsenter") ?? "nsenter",
    ...namespace,
    ...limitRights(signalWithParent),
    ...CHANGE_FOLDER,
    cwd,
    ...command,
  ];
}

/** The path at which a file outside is seen inside: its own, or that behind its links; undefined if it is not. */
export function findShown({ shown }: Pick<Bounded, "shown">, path: string): string | undefined {
  const real = followLinks(path);
  if (real === undefined || !isBelow(real, shown)) return undefined;
  return isBelow(path, shown) ? path : real;
}

function followLinks(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

type Command = [string, ...string[]];

/**
 * The command and working folder with which a program is started inside a sandbox from outside. A folder that is not shown
 * inside is replaced by the home; a program that is not shown is refused.
 */
export function chooseInside(
  { boundary, name }: SandboxRecord,
  [program, ...args]: Command,
  cwd: string,
  signalWithParent?: "KILL" | "TERM",
): Result<{ command: Command; cwd: string; hasCwd: boolean }> {
  if (boundary.kind !== "bounded") return succeed({ command: [program, ...args], cwd, hasCwd: true });
  if (![boundary.outer, boundary.inner].every((key) => processes.isAlive(key))) return fail(explainLostBoundary(name));
  const path = findShown(boundary, program);
  if (path === undefined) return fail(explainUnseen(program));
  const folder = findShown(boundary, cwd);
  const inside = enterBoundary(boundary, [path, ...args], folder ?? boundary.inside.set.HOME ?? "/", signalWithParent);
  return succeed({ command: inside, cwd: "/", hasCwd: folder !== undefined });
}

function explainUnseen(program: string): Failure {
  const message = `${program} is not visible inside the sandbox, which shows the system, Deskmap and what --bind names`;
  return makeFailure("NOT_FOUND", message, `open it with --bind ${dirname(program)}:ro, or with --trust.`);
}

function explainLostBoundary(name: string): Failure {
  const message = `the boundary of the sandbox "${name}" is gone: a program inside has ended it`;
  return makeFailure("FAILED", message, `deskmap sandbox stop ${name}, and open it again.`);
}
