import type { Command } from "commander";

/** What people want to do, and the commands for it, in the order of the general help and of the manual page. */
export const topics: readonly (readonly [heading: string, commands: readonly string[]])[] = [
  ["Look", ["list", "read", "find", "at", "element", "locate", "text", "screenshot", "watch", "wait", "expect"]],
  [
    "Act",
    [
      ...["click", "type", "set-value", "fill-secret", "select", "check", "uncheck", "toggle", "expand", "collapse"],
      ...["action", "hover", "scroll", "drag", "focus", "window", "open", "quit", "clipboard", "do"],
    ],
  ],
  ["Learn", ["teach", "forget", "map", "resolve"]],
  ["Repeat", ["record", "demo", "replay"]],
  ["Ask", ["ask", "chat"]],
  ["Show", ["overlay", "annotate", "inspect", "tour"]],
  ["Stay in charge", ["stop", "resume", "approve", "allow", "recipients", "apps", "policy", "pin", "audit", "doctor"]],
  [
    "Agents",
    [
      ...["mcp", "serve", "begin", "end", "get_screen_targets", "get_screen_context", "click_element"],
      ...["type_in_element", "teach_element", "record_action_result"],
    ],
  ],
  ["Desktops", ["sandbox"]],
  ["Help", ["completions", "man", "help"]],
];

const examples = `
Examples:
  deskmap read --app mousepad            all controls of a window, with marks
  deskmap click --id 12                  press the control with that mark
  deskmap click save --app mousepad      press a control by its words
  deskmap set-value Ada --on Name        fill in a field
  deskmap open mousepad -- notes.txt     start an application
  deskmap sandbox -- mousepad            try it on a private desktop

deskmap COMMAND --help describes a command, with examples.`;

const places: ReadonlyMap<string, number> = new Map(
  topics.flatMap(([, names]) => names).map((name, place) => [name, place]),
);

/** In the order of the topics; what has none comes last. */
export function sortByTopic<T>(list: readonly T[], nameOf: (one: T) => string): readonly T[] {
  const placeOf = (one: T): number => places.get(nameOf(one)) ?? places.size;
  return list.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Arranges the general help by topic; its commands were added in that order. */
export function arrangeHelp(program: Command): void {
  const headings = new Map(topics.flatMap(([heading, names]) => names.map((name) => [name, heading] as const)));
  for (const command of program.commands) {
    const heading = headings.get(command.name());
    if (heading !== undefined) command.helpGroup(`${heading}:`);
  }
  // For the help command, which commander makes.
  program.commandsGroup("Help:").helpCommand("help [command]", "Describe a command.");
  program.configureHelp({
    subcommandTerm: (command) => command.name(),
    subcommandDescription: (command) => shorten(command.summary() || command.description()),
  });
  program.addHelpText("after", examples);
}

/** What fits beside the longest name on a line of 80 characters. */
const longest = 56;

/** The sentence, or its first clause if it is too long for one line. */
function shorten(sentence: string): string {
  return sentence.length <= longest ? sentence : sentence.replace(/[:;].*/s, ".");
}
