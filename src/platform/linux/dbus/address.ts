/** The Unix socket paths of a D-Bus server address, in order of preference. */
export function parseUnixPaths(address: string): string[] {
  const paths: string[] = [];
  for (const entry of address.split(";")) {
    const [transport, rest] = splitOnce(entry, ":");
    if (transport !== "unix") continue;
    const options = new Map(rest.split(",").map((option) => splitOnce(option, "=")));
    const path = options.get("path");
    const abstract = options.get("abstract");
    if (path !== undefined) paths.push(unescapeValue(path));
    if (abstract !== undefined) paths.push(`\0${unescapeValue(abstract)}`);
  }
  return paths;
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

function unescapeValue(value: string): string {
  return value.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString());
}
