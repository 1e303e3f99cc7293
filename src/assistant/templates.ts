/** A template such as "(press|click) [on ]{target}": alternatives in parentheses, optional parts in brackets, slots in braces. */
export type Template = string;

export type Slots = Readonly<Record<string, string>>;

export type Matcher = (text: string) => Slots | undefined;

/** Texts that somebody dictates may hold any word, so they take as much as they can; names take as little. */
const patterns: Readonly<Record<string, string>> = { text: ".+", times: "\\S+" };

/** Longest first: of "show" and "show me", the first one that fits would leave "me" to the name. */
function sortAlternatives(template: Template): Template {
  return template.replace(/\(([^()[\]{}]+)\)/g, (_whole, inner: string) => {
    const longestFirst = inner.split("|").toSorted((a, b) => b.length - a.length);
    return `(${longestFirst.join("|")})`;
  });
}

export function compileTemplate(template: Template): Matcher {
  const source = sortAlternatives(template)
    .replace(/[.*+?^$\\]/g, "\\$&")
    .replace(/\[/g, "(?:")
    .replace(/\]/g, ")?")
    .replace(/\((?!\?)/g, "(?:")
    .replace(/\{(\w+)\}/g, (_whole, name: string) => `(?<${name}>${patterns[name] ?? ".+?"})`)
    .replace(/ /g, "\\s+");
  const pattern = new RegExp(`^${source}$`, "iu");
  return (text) => {
    const found = pattern.exec(text);
    if (found === null) return undefined;
    return Object.fromEntries(Object.entries(found.groups ?? {}).filter(([, value]) => value !== undefined));
  };
}
