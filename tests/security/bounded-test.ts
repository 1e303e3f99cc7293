import { test } from "bun:test";
import { spawnSync } from "node:child_process";

const probe = ["--unshare-user", "--unshare-ipc", "--unshare-net", "--ro-bind", "/", "/", "--", "/bin/true"];
const { status, stderr } = spawnSync("bwrap", probe, { encoding: "utf8" });
/** Why this system allows no boundary, as containers often do not; empty where it does. */
const refusal = status === 0 ? "" : (stderr ?? "").trim() || "bubblewrap is not installed";

/** A test of a boundary, skipped with the reason where the system allows none. */
export function boundedTest(sentence: string, body: () => void | Promise<void>): void {
  if (refusal === "") test(sentence, body);
  else test.skip(`${sentence} (${refusal})`, body);
}
