import type { Command } from "commander";

const help = `
Reading changes nothing: list, show, stats, export. What is forgotten or pruned is really gone: the file is written anew, and
its numbers are never given out again. Nothing is pruned by itself.

Examples:
  deskmap map list --app firefox --role button
  deskmap map show 42
  deskmap map stats
  deskmap map forget --app thunderbird
  deskmap map export my-map.jsonl
  deskmap map import my-map.jsonl
  deskmap map prune --days 90`;

const formatHelp = "output format (text on a terminal, json when piped)";

/** Adds `deskmap map`: what is remembered, for the person whose memory it is. No tool, no batch can call it. */
export function addMapCommand(program: Command): void {
  const map = program
    .command("map")
    .summary("See and look after what is remembered: list, show, stats, forget, export, import, prune, rescue.")
    .description(
      "What Deskmap remembers of the controls it has met, in one file of yours that never leaves this machine.",
    )
    .addHelpText("after", help);
  addReading(map);
  addForgetting(map);
  addExchange(map);
}

/** Adds `deskmap forget`: the counterpart of teach. */
export function addForgetCommand(program: Command): void {
  program
    .command("forget [name...]")
    .summary("Forget a control: by the name that it was taught, or by its mark.")
    .description(
      "Its mark, its history and its name are gone, and the number is never given out again. `deskmap map forget` forgets " +
        "whole applications, or everything.",
    )
    .option("--id <mark>", "the control with this mark")
    .option("--format <json|text|csv>", formatHelp)
    .addHelpText("after", '\nExamples:\n  deskmap forget "Save button"\n  deskmap forget --id 42')
    .action(async (name: readonly string[], flags) => {
      const taught = name.length === 0 ? {} : { taught: name.join(" ") };
      await (await import("./forget.ts")).runForget({ ...flags, ...taught });
    });
}

function addReading(map: Command): void {
  map
    .command("list")
    .summary("The controls that are remembered, best known first.")
    .option("--app <name>", "only of this application, by any of its names")
    .option("--role <role>", "only of this role, such as button or input")
    .option("--limit <n>", "at most so many (50)")
    .option("--format <json|text|csv>", formatHelp)
    .option("--pretty", "indent JSON")
    .action(async (flags) => (await import("./list.ts")).runList(flags));
  map
    .command("show <mark>")
    .summary("Everything that is known of one control, and why it is relied on as far as it is.")
    .option("--format <json|text|csv>", formatHelp)
    .option("--pretty", "indent JSON")
    .action(async (mark, flags) => (await import("./show.ts")).runShow(mark, flags));
  map
    .command("stats")
    .summary("How much is remembered of what, how often it was right, and how large the file is.")
    .option("--format <json|text|csv>", formatHelp)
    .option("--pretty", "indent JSON")
    .action(async (flags) => (await import("./stats.ts")).runStats(flags));
}

function addForgetting(map: Command): void {
  map
    .command("forget")
    .summary("Takes something out of the map, and writes its file anew.")
    .description("Exactly one of --id, --app, --taught and --all says what. Its numbers are never given out again.")
    .option("--id <mark>", "one control")
    .option("--app <name>", "everything of one application, by any of its names")
    .option("--taught <name>", "the controls that were taught by this name")
    .option("--all", "everything; only with --yes")
    .option("--yes", "it is meant")
    .option("--format <json|text|csv>", formatHelp)
    .action(async (flags) => (await import("./forget.ts")).runForget(flags));
  map
    .command("prune")
    .summary("Drops what was not seen for long, was never used and was not taught, and makes the file small.")
    .option("--days <n>", "not seen for so many days (180)")
    .option("--keep <app...>", "keep everything of these applications")
    .option("--format <json|text|csv>", formatHelp)
    .action(async (flags) => (await import("./forget.ts")).runPrune(flags));
}

function addExchange(map: Command): void {
  map
    .command("export [file]")
    .summary("Writes the map as JSON Lines, for another machine or as a backup; without a file to standard output.")
    .description(
      "A first line that says what it is, then one control a line: its ref, its counts and what it was taught. Values, " +
        "passwords and runtime ids are not in the map, and so not in the file.",
    )
    .option("--app <name...>", "only of these applications")
    .action(async (file, flags) => (await import("./exchange.ts")).runExport(file, flags));
  map
    .command("import <file>")
    .summary("Takes the lines of another map in, whole or not at all. - is standard input.")
    .description(
      "A control keeps its number where that was never given out here. One that is known here already is merged, and " +
        "what was taken in before is not counted twice.",
    )
    .option("--format <json|text|csv>", formatHelp)
    .action(async (file, flags) => (await import("./exchange.ts")).runImport(file, flags));
  map
    .command("rescue")
    .summary("Makes a new map of what can still be read of a damaged one; the damaged one is kept beside it.")
    .option("--format <json|text|csv>", formatHelp)
    .action(async (flags) => (await import("./rescue.ts")).runRescue(flags));
}
