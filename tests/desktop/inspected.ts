import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type Browser, chromium, type Page } from "playwright-core";
import type { Scene } from "./scene.ts";

const launcher = join(import.meta.dir, "../../deskmap");

export interface Inspector {
  readonly process: ChildProcess;
  /** Includes the single-use token. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts `deskmap inspect` in a scene and waits until it serves. */
export async function startInspector(scene: Scene, ...args: string[]): Promise<Inspector> {
  const child = scene.sandbox.spawn([launcher, "inspect", "--no-open", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  if (child.stdout === null) throw new Error("no output");
  const [first] = await Array.fromAsync(takeFirst(createInterface({ input: child.stdout })));
  const { url } = JSON.parse(first ?? "{}");
  return {
    process: child,
    url,
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function* takeFirst<T>(lines: AsyncIterable<T>): AsyncGenerator<T> {
  for await (const line of lines) {
    yield line;
    return;
  }
}

/** The test's own browser, outside the scene. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
}

/** Opens the inspector's page; returns the errors that occurred in it. */
export async function openPage(
  browser: Browser,
  url: string,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(url);
  return { page, errors };
}
