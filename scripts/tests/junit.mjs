// Reads Bun's JUnit file: how many tests, the seconds of each file, and which tests failed with which message.
export function readJunit(xml) {
  const total = readCounts(/<testsuites\b[^>]*>/.exec(xml)?.[0] ?? "");
  // A file has one suite, and one more for each describe; its own comes first.
  const files = new Map();
  for (const tag of xml.match(/<testsuite\b[^>]*>/g) ?? []) {
    const file = readAttribute(tag, "file");
    if (file !== undefined && !files.has(file)) files.set(file, Number(readAttribute(tag, "time") ?? 0));
  }
  const failures = [...xml.matchAll(/(<testcase\b[^>]*[^/])>\s*(<(?:failure|error)\b[^>]*>)/g)].map(
    ([, test, failure]) => ({
      place: `${readAttribute(test, "file")}:${readAttribute(test, "line")}`,
      name: readText(test, "name"),
      message: readText(failure, "message"),
    }),
  );
  return { ...total, files, failures };
}

function readCounts(tag) {
  const count = (name) => Number(readAttribute(tag, name) ?? 0);
  const failed = count("failures") + count("errors");
  const skipped = count("skipped");
  return { passed: count("tests") - failed - skipped, failed, skipped };
}

function readAttribute(tag, name) {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
}

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function readText(tag, name) {
  return (readAttribute(tag, name) ?? "")
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, entity) => ENTITIES[entity]);
}
