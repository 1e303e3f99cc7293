import { describe, expect, test } from "bun:test";
import { Command } from "commander";
import { addOptions } from "../../src/cli/run-tool.ts";
import argumentTables from "../../src/cli/tool-arguments.json" with { type: "json" };
import { type ArgumentTable, parseArguments, readInput } from "../../src/tools/arguments.ts";
import { listOptions } from "../../src/tools/define.ts";
import { loadTools } from "../../src/tools/index.ts";

const tables: Readonly<Record<string, ArgumentTable>> = argumentTables;

/** How commander parses the arguments; undefined if it reports an error. */
async function parseSlowly(name: string, given: readonly string[]) {
  const tool = (await loadTools()).find((one) => one.name === name);
  if (tool === undefined) throw new Error(name);
  const command = new Command(name).exitOverride().configureOutput({ writeErr: () => undefined });
  const options = listOptions(tool);
  addOptions(command, options);
  command.option("--format <f>").option("--pretty").option("--timeout-ms <n>").option("--turn <token>");
  try {
    command.parse([...given], { from: "user" });
  } catch {
    return undefined;
  }
  return readInput(options, command.opts(), command.processedArgs);
}

describe("arguments without commander", () => {
  test.each([
    ["list", []],
    ["list", ["--apps", "--format", "json"]],
    ["list", ["--app=a=b", "--pid", "12", "--window-id=0x1f"]],
    ["list", ["--app", "--apps"]],
    ["find", ["save", "as", "--role", "button", "now"]],
    ["find", ["--max", "3", "ok"]],
    ["at", ["640", "400"]],
    ["click", []],
    ["click", ["save"]],
    ["click", ["--id", "12", "--turn", "t"]],
    ["type", ["some", "words", "--on", "name"]],
    ["wait", ["--for", "text", "--timeout-ms", "100"]],
    ["expect", ["ok"]],
    ["list", ["--apps=false"]],
    ["list", ["--apps=true", "--no-apps"]],
    ["read", ["--visible-only=false", "--app", "--no-all"]],
    ["type", ["--text", "--dry-run=false", "--no-dry-run"]],
  ])("are what commander makes of them: %s %p", async (name, given) => {
    const table = tables[name];
    const parsed = table === undefined ? undefined : parseArguments(table, given);
    const slowly = await parseSlowly(name, given);
    // Falling back to commander is always correct; a different result is not.
    if (parsed !== undefined) expect(parsed.input).toEqual(slowly ?? {});
    expect(parsed === undefined && slowly !== undefined).toBe(false);
  });

  test.each([
    ["list", ["--help"]],
    ["list", ["--no-daemon"]],
    ["list", ["stray"]],
    ["list", ["--app"]],
    ["list", ["--apps=yes"]],
    ["list", ["--turn", "t"]],
    ["read", ["--watch"]],
    ["at", []],
    ["at", ["1"]],
    ["at", ["-1", "2"]],
    ["type", ["-"]],
    ["type", ["--", "-x"]],
    ["find", ["--words", "a"]],
  ])("that mean more, or are wrong, are left to commander: %s %p", (name, given) => {
    const table = tables[name];
    expect(table === undefined ? undefined : parseArguments(table, given)).toBeUndefined();
  });

  test("do not cover commands that read files, draw pictures or keep running", () => {
    for (const name of ["do", "screenshot", "watch"]) expect(name in tables).toBe(false);
    expect(Object.keys(tables)).toContain("click");
  });
});
