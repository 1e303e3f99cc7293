import { spawn } from "node:child_process";

const HEARTBEAT_MS = 10_000;
const REDRAW_MS = 500;
const KEPT_LINES = 20;
const KEPT_ERRORS = 10;

// Runs a tool and shows its progress: one live line on a terminal, plain lines elsewhere, and its last lines if it fails.
// `describe` turns a line of the tool's output into a short status, or undefined to keep the status before.
export async function runShowing({ title, command, args, shown, env, cwd, describe }) {
  const started = Date.now();
  const isTerminal = process.stderr.isTTY === true;
  const kept = [];
  const errors = [];
  let detail = "";
  const elapsed = () => `${Math.round((Date.now() - started) / 1000)} s`;
  const line = () => `  ${title} … ${elapsed()}${detail === "" ? "" : `, ${detail}`}`;
  const redraw = () => process.stderr.write(`\r\x1b[K${line().slice(0, (process.stderr.columns ?? 80) - 1)}`);
  const beat = () => (isTerminal ? redraw() : console.error(line()));

  if (!isTerminal) console.error(`  ${title} …`);
  const timer = setInterval(beat, isTerminal ? REDRAW_MS : HEARTBEAT_MS);
  const code = await readTool({ command, args, env, cwd }, (text) => {
    const words = describe(text);
    if (words === undefined || words.isOnlyProgress !== true) kept.push(text);
    if (kept.length > KEPT_LINES) keepError(kept.shift(), errors);
    if (words !== undefined) detail = words.text;
  });
  clearInterval(timer);
  if (isTerminal) process.stderr.write("\r\x1b[K");
  if (code === 0) {
    console.error(`  ${title}: done in ${elapsed()}`);
    return true;
  }
  console.error(`  ${title}: FAILED after ${elapsed()}. The last lines were:`);
  for (const text of [...errors, ...kept]) console.error(`    ${text}`);
  console.error(`  See for yourself with: ${shown}`);
  return false;
}

// The cause is often far above the last lines, which only list its consequences.
function keepError(text, errors) {
  if (/\berror\b/i.test(text) && errors.length < KEPT_ERRORS) errors.push(text);
}

function readTool({ command, args, env, cwd }, takeLine) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) splitLines(stream, takeLine);
    child.on("error", (error) => {
      takeLine(error.message);
      resolve(127);
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
}

function splitLines(stream, takeLine) {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    const lines = (rest + chunk).split(/[\r\n]+/);
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") takeLine(line);
  });
  stream.on("end", () => {
    if (rest.trim() !== "") takeLine(rest);
  });
}
