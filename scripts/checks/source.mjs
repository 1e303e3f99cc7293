import { existsSync, readdirSync, readFileSync } from "node:fs";
import { inRoot } from "../root.mjs";

const MOST_LINES = 350;

// Files that may be longer, each with the reason why splitting would make them harder to read.
const LONG_FILES = {};

const ASKS_FOR_PLATFORM = /\bprocess\.platform\b|\bos\.(platform|type)\(/;
const PLACES_THAT_ASK_FOR_PLATFORM = ["src/platform/pick.ts", "src/os/index.ts"];
/** Queries that only src/os may make; a platform folder may make some of them to its own system. */
const OS_QUESTIONS = [
  { asks: /\bprocess\.gete?uid\b|"bun:ffi"|["'`]\/dev\/tty\b|\b(homedir|tmpdir)\b/, except: /^src\/os\// },
  {
    asks: /["'`]\/proc\b|\.XDG_\w+|\bprocess\.kill\((?!process\.pid\b)/,
    except: /^src\/(os|platform\/[^/]+)\//,
  },
];
/** src/act and src/find know no toolkits, only the traits of elements (src/model/trait.ts), which a source sets. */
const TOOLKIT = /\b(GTK|Qt|Chromium|Firefox|Gecko|LibreOffice|Swing|Java|toolkits?)\b/i;
// The import fences see `import type` at the top of a file, but not an import inside a type.
const HIDDEN_IMPORT = /\btypeof import\(|\bimport\((["'])[^"']+\1\)\.[A-Z]/;

export function checkSource() {
  const files = listSources();
  const problems = [...files.flatMap(judgeFile), ...judgeExceptions(files)];
  return { passed: problems.length === 0, report: problems.join("\n"), note: `${files.length} files` };
}

function listSources() {
  const list = (folder) =>
    readdirSync(inRoot(folder), { recursive: true }).map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
  const names = ["src", "web"].filter((folder) => existsSync(inRoot(folder))).flatMap(list);
  return names.filter((name) => /\.tsx?$/.test(name)).sort();
}

function judgeFile(file) {
  const lines = readFileSync(inRoot(file), "utf8").trimEnd().split("\n");
  const problems = [];
  if (lines.length > MOST_LINES && LONG_FILES[file] === undefined) {
    problems.push(`${file}: ${lines.length} lines, more than ${MOST_LINES}. Split it by idea.`);
  }
  lines.forEach((line, index) => {
    if (!PLACES_THAT_ASK_FOR_PLATFORM.includes(file) && ASKS_FOR_PLATFORM.test(line)) {
      problems.push(
        `${file}:${index + 1}: only ${PLACES_THAT_ASK_FOR_PLATFORM.join(" and ")} may ask which system this is.`,
      );
    }
    if (OS_QUESTIONS.some(({ asks, except }) => !except.test(file) && asks.test(line))) {
      problems.push(`${file}:${index + 1}: ask the operating system through src/os.`);
    }
    if (/^src\/(act|find)\//.test(file) && TOOLKIT.test(line)) {
      problems.push(
        `${file}:${index + 1}: say this as a trait (src/model/trait.ts) that the source of an element sets.`,
      );
    }
    if (HIDDEN_IMPORT.test(line)) {
      problems.push(`${file}:${index + 1}: write this as \`import type\` at the top, where the import fences see it.`);
    }
  });
  return problems;
}

function judgeExceptions(files) {
  return Object.keys(LONG_FILES)
    .filter((file) => !files.includes(file))
    .map((file) => `scripts/checks/source.mjs: ${file} is listed as long, but is not there.`);
}
