import packageJson from "../../package.json" with { type: "json" };
import { printNow } from "./output.ts";

// Every command loads the static imports of this file. The whole program (commander, the tools and their schemas) is loaded only if
// the daemon cannot answer a plain call.
async function main(): Promise<void> {
  const [, , first, ...rest] = process.argv;
  if (first === "--version" && rest.length === 0) return printNow(`${packageJson.version}\n`);
  if (process.env.DESKMAP_LOG) await startLog();
  const { callQuickly } = await import("./quick-call.ts");
  const exitCode = await callQuickly(first, rest);
  if (exitCode === undefined) await (await import("./program.ts")).runProgram();
  else process.exitCode = exitCode;
}

async function startLog(): Promise<void> {
  const { isLogWanted, startTracing } = await import("./tracing.ts");
  if (isLogWanted(process.env)) startTracing("deskmap", { isVerbose: true, file: undefined });
}

main().catch(async (error: unknown) => (await import("./program.ts")).reportFault(error));
