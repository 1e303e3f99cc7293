import { spawn } from "node:child_process";
import { ROOT } from "../root.mjs";

export async function runTool(command, args) {
  const { code, stdout, stderr } = await readTool(command, args);
  return { passed: code === 0, report: `${stdout}${stderr}`.trim() };
}

export function readTool(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8");
      child[name].on("data", (chunk) => {
        text[name] += chunk;
      });
    }
    child.on("error", (error) => resolve({ code: 127, stdout: "", stderr: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, ...text }));
  });
}
