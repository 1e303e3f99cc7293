/** The commands that the general help lists; its examples come after them. */
export function listCommands(help: string): readonly string[] {
  const [commands = ""] = help.split("\nExamples:");
  return [...commands.matchAll(/^ {2}([a-z][a-z_-]+) /gm)].map(([, name = ""]) => name);
}
