import { existsSync } from "node:fs";
import { findDaemonPlace } from "../client/connect-place.ts";
import { type ArgumentTable, parseArguments } from "../tools/arguments.ts";
import { callDaemon } from "./call-daemon.ts";
import { cancelOnInterrupt, chooseFormat, chooseTimeout, chooseTurn, report, tell } from "./tell.ts";
import argumentTables from "./tool-arguments.json" with { type: "json" };

/** The exit code of a call that a running daemon has answered; undefined if the whole program is needed. */
export async function callQuickly(name: string | undefined, given: readonly string[]): Promise<number | undefined> {
  const tables: Readonly<Record<string, ArgumentTable>> = argumentTables;
  const table = name === undefined || !Object.hasOwn(tables, name) ? undefined : tables[name];
  if (name === undefined || table === undefined || !existsSync(findDaemonPlace(process.env).socket)) return undefined;
  const parsed = parseArguments(table, given);
  if (parsed === undefined) return undefined;
  const { input, values } = parsed;
  const format = chooseFormat(values.format);
  const timeoutMs = chooseTimeout(values.timeoutMs);
  if (format === undefined || timeoutMs === undefined) return undefined;
  const request = { tool: name, input, formats: [format], isPretty: values.pretty === true, timeoutMs, isTyped: true };
  const turn = table.acts ? chooseTurn(values.turn) : undefined;
  return cancelOnInterrupt(table.acts, async (signal) => {
    const reply = await callDaemon(process.env, request, { ...table, turn, isAllowed: true, signal });
    if (reply === undefined) return undefined;
    if ("code" in reply) return report(reply, format);
    // The whole program names the option that is wrong.
    return reply.failure?.issue !== undefined ? undefined : tell(reply, format);
  });
}
