import { readFileSync, writeFileSync } from "node:fs";
import * as z from "zod/mini";
import { bundleHelp } from "../src/cli/run-tool.ts";
import { demoSchema } from "../src/demo/file.ts";
import { learnerRole, roles, shortRole } from "../src/model/role.ts";
import { otherStates } from "../src/show/element.ts";
import { failureOutput } from "../src/show/failure.ts";
import { tabulate } from "../src/tools/arguments.ts";
import { listOptions } from "../src/tools/define.ts";
import { loadTools, toolEntries } from "../src/tools/index.ts";

/** Generates files from the declarations of the tools; with --check it only reports which files are stale. */
const files: Readonly<Record<string, () => string>> = {
  "docs/tools.md": describeTools,
  "src/cli/tool-arguments.json": describeArguments,
  "docs/demo.schema.json": describeDemos,
};

function describeDemos(): string {
  const schema = { title: "Deskmap demo", ...z.toJSONSchema(demoSchema()) };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Leaves out tools that read files, write pictures or keep running: the quick path (src/cli/quick-call.ts) cannot call them. */
function describeArguments(): string {
  const acting = new Set(toolEntries.filter(({ acts }) => acts).map(({ name }) => String(name)));
  const quick = tools.filter(
    ({ name, input, goesOn }) => name !== "do" && goesOn !== "always" && !("format" in input.shape),
  );
  const lines = quick.map((tool) => {
    const table = tabulate(listOptions(tool), { ...tool, acts: acting.has(tool.name) });
    return `  ${JSON.stringify(tool.name)}: ${JSON.stringify(table)}`;
  });
  return `{\n${lines.join(",\n")}\n}\n`;
}

function describeTools(): string {
  return `# Tools

Generated from \`src/tools\` by \`npm run generate\`; \`npm run check\` fails when this page is stale.

Every tool is a command of \`deskmap\`. Each also takes \`--format json|text|csv\` (text on a terminal, JSON when piped; but
not a tool that has a \`--format\` of its own), \`--pretty\`, \`--timeout-ms N\`, \`--verbose\`, \`--trace FILE\`, \`--no-memory\` and \`--no-daemon\`. Exit codes: 0 done (an action: confirmed), 1 not done, 2 wrong usage, 3 refused, 4 done but not confirmed.

${tools.map(describeTool).join("\n")}
## Types of answers

Every answer as JSON is one object, and so is \`structuredContent\` of MCP. \`?\` marks fields that are left out when they
are empty; \`Role\` and \`LearnerRole\` are the names in the last table. An answer with bounds or points names their coordinate space
once, as \`space\`: \`screen-physical\` is physical pixels of the whole screen, \`window-physical\` the same from the upper left
corner of a window. An error is a \`Failure\`, on standard error.

\`\`\`ts
${describeTypes()}
\`\`\`

## Elements in JSON

| key | meaning | left out when |
|---|---|---|
| \`i\` | mark: the same control in every read, or nothing | never |
| \`r\` | role (table below) | never |
| \`t\` | name | empty |
| \`v\` | value: text of a field, number of a slider, \`checked\`, \`unchecked\` or \`mixed\` | empty |
| \`d\` | description | empty, or the same as the name |
| \`b\` | bounds \`[x, y, width, height]\`, physical screen pixels | the platform knows none; \`--compact\` |
| \`p\` | point to press \`[x, y]\` | without \`--points\` |
| \`f\` | has the keyboard focus | false |
| \`e\` | enabled | true |
| \`s\` | selected | false |
| \`x\` | other states (${otherStates.map((state) => `\`${state}\``).join(", ")}) | none; \`--compact\` |
| \`a\` | what can be done | nothing; \`--compact\` |
| \`k\` | keyboard shortcut | none; \`--compact\` |
| \`c\` | children | none; \`--compact\` |

One window gives \`{"app","pid","window","id","ts","space","elements"}\`; several, or none, give \`{"ts","space","windows":[…]}\`
of the same objects. A window that was read only in part has \`"partial":true\` and \`"notes"\`.

## Changes in JSON

\`deskmap watch\` and \`read --watch\` write JSON Lines; \`read --since\` gives \`{"ts","changes":[…],"token"}\` of the same objects, or
everything with \`"since"\` (why: first, expired, restarted, other-selection) and \`"token"\`. Applied in their order to what
was known before, the lines of a batch give what is there now.

| kind | meaning | keys besides \`i\`, \`r\`, \`t\` and \`w\` (the window's id) |
|---|---|---|
| \`start\` | everything that is there follows | \`reason\` |
| \`window\` | a window \`what\`: opened, closed (what was in it is gone), changed or focused | \`app\`, \`title\`; \`place\`, \`x\`, \`was\` where different |
| \`appeared\` | a control; what is in it follows | \`v\`, \`n\`, \`x\` (states), \`b\` with \`--points\`; \`in\` (mark of its container), \`after\` (mark of the sibling before it; 0: it is the first; left out: it is the last) |
| \`moved\` | it is in another container, or elsewhere among its siblings | \`in\`, \`after\` |
| \`gone\` | it is gone, with everything in it | |
| \`emptied\` | it is still there, but everything in it is gone: a menu that closed | |
| \`changed\` | only the fields that changed, with their old values in \`was\` (role, name, taught, value, states, place) | \`v\`, \`n\`, \`x\`, \`b\`, \`was\` |
| \`focus\` | it has the keyboard focus of its window | |
| \`note\` | why a window is reported only in part; what was known of it stays. \`ANSWERS\`: it is complete again | \`code\`, \`text\` |
| \`token\` | ends a batch | \`token\`, \`ts\` (seconds) |

## Roles

\`--roles\` takes any of these names; \`static\` also means \`txt\`.

| role | short | learner |
|---|---|---|
${roles.map((role) => `| ${role} | \`${shortRole(role)}\` | ${learnerRole(role)} |`).join("\n")}
`;
}

function describeTool(tool: (typeof tools)[number]): string {
  const options = listOptions(tool).map(({ field, flag, type, value, description, isWord }) => {
    if (isWord) return `| \`${field.toUpperCase()}\` | ${description} |`;
    // A bar would end the table cell.
    const shown = value.includes("|") ? value.replaceAll("|", "\\|") : value.toUpperCase();
    return `| \`${flag}${type === "boolean" ? "" : ` ${shown}`}\` | ${description} |`;
  });
  if (tool.name === "doctor") options.push(`| \`--bundle FILE\` | ${bundleHelp} (command line only) |`);
  if (tool.goesOn === "asked") options.push("| `--watch` | go on: tell what changes, until Ctrl-C |");
  return `## deskmap ${tool.name}

${tool.summary} ${tool.description}

| option | meaning |
|---|---|
${options.join("\n")}

\`\`\`sh
${tool.examples.join("\n")}
\`\`\`

${describeOutput(tool)}
`;
}

function describeOutput(tool: (typeof tools)[number]): string {
  const type = printer.print(tool.output());
  return printer.types.has(type)
    ? `Answers with \`${type}\`.`
    : `Answers with:\n\n\`\`\`ts\n${type.trimStart()}\n\`\`\``;
}

/** The types that the outputs of several tools share. */
function describeTypes(): string {
  printer.print(failureOutput());
  const named = [...printer.types].filter(([name]) => !["Role", "LearnerRole"].includes(name));
  return named.map(([name, type]) => `type ${name} = ${type};`).join("\n\n");
}

/** Longer types are printed on several lines. */
const longestLine = 110;

/** Prints schemas as TypeScript types; a schema with a title is printed once, into `types`. */
class TypePrinter {
  readonly types = new Map<string, string>();

  print(schema: z.core.$ZodType, indent = ""): string {
    const title = z.globalRegistry.get(schema)?.title;
    if (title === undefined) return this.printWhole(schema, indent);
    if (!this.types.has(title)) {
      // Registered before it is printed: it may contain itself.
      this.types.set(title, "");
      this.types.set(title, this.printWhole(schema, ""));
    }
    return title;
  }

  private printWhole(schema: z.core.$ZodType, indent: string): string {
    if (schema instanceof z.ZodMiniObject) return this.printObject(schema, indent);
    if (schema instanceof z.ZodMiniOptional) return this.print(schema.def.innerType, indent);
    if (schema instanceof z.ZodMiniArray) {
      const item = this.print(schema.def.element, indent);
      return item.includes(" | ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
    }
    if (schema instanceof z.ZodMiniTuple) return `[${schema.def.items.map((item) => this.print(item)).join(", ")}]`;
    if (schema instanceof z.ZodMiniLiteral) return schema.def.values.map((value) => JSON.stringify(value)).join(" | ");
    if (schema instanceof z.ZodMiniEnum) return schema.options.map((value) => JSON.stringify(value)).join(" | ");
    if (schema instanceof z.ZodMiniUnion) return this.printUnion(schema, indent);
    if (schema instanceof z.ZodMiniRecord) return "object";
    return schema._zod.def.type;
  }

  private printUnion({ def }: z.ZodMiniUnion, indent: string): string {
    const parts = def.options.map((option) => this.print(option, indent));
    const line = parts.join(" | ");
    if (line.length + indent.length <= longestLine) return line;
    return parts.map((part) => `\n${indent}| ${part.replaceAll("\n", "\n  ")}`).join("");
  }

  private printObject({ def }: z.ZodMiniObject, indent: string): string {
    const inner = `${indent}  `;
    const fields = Object.entries(def.shape).map(([name, field]) => {
      const mark = field instanceof z.ZodMiniOptional ? "?" : "";
      return `${name}${mark}: ${this.print(field, inner)}`;
    });
    const line = `{ ${fields.join("; ")} }`;
    if (line.length + indent.length <= longestLine && !line.includes("\n")) return line;
    return `{\n${fields.map((field) => `${inner}${field};`).join("\n")}\n${indent}}`;
  }
}

const printer = new TypePrinter();
const tools = await loadTools();
for (const [path, describe] of Object.entries(files)) {
  const fresh = describe();
  if (readOrEmpty(path) === fresh) continue;
  if (process.argv.includes("--check")) {
    console.error(`${path} is stale. Run: npm run generate`);
    process.exitCode = 1;
  } else {
    writeFileSync(new URL(`../${path}`, import.meta.url), fresh);
    console.log(`wrote ${path}`);
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  } catch {
    return "";
  }
}
