import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { quoteText } from "../../model/plain-text.ts";
import { maskSecrets } from "../../model/secrets-in-text.ts";

const WINDOW_TIMEOUT_MS = 3000;
const WINDOW_POLL_MS = 50;
const maxLastLine = 200;

/**
 * Waits for the first window, so that the next command finds it; not for long, since an application may open none. Returns
 * false if none came.
 */
export async function waitForWindow(env: Readonly<Record<string, string>>, ended: Promise<unknown>): Promise<boolean> {
  const { openSession } = await import("../../host/session.ts");
  const session = openSession(env, WINDOW_TIMEOUT_MS);
  let isOver = false;
  const noteEnd = (): void => {
    isOver = true;
  };
  ended.then(noteEnd, () => undefined);
  try {
    const platform = await session.openPlatform();
    const deadline = performance.now() + WINDOW_TIMEOUT_MS;
    while (platform.ok && !isOver && performance.now() < deadline) {
      const list = await platform.value.listWindows();
      if (!list.ok || list.value.windows.length + (list.value.withheld?.length ?? 0) > 0) return true;
      await Bun.sleep(WINDOW_POLL_MS);
    }
    return !platform.ok || isOver;
  } finally {
    session.close();
  }
}

/** Its complaints go to a file of the sandbox, where nobody sees them. */
export async function noteNoWindow(
  [name = ""]: readonly string[],
  { set }: { readonly set: Readonly<Record<string, string>> },
): Promise<void> {
  const log = join(set.DESKMAP_SANDBOX_ROOT ?? "", "log", "app.log");
  const lines = (await readFile(log, "utf8").catch(() => "")).trim().split("\n");
  const last = lines.at(-1)?.trim() ?? "";
  const words = last === "" ? "" : `; its last words: ${quoteText(maskSecrets(last), maxLastLine)}`;
  process.stderr.write(
    `deskmap: ${JSON.stringify(name)} has opened no window within ${WINDOW_TIMEOUT_MS / 1000} s${words}\n`,
  );
}
