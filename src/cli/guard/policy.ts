import { existsSync } from "node:fs";
import { Command } from "commander";
import { clientOf } from "../../guard/gate.ts";
import { findPlaces } from "../../guard/places.ts";
import {
  type LoadedPolicy,
  loadPolicy,
  partFor,
  policyFor,
  readAnyFile,
  showProblem,
} from "../../guard/policy/file.ts";
import type { Problem } from "../../guard/policy/json-reader.ts";
import { sandboxPolicy, standings } from "../../guard/policy/policy.ts";
import { isReadOnlyAsked, readOnlyVariable } from "../../guard/policy/read-only.ts";
import { exitCodeOf, type Failure, nothingDone } from "../../model/failure.ts";
import { isInsideSandbox } from "../../sandbox/inside.ts";
import { joinRows } from "../../show/csv.ts";
import { answer, type Forms } from "../report.ts";

interface Flags {
  readonly format?: string;
  readonly client?: string;
}

type Answer = { readonly forms: Forms; readonly exitCode?: number } | Failure;

/** Adds `deskmap policy`: a person sees what holds and where it comes from. No tool, no batch can call it. */
export function addPolicyCommand(program: Command): void {
  const command = program
    .command("policy")
    .summary("Check, show, begin or accept the policy file.")
    .description("What may be looked at and done is said in $XDG_CONFIG_HOME/deskmap/policy.json: JSON with comments.");
  const add = (name: string, summary: string): Command => {
    const own = new Command(name).description(summary).exitOverride();
    own.option("--format <json|text|csv>", "output format (text on a terminal, json when piped)");
    command.addCommand(own);
    return own;
  };
  const check = add("check", "tells whether the file is right, and every line that is wrong (exit code 3)");
  check.argument("[file]", "another file than the one that holds");
  check.action((file: string | undefined) => answer(check.opts<Flags>().format, () => checkFile(file)));
  const show = add("show", "shows what holds, and where each value comes from");
  show.option("--client <name>", "for the client that calls itself so");
  show.action(() => answer(show.opts<Flags>().format, () => showPolicy(show.opts<Flags>().client)));
  const init = add("init", "writes a file with every setting at its default and a comment, where there is none");
  init.action(() => answer(init.opts<Flags>().format, beginPolicy));
  const accept = add("accept", "shows what was changed since a person last accepted it, and lets it hold");
  accept.action(() => answer(accept.opts<Flags>().format, acceptFile));
}

/** The file that holds must also be one that only its user can have written. */
async function checkFile(given: string | undefined): Promise<Answer> {
  const places = findPlaces(process.env);
  const path = given ?? places.policy;
  const loaded = given === undefined ? await loadPolicy(places, isInsideSandbox(process.env)) : undefined;
  if (loaded?.ok === true) {
    const isThere = loaded.value.written !== undefined;
    return tell({ path, right: true }, isThere ? `${path} is right` : `${path} does not exist: the defaults hold`);
  }
  if (loaded !== undefined && !existsSync(path)) return loaded.failure;
  const text = readAnyFile(path);
  if (!text.ok) return text.failure;
  const { readPolicyText } = await import("../../guard/policy/schema.ts");
  const read = readPolicyText(text.value);
  if ("problems" in read) return listProblems(path, read.problems);
  return loaded?.ok === false ? loaded.failure : tell({ path, right: true }, `${path} is right`);
}

function listProblems(path: string, problems: readonly Problem[]): Answer {
  const rows = problems.map(({ line, column, text }) => [path, String(line), String(column), text]);
  return {
    forms: {
      text: () => problems.map((one) => showProblem(path, one)).join("\n"),
      json: () => JSON.stringify({ path, right: false, problems }),
      csv: () => joinRows("path,line,column,text", rows),
    },
    exitCode: exitCodeOf("REFUSED"),
  };
}

interface Row {
  readonly setting: string;
  readonly value: unknown;
  /** The file, the part of it for a client, the defaults, or the environment. */
  readonly from: string;
}

async function showPolicy(given: string | undefined): Promise<Answer> {
  const client = given ?? clientOf(process.env).name;
  const loaded = await loadPolicy(findPlaces(process.env), isInsideSandbox(process.env));
  if (!loaded.ok) return loaded.failure;
  const rows = [...listSettings(loaded.value, client), ...listStandings(loaded.value)];
  const { path, written } = loaded.value;
  return {
    forms: {
      text: () => [written === undefined ? `${path} does not exist` : path, ...rows.map(showRow)].join("\n"),
      json: () => JSON.stringify({ path, exists: written !== undefined, client, settings: rows }),
      csv: () =>
        joinRows(
          "setting,value,from",
          rows.map(({ setting, value, from }) => [setting, JSON.stringify(value), from]),
        ),
    },
  };
}

function listSettings(loaded: LoadedPolicy, client: string): Row[] {
  const { written, common } = loaded;
  const policy = policyFor(loaded, client);
  const part = partFor(written, client);
  const defaults = common === sandboxPolicy ? "private desktop" : "default";
  const from = (name: "actionsPerMinute" | "sensitive" | "readOnly"): string => {
    if (part?.[name] !== undefined) return `policy, clients ${JSON.stringify(part.name)}`;
    return written?.[name] === undefined ? defaults : "policy";
  };
  const isForced = isReadOnlyAsked(process.env) && !policy.isReadOnly;
  return [
    { setting: "actionsPerMinute", value: policy.actionsPerMinute, from: from("actionsPerMinute") },
    { setting: "sensitive", value: policy.sensitive, from: from("sensitive") },
    {
      setting: "readOnly",
      value: policy.isReadOnly || isForced,
      from: isForced ? `--read-only or ${readOnlyVariable}` : from("readOnly"),
    },
    { setting: "hotkey", value: policy.hasHotkey, from: written?.hotkey === undefined ? defaults : "policy" },
    ...policy.rules.map((rule, index) => {
      const isOfClient = part?.rules.includes(rule) === true;
      const where = isOfClient ? `policy, clients ${JSON.stringify(part?.name)}` : "policy";
      return { setting: `rule ${index + 1}`, value: rule, from: where };
    }),
    ...Object.entries(policy.words).map(([danger, words]) => {
      return { setting: `words ${danger}`, value: words, from: "policy" };
    }),
  ];
}

function listStandings({ common, written }: LoadedPolicy): Row[] {
  return standings.flatMap((standing) => {
    const names = [...common.standings].filter(([, own]) => own === standing).map(([name]) => name);
    const isWritten = (name: string): boolean => written?.apps.has(name) === true;
    return [
      { setting: standing, value: names.filter(isWritten), from: "policy" },
      { setting: standing, value: names.filter((name) => !isWritten(name)), from: "default" },
    ].filter(({ value }) => value.length > 0);
  });
}

async function beginPolicy(): Promise<Answer> {
  const places = findPlaces(process.env);
  if (existsSync(places.policy)) {
    return {
      code: "FAILED",
      message: `${places.policy} exists`,
      suggestion: "deskmap policy show tells what it says; an editor changes it.",
      done: nothingDone,
    };
  }
  const [edit, { examplePolicy }] = await Promise.all([
    import("../../guard/policy/edit.ts"),
    import("../../guard/policy/example.ts"),
  ]);
  const written = edit.beginPolicy(places, examplePolicy, isInsideSandbox(process.env));
  if (!written.ok) return written.failure;
  const { holds } = written.value;
  const when = holds
    ? "what you change in it holds after deskmap policy accept"
    : "it holds after deskmap policy accept";
  return tell({ path: places.policy, holds }, `written: ${places.policy}; ${when}`);
}

async function acceptFile(): Promise<Answer> {
  const { acceptAtTerminal } = await import("./policy-accept.ts");
  const done = await acceptAtTerminal(process.env);
  return done.ok ? tell({ path: done.value.path, accepted: done.value.accepted }, done.value.words) : done.failure;
}

/** More would bury the rest; the JSON form has them all. */
const maxListed = 12;

function showRow({ setting, value, from }: Row): string {
  const isLong = Array.isArray(value) && value.length > maxListed;
  const listed = JSON.stringify(isLong ? value.slice(0, maxListed) : value);
  const shown = isLong ? `${listed.slice(0, -1)}, … ${value.length} names in all; --format json lists them]` : listed;
  return `${setting}: ${shown}   (${from})`;
}

function tell(facts: Readonly<Record<string, string | boolean>>, text: string): Answer {
  const [names, values] = [Object.keys(facts), Object.values(facts).map(String)];
  return {
    forms: { text: () => text, json: () => JSON.stringify(facts), csv: () => joinRows(names.join(","), [values]) },
  };
}
