import type { Command } from "commander";
import { type CommandShape, describeShape, type OptionShape } from "./shape.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

const howTo: Readonly<Record<Shell, string>> = {
  bash: "deskmap completions bash > ~/.local/share/bash-completion/completions/deskmap",
  zsh: 'deskmap completions zsh > "$HOME/.zfunc/_deskmap"   (with fpath+=~/.zfunc before compinit)',
  fish: "deskmap completions fish > ~/.config/fish/completions/deskmap.fish",
};

/** Adds the command that prints completions: commands, options, their values, and running applications. */
export function addCompletionsCommand(program: Command, loadAll: () => Promise<void>): void {
  const command = program
    .command("completions")
    .summary("Print completions for a shell.")
    .description(`Print completions for a shell: commands, options, their values, and the applications that run.`);
  for (const shell of shells) {
    command
      .command(shell)
      .description(`for ${shell}`)
      .addHelpText("after", `\nTo install them:\n  ${howTo[shell]}`)
      .action(async () => {
        await loadAll();
        const { print } = await import("../output.ts");
        await print(writers[shell](describeShape(program)));
      });
  }
}

const writers: Readonly<Record<Shell, (shape: CommandShape) => string>> = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
};

const applicationOptions = new Set(["--app"]);

/** Prints the names of running applications; nothing without a desktop. */
const listApplications =
  "deskmap list --apps --format csv 2>/dev/null | tail -n +2 | cut -d, -f1 | tr -d '\"' | sort -u";

interface Reached {
  readonly path: string;
  readonly shape: CommandShape;
}

function listAll(shape: CommandShape, path = ""): readonly Reached[] {
  const inner = shape.commands.flatMap((one) => listAll(one, path === "" ? one.name : `${path} ${one.name}`));
  return [{ path, shape }, ...inner];
}

function listWords({ commands, options, words }: CommandShape): readonly string[] {
  return [
    ...commands.map(({ name }) => name),
    ...options.map(({ long }) => long),
    ...words.flatMap(({ choices }) => choices),
  ];
}

/** Every option that takes a value, with the command that it stands behind. */
function listValued(all: readonly Reached[]): readonly { readonly place: string; readonly option: OptionShape }[] {
  return all.flatMap(({ path, shape }) => {
    const valued = shape.options.filter(({ takesValue }) => takesValue);
    return valued.map((option) => ({ place: `${path} ${option.long}`, option }));
  });
}

function isFree({ long, choices }: OptionShape): boolean {
  return choices.length === 0 && !applicationOptions.has(long);
}

function writeBash(program: CommandShape): string {
  const all = listAll(program);
  const valued = listValued(all);
  const values = valued.flatMap(({ place, option }) => {
    if (isFree(option)) return [];
    const offered = applicationOptions.has(option.long) ? `$(${listApplications})` : option.choices.join(" ");
    return [`    "${place}") mapfile -t COMPREPLY < <(compgen -W "${offered}" -- "$word"); return ;;`];
  });
  const free = valued.filter(({ option }) => isFree(option)).map(({ place }) => `"${place}"`);
  return `# bash completions for deskmap, made by: deskmap completions bash
_deskmap() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} path= one offered
  COMPREPLY=()
  for one in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$one" in
      ${all
        .slice(1)
        .map(({ path }) => `"${path}"`)
        .join(" | ")}) path=\${path:+$path }$one ;;
    esac
  done
  case "$path $before" in
${values.join("\n")}
    ${free.join(" | ")}) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
  esac
  case "$path" in
${all.map(({ path, shape }) => `    "${path}") offered="${listWords(shape).join(" ")}" ;;`).join("\n")}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$word")
}
complete -F _deskmap deskmap
`;
}

/** Single quotes as all three shells understand them. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** The first line, without characters that zsh and fish interpret. */
function summarise(text: string): string {
  return (text.split("\n")[0] ?? "").replaceAll(/[[\]:]/g, " ").trim();
}

function writeZsh(program: CommandShape): string {
  const all = listAll(program);
  const valued = listValued(all);
  const cases = all.map(({ path, shape }) => {
    const commands = shape.commands.map(({ name, summary }) => quote(`${name}:${summarise(summary)}`));
    const options = shape.options.map(({ long, description }) => quote(`${long}:${summarise(description)}`));
    const choices = shape.words.flatMap((word) => word.choices.map(quote));
    return `    ${quote(path)})
      offered=(${[...commands, ...choices].join(" ")})
      options=(${options.join(" ")}) ;;`;
  });
  const values = valued.flatMap(({ place, option }) => {
    if (isFree(option)) return [];
    if (!applicationOptions.has(option.long))
      return [`    ${quote(place)}) compadd -- ${option.choices.join(" ")}; return ;;`];
    return [`    ${quote(place)}) values=(\${(f)"$(${listApplications})"}); compadd -- $values; return ;;`];
  });
  const free = valued.filter(({ option }) => isFree(option)).map(({ place }) => quote(place));
  return `#compdef deskmap
# zsh completions for deskmap, made by: deskmap completions zsh
_deskmap() {
  local at=""
  local one
  local -a offered options values
  for one in "\${(@)words[2,CURRENT-1]}"; do
    case "\${at:+$at }$one" in
      ${all
        .slice(1)
        .map(({ path }) => quote(path))
        .join("|")}) at="\${at:+$at }$one" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${values.join("\n")}
    ${free.join("|")}) _files; return ;;
  esac
  case "$at" in
${cases.join("\n")}
  esac
  (( \${#offered} )) && _describe -t commands 'command' offered
  (( \${#options} )) && _describe -o -t options 'option' options
}
if [ "\${funcstack[1]}" = "_deskmap" ]; then _deskmap "$@"; else compdef _deskmap deskmap; fi
`;
}

function writeFish(program: CommandShape): string {
  const lines = listAll(program).flatMap(({ path, shape: one }) => {
    const names = path === "" ? [] : path.split(" ");
    const inside = one.commands.map(({ name }) => name).join(" ");
    const here = [
      ...names.map((name) => `__fish_seen_subcommand_from ${name}`),
      ...(inside === "" ? [] : [`not __fish_seen_subcommand_from ${inside}`]),
    ].join("; and ");
    const when = here === "" ? "" : ` -n ${quote(here)}`;
    return [
      ...one.commands.map(
        ({ name, summary }) => `complete -c deskmap -f${when} -a ${name} -d ${quote(summarise(summary))}`,
      ),
      ...one.words.flatMap(({ choices }) => choices.map((choice) => `complete -c deskmap -f${when} -a ${choice}`)),
      ...one.options.map((option) => `complete -c deskmap${when} ${writeFishOption(option)}`),
    ];
  });
  return `# fish completions for deskmap, made by: deskmap completions fish
${lines.join("\n")}
`;
}

function writeFishOption({ long, description, takesValue, choices }: OptionShape): string {
  const words = `-l ${long.replace(/^--/, "")} -d ${quote(summarise(description))}`;
  if (!takesValue) return words;
  if (applicationOptions.has(long)) return `${words} -x -a ${quote(`(${listApplications})`)}`;
  return choices.length === 0 ? `${words} -r` : `${words} -x -a ${quote(choices.join(" "))}`;
}
