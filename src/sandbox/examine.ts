import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Check, note, ok } from "../model/check.ts";
import type { Env } from "../model/env.ts";
import { describeBoundary } from "./describe.ts";
import { findTool } from "./enter.ts";
import { findRecord } from "./inside.ts";
import { findExecutable } from "./programs.ts";

const SUBJECT = "sandbox";
const INSTALL = "sudo apt-get install -y bubblewrap";
const PROBE = ["--unshare-user", "--uid", "0", "--gid", "0", "--unshare-ipc", "--unshare-net", "--ro-bind", "/", "/"];
const PROBE_LIMIT_MS = 2000;

/** In a sandbox, what keeps programs in; elsewhere, whether a sandbox that is opened here would do so. */
export async function examineSandbox(env: Env): Promise<Check> {
  const record = findRecord(env);
  if (record !== undefined) {
    const text = `${record.name}, ${describeBoundary(record.boundary)}`;
    return record.boundary.kind === "missing" ? note(SUBJECT, text, INSTALL) : ok(SUBJECT, text);
  }
  const bwrap = findExecutable("bwrap", env, "/");
  if (bwrap === null)
    return note(SUBJECT, "programs in a sandbox would not be kept in: bubblewrap is not installed", INSTALL);
  if (findTool("nsenter") === undefined || findTool("setpriv") === undefined)
    return note(SUBJECT, "programs in a sandbox would not be kept in: nsenter or setpriv is not installed");
  try {
    await promisify(execFile)(bwrap, [...PROBE, "--", "/bin/true"], { timeout: PROBE_LIMIT_MS });
    return ok(SUBJECT, "programs in a sandbox are kept in by bubblewrap, unless it is opened with --trust");
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
    return note(SUBJECT, `programs in a sandbox would not be kept in: bubblewrap does not work here: ${said}`);
  }
}
