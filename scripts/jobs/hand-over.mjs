import { spawn } from "node:child_process";
import { constants } from "node:os";
import { ROOT } from "../root.mjs";

// Runs a program in the current terminal and returns its exit code. Ctrl-C reaches the program through the terminal; this
// process only has to outlive it.
export function handOver(command, args, env = process.env) {
  const outlive = () => {};
  process.on("SIGINT", outlive);
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: "inherit" });
    process.once("SIGTERM", () => child.kill("SIGTERM"));
    child.on("error", (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve(127);
    });
    child.on("close", (code, signal) => {
      process.off("SIGINT", outlive);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}
