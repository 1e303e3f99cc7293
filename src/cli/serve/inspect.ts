import packageJson from "../../../package.json" with { type: "json" };
import { readDaemonUse } from "../../client/connect-place.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { defineCommand } from "../define.ts";
import { isTerminal } from "../output.ts";

interface InspectOptions {
  readonly port?: string;
  readonly open: boolean;
  readonly daemon: boolean;
}

const notes = `The page is served to this machine alone (127.0.0.1 and ::1). The link that is printed lets in one browser, once; whoever
comes later is refused. Ctrl-C ends it, and the page with it.`;

export const inspect = defineCommand({
  name: "inspect",
  summary:
    "Open the inspector in the browser: screen, tree, elements, map and activity, as they are and as they change.",
  options: [
    ["--port <n>", "the port; 0 takes any that is free (0)"],
    ["--no-open", "do not open the browser: only print the link"],
    ["--no-daemon", "do not use the daemon: look from this process (also: DESKMAP_DAEMON=never)"],
  ],
  notes,
  examples: ["deskmap inspect", "deskmap inspect --no-open --port 8300"],
  run: (options: InspectOptions) => serve(options),
});

export function readPort(given = "0"): Result<number> {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return succeed(Number(given));
  return fail(describeUsage(`--port "${given}" is not a port`, "a number from 0 to 65535"));
}

async function serve({ port: given, open, daemon }: InspectOptions): Promise<Result<string>> {
  const port = readPort(given);
  if (!port.ok) return port;
  const [{ serveInspector }, { KeptHost, openDaemon, openHere }, { findStop }] = await Promise.all([
    import("../../server/inspector/http.ts"),
    import("../../server/inspector/keep-host.ts"),
    import("../../server/stop-all.ts"),
  ]);
  const { env } = process;
  const isHere = !daemon || readDaemonUse(env) === "never";
  const host = new KeptHost(isHere ? openHere(env) : openDaemon(env), () => findStop(env));
  const server = await serveInspector({ host, env, version: packageJson.version }, port.value);
  if (!server.ok) return server;
  const { url } = server.value;
  const { openBrowser } = await import("../../server/inspector/open-browser.ts");
  const opening = open ? openBrowser(url, env) : undefined;
  void server.value.entry.whenUsed.then(() => opening?.forget());
  const close = async (): Promise<void> => {
    opening?.forget();
    await server.value.close();
    await host.close();
  };
  closeAtEnd(close);
  void host.start();
  const lines = [url, ...(opening?.words === undefined ? [] : [opening.words]), "The link works once. Ctrl-C ends it."];
  return succeed(isTerminal() ? lines.join("\n") : JSON.stringify({ url }));
}

/** Exits as shells expect of a process that a signal has ended, after closing. */
export function closeAtEnd(close: () => Promise<void>): void {
  for (const [signal, number] of [["SIGHUP", 1] as const, ["SIGINT", 2] as const, ["SIGTERM", 15] as const]) {
    process.once(signal, () => void close().finally(() => process.exit(128 + number)));
  }
}
