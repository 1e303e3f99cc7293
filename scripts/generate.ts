import { readFileSync, writeFileSync } from "node:fs";
import { learnerRole, roles, shortRole } from "../src/model/role.ts";
import { otherStates } from "../src/show/json.ts";
import { loadTools } from "../src/tools/index.ts";
import { listOptions } from "../src/tools/options.ts";

/** Writes docs/tools.md from the declarations; with --check it only tells whether the file is up to date. */
const path = new URL("../docs/tools.md", import.meta.url);

function describeTools(): string {
  return `# Tools

Generated from \`src/tools\` by \`npm run generate\`; \`npm run check\` fails when this page is stale.

Every tool is a command of \`deskmap\`. Each also takes \`--format json|text|csv\` (text on a terminal, JSON when piped; but
not a tool that has a \`--format\` of its own), \`--pretty\`, \`--timeout-ms N\` and \`--no-daemon\`. Exit codes: 0 done (an action: confirmed), 1 not done, 2 wrong usage, 3 refused, 4 done but not confirmed.

${tools.map(describeTool).join("\n")}
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

One window gives \`{"app","pid","window","id","ts","elements"}\`; several, or none, give \`{"ts","windows":[…]}\` of the same
objects. A window that was read only in part has \`"partial":true\` and \`"notes"\`.

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
    // A bar would end the table's cell.
    const shown = value.includes("|") ? value.replaceAll("|", "\\|") : value.toUpperCase();
    return `| \`${flag}${type === "boolean" ? "" : ` ${shown}`}\` | ${description} |`;
  });
  return `## deskmap ${tool.name}

${tool.summary} ${tool.description}

| option | meaning |
|---|---|
${options.join("\n")}

\`\`\`sh
${tool.examples.join("\n")}
\`\`\`
`;
}

const tools = await loadTools();
const fresh = describeTools();
if (process.argv.includes("--check")) {
  const isStale = readOrEmpty() !== fresh;
  if (isStale) console.error("docs/tools.md is stale. Run: npm run generate");
  process.exitCode = isStale ? 1 : 0;
} else {
  writeFileSync(path, fresh);
  console.log("wrote docs/tools.md");
}

function readOrEmpty(): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
