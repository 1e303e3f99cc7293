// Reads the counts of Bun's JUnit file: how many tests, and from which files they came.
export function readJunit(xml) {
  const total = readCounts(/<testsuites\b[^>]*>/.exec(xml)?.[0] ?? "");
  const suites = xml.match(/<testsuite\b[^>]*>/g) ?? [];
  const files = new Set(suites.map((tag) => readAttribute(tag, "file")).filter((file) => file !== undefined));
  return { ...total, files };
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
