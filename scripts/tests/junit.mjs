// Reads Bun's JUnit file: how many tests, from which files they came, and which failed with what words.
export function readJunit(xml) {
  const total = readCounts(/<testsuites\b[^>]*>/.exec(xml)?.[0] ?? "");
  const suites = xml.match(/<testsuite\b[^>]*>/g) ?? [];
  const files = new Set(suites.map((tag) => readAttribute(tag, "file")).filter((file) => file !== undefined));
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
