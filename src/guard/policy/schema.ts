import { actingAliases, actingTools, readingTools } from "../../model/tool-name.ts";
import {
  describe,
  describeUnknown,
  listOf,
  listProperties,
  type Note,
  type Outcome,
  oneOf,
  openObject,
  quote,
  type Read,
  readJson,
  wholeNumber,
  yesOrNo,
} from "./json-reader.ts";
import {
  type Danger,
  type Decision,
  dangers,
  decisions,
  matches,
  type Rule,
  type Standing,
  standings,
} from "./policy.ts";

/** What a policy file says; what it leaves out is left out here. */
export interface Written {
  readonly actionsPerMinute?: number | undefined;
  readonly sensitive?: Decision | undefined;
  readonly readOnly?: boolean | undefined;
  readonly hotkey?: boolean | undefined;
  /** By names in lower case. */
  readonly apps: ReadonlyMap<string, Standing>;
  readonly rules: readonly Rule[];
  /** In the order of the file. */
  readonly clients: readonly ClientPart[];
  readonly words: Readonly<Partial<Record<Danger, readonly string[]>>>;
}

/** What a policy says of the clients whose names fit. */
export interface ClientPart {
  readonly name: string;
  readonly actionsPerMinute?: number | undefined;
  readonly sensitive?: Decision | undefined;
  readonly readOnly?: boolean | undefined;
  readonly rules: readonly Rule[];
}

/** More than that is not remembered of a minute, so a higher limit would be none. */
const mostActions = 1000;
const longestName = 200;

const settings = [
  "$schema",
  "actionsPerMinute",
  "sensitive",
  "readOnly",
  "hotkey",
  "apps",
  "rules",
  "clients",
  "words",
];
const clientSettings = ["actionsPerMinute", "sensitive", "readOnly", "rules"];
const ruleParts = ["apps", "tools", "actions", "clients", "decision"];

export function readPolicyText(text: string): Outcome<Written> {
  return readJson(text, readPolicy);
}

const readPolicy: Read<Written> = (node, note) => {
  const parts = openObject(node, note, settings);
  if (parts === undefined) return undefined;
  parts.take("$schema", readAnyText);
  return {
    actionsPerMinute: parts.take("actionsPerMinute", wholeNumber(0, mostActions)),
    sensitive: parts.take("sensitive", oneOf(decisions)),
    readOnly: parts.take("readOnly", yesOrNo),
    hotkey: parts.take("hotkey", yesOrNo),
    apps: parts.take("apps", readApps) ?? new Map(),
    rules: parts.take("rules", readRules(ruleParts)) ?? [],
    clients: parts.take("clients", readClients) ?? [],
    words: parts.take("words", readWords) ?? {},
  };
};

const readApps: Read<ReadonlyMap<string, Standing>> = (node, note) => {
  const entries = listProperties(node, note)?.flatMap(({ name, key, value }) => {
    checkName(name, key, note);
    const standing = oneOf(standings)(value, note);
    return standing === undefined ? [] : [[name.toLowerCase(), standing] as const];
  });
  return entries && new Map(entries);
};

const readClients: Read<readonly ClientPart[]> = (node, note) =>
  listProperties(node, note)?.flatMap(({ name, key, value }) => {
    checkName(name, key, note);
    const parts = openObject(value, note, clientSettings);
    if (parts === undefined) return [];
    return {
      name,
      actionsPerMinute: parts.take("actionsPerMinute", wholeNumber(0, mostActions)),
      sensitive: parts.take("sensitive", oneOf(decisions)),
      readOnly: parts.take("readOnly", yesOrNo),
      rules: parts.take("rules", readRules(ruleParts.filter((part) => part !== "clients"))) ?? [],
    };
  });

function readRules(names: readonly string[]): Read<readonly Rule[]> {
  return (node, note) => {
    if (node.type !== "array") {
      note(node, `${describe(node)} stands here, and it should be a list of rules: [{ "decision": "ask" }]`);
      return undefined;
    }
    return (node.children ?? []).flatMap((item) => readRule(names)(item, note) ?? []);
  };
}

function readRule(names: readonly string[]): Read<Rule> {
  return (node, note) => {
    const parts = openObject(node, note, names);
    const decision = parts?.demand("decision", oneOf(decisions));
    if (parts === undefined) return undefined;
    const rule = {
      apps: parts.take("apps", listOf(readName, "names of applications")),
      tools: parts.take("tools", listOf(readTool, "names of tools")),
      actions: parts.take("actions", listOf(oneOf(dangers), "kinds of actions")),
      clients: names.includes("clients") ? parts.take("clients", listOf(readName, "names of clients")) : undefined,
    };
    return decision && { ...rule, decision };
  };
}

const readName: Read<string> = (node, note) => {
  if (node.type === "string") return checkName(String(node.value), node, note);
  note(node, `${describe(node)} stands here, and it should be a name in double quotes`);
  return undefined;
};

const readTool: Read<string> = (node, note) => {
  const name = readName(node, note);
  if (name === undefined || actingTools.some((tool) => matches(name, tool))) return name;
  const behind = Object.entries(actingAliases).find(([alias]) => matches(name, alias))?.[1];
  if (behind !== undefined) {
    note(node, `${quote(name)} is another name of ${quote(behind)}: a rule for that holds for both`);
    return undefined;
  }
  const isReading = readingTools.some((tool) => matches(name, tool));
  const hint = `${quote(name)} does not act, and rules speak of what acts; "apps" says what may be read`;
  note(node, isReading ? hint : describeUnknown(name, "a tool that acts", actingTools));
  return undefined;
};

/** Names may end in a star; one elsewhere would be taken for itself and never fit. */
function checkName(name: string, node: Parameters<Note>[0], note: Note): string | undefined {
  const problem = findNameProblem(name);
  if (problem !== undefined) note(node, problem);
  return problem === undefined ? name : undefined;
}

/** Why a name can be none; undefined where it can. */
export function findNameProblem(name: string): string | undefined {
  const problems: readonly (readonly [boolean, string])[] = [
    [name.trim() === "", "a name should stand here"],
    [name.trim() !== name, `${quote(name)} begins or ends with a space: no name does`],
    [/[\p{Cc}\p{Cf}]/u.test(name), `${quote(name)} has characters that nobody sees`],
    [name.length > longestName, `a name has at most ${longestName} characters`],
    [name.slice(0, -1).includes("*"), `${quote(name)}: a star stands only at the end of a name`],
  ];
  return problems.find(([isWrong]) => isWrong)?.[1];
}

const readWords: Read<Written["words"]> = (node, note) => {
  const words: Partial<Record<Danger, readonly string[]>> = {};
  for (const { name, key, value } of listProperties(node, note) ?? []) {
    const danger = dangers.find((one) => one === name);
    if (danger === undefined) note(key, describeUnknown(name, "a kind of action", dangers));
    const list = listOf(readWord, "words")(value, note);
    if (danger !== undefined && list !== undefined) words[danger] = list;
  }
  return words;
};

const readWord: Read<string> = (node, note) => {
  const word = node.type === "string" ? String(node.value).trim() : "";
  if (word !== "" && word.length <= longestName) return word;
  note(node, `${describe(node)} stands here, and it should be a word in double quotes`);
  return undefined;
};

const readAnyText: Read<string> = (node, note) => {
  if (node.type === "string") return String(node.value);
  note(node, `${describe(node)} stands here, and it should be a text in double quotes`);
  return undefined;
};
