import { existsSync } from "node:fs";
import * as z from "zod/mini";
import { clientOf } from "../../guard/gate.ts";
import { findPlaces } from "../../guard/places.ts";
import {
  type LoadedPolicy,
  loadPolicy,
  partFor,
  policyFor,
  policyForAny,
  readAnyFile,
  showProblem,
} from "../../guard/policy/file.ts";
import { isNameKnown, isReadOnlyAsked, readOnlyVariable } from "../../guard/policy/live.ts";
import { sandboxPolicy, standings } from "../../guard/policy/policy.ts";
import type { Problem } from "../../guard/policy/schema.ts";
import { exitCodeOf, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { isInsideSandbox } from "../../sandbox/inside.ts";
import { flatForms, joinRows } from "../../show/csv.ts";
import type { DataOf, Forms } from "../../show/output.ts";
import { type CommandGroup, defineAnswer } from "../define.ts";
import type { Acceptance } from "./policy-accept.ts";

interface Checked {
  readonly path: string;
  /** Without a file, the defaults apply. */
  readonly isThere: boolean;
  readonly problems: readonly Problem[];
}

const checkOutput = () =>
  z.union([
    z.strictObject({ path: z.string(), right: z.literal(true) }),
    z.strictObject({
      path: z.string(),
      right: z.literal(false),
      problems: z.array(z.strictObject({ line: z.number(), column: z.number(), text: z.string() })),
    }),
  ]);

const checkForms: Forms<Checked, DataOf<typeof checkOutput>> = {
  data: ({ path, problems }) => (problems.length === 0 ? { path, right: true } : { path, right: false, problems }),
  text({ path, isThere, problems }) {
    if (problems.length > 0) return problems.map((one) => showProblem(path, one)).join("\n");
    return isThere ? `${path} is right` : `${path} does not exist: the defaults apply`;
  },
  csv({ path, problems }) {
    if (problems.length === 0) return joinRows("path,right", [[path, "true"]]);
    const rows = problems.map(({ line, column, text }) => [path, String(line), String(column), text]);
    return joinRows("path,line,column,text", rows);
  },
  exitCode: ({ problems }) => (problems.length === 0 ? 0 : exitCodeOf("REFUSED")),
};

const check = defineAnswer({
  name: "check",
  summary: "tells whether the file is right, and every line that is wrong (exit code 3)",
  words: [["[file]", "another file than the one that holds"]],
  output: checkOutput,
  forms: checkForms,
  run: (_flags, [file]) => checkFile(file),
});

/** The file in force must also be one that only its user can have written: loading it checks that. */
async function checkFile(given: string | undefined): Promise<Result<Checked>> {
  const places = findPlaces(process.env);
  const path = given ?? places.policy;
  const loaded = given === undefined ? await loadPolicy(places, isInsideSandbox(process.env)) : undefined;
  if (loaded?.ok === true) return succeed({ path, isThere: loaded.value.written !== undefined, problems: [] });
  if (loaded !== undefined && !existsSync(path)) return loaded;
  const text = readAnyFile(path);
  if (!text.ok) return text;
  const { readPolicyText } = await import("../../guard/policy/schema.ts");
  const read = readPolicyText(text.value);
  if ("problems" in read) return succeed({ path, isThere: true, problems: read.problems });
  return loaded?.ok === false ? loaded : succeed({ path, isThere: true, problems: [] });
}

const policyOutput = () =>
  z.strictObject({
    path: z.string(),
    exists: z.boolean(),
    client: z.string(),
    // `from` is the file, its part for a client, the defaults, or the environment.
    settings: z.array(z.strictObject({ setting: z.string(), value: z.unknown(), from: z.string() })),
  });

type ShownPolicy = DataOf<typeof policyOutput>;
type Row = ShownPolicy["settings"][number];

const policyForms: Forms<ShownPolicy, ShownPolicy> = {
  data: (shown) => shown,
  text: ({ path, exists, settings }) => [exists ? path : `${path} does not exist`, ...settings.map(showRow)].join("\n"),
  csv({ settings }) {
    const rows = settings.map(({ setting, value, from }) => [setting, JSON.stringify(value), from]);
    return joinRows("setting,value,from", rows);
  },
};

const show = defineAnswer({
  name: "show",
  summary: "shows what holds, and where each value comes from",
  options: [["--client <name>", "for a client that a person has allowed this name"]],
  output: policyOutput,
  forms: policyForms,
  async run(flags: { readonly client?: string }): Promise<Result<ShownPolicy>> {
    const own = clientOf(process.env);
    const client = flags.client ?? own.name;
    const loaded = await loadPolicy(findPlaces(process.env), isInsideSandbox(process.env));
    if (!loaded.ok) return loaded;
    const { path, written } = loaded.value;
    const isKnown = flags.client !== undefined || isNameKnown(written, own, findPlaces(process.env));
    const settings = [...listSettings(loaded.value, client, isKnown), ...listStandings(loaded.value)];
    return succeed({ path, exists: written !== undefined, client, settings });
  },
});

function listSettings(loaded: LoadedPolicy, client: string, isKnown: boolean): Row[] {
  const { written, common } = loaded;
  const held = isKnown ? policyFor(loaded, client) : policyForAny(loaded);
  const part = isKnown ? partFor(written, client) : undefined;
  const defaults = common === sandboxPolicy ? "private desktop" : "default";
  const from = (name: "actionsPerMinute" | "sensitive" | "readOnly"): string => {
    if (part?.[name] !== undefined) return `policy, clients ${JSON.stringify(part.name)}`;
    if (held.guises !== undefined && written?.clients.some((one) => one[name] !== undefined) === true) {
      return "policy, the strictest of all clients: the name is only claimed";
    }
    return written?.[name] === undefined ? defaults : "policy";
  };
  const isForced = isReadOnlyAsked(process.env) && !held.isReadOnly;
  return [
    { setting: "actionsPerMinute", value: held.actionsPerMinute, from: from("actionsPerMinute") },
    { setting: "sensitive", value: held.sensitive, from: from("sensitive") },
    {
      setting: "readOnly",
      value: held.isReadOnly || isForced,
      from: isForced ? `--read-only or ${readOnlyVariable}` : from("readOnly"),
    },
    { setting: "hotkey", value: held.hasHotkey, from: written?.hotkey === undefined ? defaults : "policy" },
    ...(held.localOnly.length === 0 ? [] : [{ setting: "localOnly", value: held.localOnly, from: "policy" }]),
    ...held.rules.map((rule, index) => {
      const isOfClient = part?.rules.includes(rule) === true;
      const where = isOfClient ? `policy, clients ${JSON.stringify(part?.name)}` : "policy";
      return { setting: `rule ${index + 1}`, value: rule, from: where };
    }),
    ...Object.entries(held.words).map(([danger, words]) => {
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

const init = defineAnswer({
  name: "init",
  summary: "writes a file with every setting at its default and a comment, where there is none",
  output: () => z.strictObject({ path: z.string(), holds: z.boolean() }),
  forms: flatForms<{ readonly path: string; readonly holds: boolean }>(({ path, holds }) => {
    const what = holds ? "what you change in it" : "it";
    return `written: ${path}; ${what} holds after deskmap policy accept`;
  }),
  async run() {
    const places = findPlaces(process.env);
    const path = places.policy;
    if (existsSync(path)) {
      const suggestion = "deskmap policy show tells what it says; an editor changes it.";
      return fail(makeFailure("FAILED", `${path} exists`, suggestion));
    }
    const [edit, { examplePolicy }] = await Promise.all([
      import("../../guard/policy/edit.ts"),
      import("../../guard/policy/example.ts"),
    ]);
    const written = edit.beginPolicy(places, examplePolicy, isInsideSandbox(process.env));
    return written.ok ? succeed({ path, holds: written.value.holds }) : written;
  },
});

const accept = defineAnswer({
  name: "accept",
  summary: "shows what was changed since a person last accepted it, and lets it hold",
  output: () => z.strictObject({ path: z.string(), accepted: z.boolean() }),
  forms: {
    data: ({ path, accepted }: Acceptance) => ({ path, accepted }),
    text: ({ words }) => words,
    csv: ({ path, accepted }) => joinRows("path,accepted", [[path, String(accepted)]]),
  },
  run: async () => (await import("./policy-accept.ts")).acceptAtTerminal(process.env),
});

const maxListed = 12;

function showRow({ setting, value, from }: Row): string {
  const isLong = Array.isArray(value) && value.length > maxListed;
  const listed = JSON.stringify(isLong ? value.slice(0, maxListed) : value);
  const shown = isLong ? `${listed.slice(0, -1)}, … ${value.length} names in all; --format json lists them]` : listed;
  return `${setting}: ${shown}   (${from})`;
}

export const policy: CommandGroup = {
  name: "policy",
  summary: "Check, show, begin or accept the policy file.",
  description: "What may be looked at and done is said in $XDG_CONFIG_HOME/deskmap/policy.json: JSON with comments.",
  commands: [check, show, init, accept].map((command) => ({
    name: command.name,
    load: async () => ({ ...command, description: command.summary }),
  })),
};
