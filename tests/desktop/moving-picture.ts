import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { openEnvelope } from "../envelope.ts";
import type { Scene } from "./scene.ts";

interface Step {
  readonly command: readonly string[];
  /** Shown under the answer. */
  readonly caption: string;
  readonly status?: number;
}

/** The frames of the picture, in order. Screens and answers come from the real run. */
const steps: readonly Step[] = [
  { command: ["read", "--app", "mousepad"], caption: "A window as text. Every control has a mark." },
  { command: ["click", "file"], caption: "The answer is the effect that was seen." },
  { command: ["type", "--key", "escape"], caption: "Keys go to whatever has the focus." },
  { command: ["type", "Six times seven is ", "--app", "mousepad"], caption: "Typed text is read back." },
  { command: ["type", "6×7", "--app", "calculator"], caption: "Any Unicode text, under any keyboard layout." },
  { command: ["click", "=", "--app", "calculator"], caption: "By words, by mark or by point." },
  { command: ["type", "42", "--app", "mousepad"], caption: "One map for all applications." },
  {
    command: ["type", "--key", "escape", "--app", "mousepad"],
    caption: "No effect is never “ok”: exit code 4.",
    status: 4,
  },
];

const answerMs = 2600;
const commandMs = 700;
const mostLines = 24;

/** Runs the steps in a scene with marks drawn over its applications, and writes an animated GIF of screens and answers. */
export async function takeMovingPicture(scene: Scene, browser: Browser, file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "deskmap-moving-"));
  const page = await browser.newPage({ viewport: { width: 1220, height: 568 } });
  const frames: string[] = [];
  const addFrame = async (ms: number, parts: Parts): Promise<void> => {
    const frame = join(folder, `${frames.length}.png`);
    await drawFrame(page, frame, parts);
    frames.push("-delay", String(ms / 10), frame);
  };
  try {
    const screen = join(folder, "screen.png");
    const photograph = async (): Promise<string> => {
      await scene.settle();
      scene.run("import", "-window", "root", screen);
      return `data:image/png;base64,${readFileSync(screen).toString("base64")}`;
    };
    let shown = await photograph();
    for (const { command, caption, status = 0 } of steps) {
      const line = `$ deskmap ${command.map(quote).join(" ")}`;
      await addFrame(commandMs, { screen: shown, line, answer: "", caption: "" });
      const run = scene.deskmap(...command, "--format", "text");
      if (run.status !== status) throw new Error(`${line} ended with ${run.status}: ${run.stdout}${run.stderr}`);
      shown = await photograph();
      await addFrame(answerMs, { screen: shown, line, answer: shorten(openEnvelope(run.stdout)), caption });
    }
    const { status, stderr } = scene.run("/usr/bin/convert", ...frames, "-loop", "0", "-layers", "optimize", file);
    if (status !== 0) throw new Error(`convert: ${stderr}`);
  } finally {
    await page.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Parts {
  readonly screen: string;
  readonly line: string;
  readonly answer: string;
  readonly caption: string;
}

async function drawFrame(page: Page, file: string, { screen, line, answer, caption }: Parts): Promise<void> {
  await page.setContent(`<!doctype html><style>
    body { margin: 0; display: flex; height: 100vh; background: #1b1e24; color: #e6e6e6; font: 15px/20px "DejaVu Sans Mono", monospace; }
    img { width: 740px; height: 540px; margin: 14px; }
    main { flex: 1; padding: 14px 14px 14px 0; display: flex; flex-direction: column; min-width: 0; }
    b { color: #8bd5a0; white-space: pre-wrap; } pre { margin: 8px 0; flex: 1; overflow: hidden; white-space: pre-wrap; font: inherit; font-size: 13px; line-height: 18px; }
    p { margin: 0; height: 40px; color: #f2c572; font-family: "DejaVu Sans", sans-serif; }
  </style><img src="${screen}"><main><b>${Bun.escapeHTML(line)}</b><pre>${Bun.escapeHTML(answer)}</pre><p>${caption}</p></main>`);
  await page.screenshot({ path: file });
}

function quote(word: string): string {
  return /^[\w=×-]+$/.test(word) ? word : `"${word}"`;
}

function shorten(answer: string): string {
  const lines = answer.split("\n");
  return lines.length <= mostLines ? answer : [...lines.slice(0, mostLines - 1), "…"].join("\n");
}
