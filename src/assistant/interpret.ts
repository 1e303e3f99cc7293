import { type Intent, intents, type Language } from "./language.ts";
import type { Request, Target } from "./request.ts";
import { compileTemplate, type Matcher, type Slots } from "./templates.ts";

type Build = (slots: Slots, language: Language) => readonly Request[];

interface Compiled {
  readonly language: Language;
  readonly before: readonly Matcher[];
  readonly after: readonly Matcher[];
  readonly templates: readonly (readonly [Intent, readonly Matcher[]])[];
}

/** Everything a request may mean, likeliest first; empty if it means nothing. Which one fits is decided by what is there. */
export class Interpreter {
  private readonly compiled: readonly Compiled[];

  constructor(languages: readonly Language[]) {
    this.compiled = languages.map((language) => ({
      language,
      before: language.before.map((one) => compileTemplate(`${one} {rest}`)),
      after: language.after.map((one) => compileTemplate(`{rest} ${one}`)),
      templates: intents.map((intent) => [intent, language.templates[intent].map(compileTemplate)] as const),
    }));
  }

  /** In the language of which more is understood; the first one if all are equal. */
  interpret(text: string): {
    readonly language: Language;
    readonly requests: readonly Request[];
    /** Without what is said around a request and means nothing. */
    readonly plain: string;
  } {
    const read = this.compiled.map((one) => ({ language: one.language, ...readIn(one, text) }));
    const [best] = read.toSorted((a, b) => a.rank - b.rank || b.known - a.known);
    if (best === undefined) throw new Error("an interpreter needs a language");
    return best;
  }
}

/** The rank is that of the first intent that fits: special ones say more than "anything may be a name". */
function readIn(compiled: Compiled, text: string) {
  const read = readPlain(compiled, text);
  // "Write thank you": what sounds like politeness may be the text.
  const literal = read.requests.length > 0 ? read : readPlain({ ...compiled, after: [] }, text);
  return literal.requests.length > 0 ? literal : read;
}

function readPlain({ language, before, after, templates }: Compiled, text: string) {
  const ended = respell(text.replace(/[’`´]/gu, "'"), language.spelling).replace(/[.!?\s]+$/u, "");
  const plain = stripAround(ended, before, after);
  const requests: Request[] = [];
  let rank: number = intents.length;
  templates.forEach(([intent, matchers], index) => {
    const found = matchers.flatMap((match) => {
      const slots = match(plain);
      return slots === undefined ? [] : builds[intent](slots, language);
    });
    if (found.length > 0) rank = Math.min(rank, index);
    requests.push(...found);
  });
  return { rank, requests: dropEqual(requests), plain, known: countKnown(text, language) };
}

/** How many words of a text belong to a language, whatever it is about. */
function countKnown(text: string, { articles, inside, pronouns }: Language): number {
  const own = new Set([...articles, ...inside, ...pronouns]);
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => own.has(word)).length;
}

/** A text that stands in quotation marks is not a person's wording. */
function respell(text: string, spelling: Language["spelling"]): string {
  if (/["“„«]/u.test(text)) return text.trim();
  return text
    .trim()
    .split(/\s+/)
    .map((word) => spelling[word.toLowerCase()] ?? word)
    .filter((word) => word !== "")
    .join(" ");
}

function stripAround(text: string, before: readonly Matcher[], after: readonly Matcher[]): string {
  for (const match of [...before, ...after]) {
    const rest = match(text)?.rest?.replace(/[,\s]+$/u, "");
    if (rest !== undefined && rest !== "") return stripAround(rest, before, after);
  }
  return text;
}

function dropEqual(requests: readonly Request[]): readonly Request[] {
  const byKey = new Map(requests.map((one) => [JSON.stringify(one), one]));
  return [...byKey.values()];
}

const plain =
  (request: Request): Build =>
  () => [request];
const key = (keys: string): Build => plain({ of: "key", keys, times: 1 });
const command =
  (name: keyof Language["commands"], keys: string): Build =>
  (_slots, { commands }) => [{ of: "key", keys, times: 1, instead: commands[name] }];

/** One request for each way to read the target. */
const onTarget =
  (make: (target: Target) => Request): Build =>
  ({ target = "" }, language) =>
    readTarget(target, language).map(make);

const builds: Readonly<Record<Intent, Build>> = {
  stop: plain({ of: "stop" }),
  repeat: plain({ of: "repeat" }),
  help: plain({ of: "help" }),
  numbersOn: plain({ of: "numbers", isOn: true }),
  numbersOff: plain({ of: "numbers", isOn: false }),
  undo: command("undo", "ctrl+z"),
  redo: command("redo", "ctrl+shift+z"),
  where: plain({ of: "where" }),
  screen: plain({ of: "screen" }),
  changed: plain({ of: "changed" }),
  actions: plain({ of: "actions" }),
  how: onTarget((target) => ({ of: "how", target })),
  state: onTarget((target) => ({ of: "state", target })),
  readThis: plain({ of: "read", what: "this" }),
  readDialog: plain({ of: "read", what: "dialog" }),
  readSelection: plain({ of: "read", what: "selection" }),
  readLine: plain({ of: "read", what: "line" }),
  readLineAt: ({ nth = "" }, { ordinals, numbers }) => {
    const at = ordinals[nth.toLowerCase()] ?? numbers(nth);
    return at === undefined ? [] : [{ of: "line", at }];
  },
  readText: plain({ of: "read", what: "text" }),
  readWindow: plain({ of: "read", what: "window" }),
  copy: command("copy", "ctrl+c"),
  cut: command("cut", "ctrl+x"),
  paste: command("paste", "ctrl+v"),
  selectAll: key("ctrl+a"),
  save: command("save", "ctrl+s"),
  nextTab: key("ctrl+Page_Down"),
  previousTab: key("ctrl+Page_Up"),
  next: key("Tab"),
  previous: key("shift+Tab"),
  scrollEnd: plain({ of: "scroll", direction: "down", isToEnd: true }),
  scrollStart: plain({ of: "scroll", direction: "up", isToEnd: true }),
  scroll: ({ direction = "" }, { directions }) => {
    const way = direction === "" ? "down" : directions[direction.toLowerCase()];
    return way === undefined ? [] : [{ of: "scroll", direction: way, isToEnd: false }];
  },
  goTab: ({ target = "" }, language) => [pressOf({ words: readText(dropArticle(target, language)), role: "tab" })],
  goHeading: ({ target = "" }, language) => [
    { of: "focus", target: { words: readText(dropArticle(target, language)), role: "heading" } },
  ],
  minimize: arrange("minimize"),
  maximize: arrange("maximize"),
  restore: arrange("restore"),
  fullscreen: arrange("fullscreen"),
  closeTab: key("ctrl+w"),
  close: ({ what }, language) => [{ of: "close", what: what && dropArticle(what, language) }],
  clear: ({ target }, language) =>
    target === undefined
      ? [{ of: "clear" }]
      : readTarget(target, language).map((one) => ({ of: "clear", target: one })),
  set: setAs("set"),
  type: ({ text = "" }) => [{ of: "type", text: readText(text) }],
  choose: setAs("choose"),
  check: onTarget((target) => ({ of: "check", target })),
  uncheck: onTarget((target) => ({ of: "uncheck", target })),
  expand: onTarget((target) => ({ of: "expand", target })),
  collapse: onTarget((target) => ({ of: "collapse", target })),
  keySaid: ({ keys = "" }, language) => readKey(keys, language, 1),
  key: ({ keys = "", times = "1" }, language) => {
    const read = readKey(keys, language, language.numbers(times) ?? 1);
    return read.map((one) => (one.of === "key" && !one.keys.includes("+") ? { ...one, words: keys } : one));
  },
  twice: onTarget((target) => pressOf(target, "twice")),
  right: onTarget((target) => pressOf(target, "right")),
  switch: ({ what = "" }, language) => [{ of: "switch", what: dropArticle(what, language) }],
  launch: ({ what = "" }, language) => [{ of: "launch", what: readText(dropArticle(what, language)) }],
  open: ({ what = "" }, language) => [{ of: "open", what: readText(dropArticle(what, language)) }],
  focus: onTarget((target) => ({ of: "focus", target })),
  press: onTarget((target) => pressOf(target)),
  read: onTarget((target) => ({ of: "read", what: target })),
  // A name alone is pressed only if it is a number.
  number: ({ target = "" }, language) => {
    const mark = readMark(target, language);
    return mark === undefined ? [] : [pressOf({ words: target, mark })];
  },
};

function pressOf(target: Target, how: "once" | "twice" | "right" = "once"): Request {
  return { of: "press", target, how };
}

function arrange(operation: "minimize" | "maximize" | "restore" | "fullscreen"): Build {
  return ({ what }, language) => [{ of: "arrange", operation, what: what && dropArticle(what, language) }];
}

function setAs(of: "set" | "choose"): Build {
  return ({ text = "", target = "", both = "" }, language) =>
    [{ text, target }, ...splitBoth(both)].flatMap((said) =>
      readTarget(said.target, language).map((one) => ({ of, text: readText(said.text), target: one })),
    );
}

/** A name and a text with nothing between them, the longest name first: which one is there decides. */
function splitBoth(both: string): readonly { readonly target: string; readonly text: string }[] {
  const words = both.split(/\s+/);
  return words
    .slice(1)
    .map((_, index) => ({ target: words.slice(0, index + 1).join(" "), text: words.slice(index + 1).join(" ") }))
    .toReversed();
}

function dropArticle(text: string, { articles }: Language): string {
  const [first = "", ...rest] = text.split(/\s+/);
  return articles.includes(first.toLowerCase()) && rest.length > 0 ? rest.join(" ") : text;
}

/** Without the quotation marks that a person may have put around it. */
function readText(text: string): string {
  const quoted = /^["'“”„«‚‘](.*)["'“”«»’‘]$/su.exec(text.trim());
  return quoted?.[1] ?? text.trim();
}

function readMark(text: string, { numbers, numberWords }: Language): number | undefined {
  const [first = "", ...rest] = text.trim().split(/\s+/);
  const number = numberWords.includes(first.toLowerCase()) ? rest.join(" ") : text.trim();
  return number === "" ? undefined : numbers(number);
}

function readKey(text: string, language: Language, times: number): readonly Request[] {
  const keys = readKeys(text, language);
  return keys === undefined ? [] : [{ of: "key", keys, times }];
}

/** As a combination of keys, if every word names a key. */
function readKeys(text: string, { keys }: Language): string | undefined {
  const words = text
    .toLowerCase()
    .replace(/\s*\+\s*|(?<=\w)-(?=\w)/g, " ")
    .split(/\s+/);
  const read: string[] = [];
  for (let at = 0; at < words.length; ) {
    const [two, one] = [words.slice(at, at + 2).join(" "), words[at] ?? ""];
    const isPair = at + 1 < words.length && Object.hasOwn(keys, two);
    const isSingle = /^([a-z0-9]|f\d{1,2})$/.test(one) && (read.length > 0 || one.length > 1);
    const name = isPair ? keys[two] : Object.hasOwn(keys, one) ? keys[one] : isSingle ? one : undefined;
    if (name === undefined) return undefined;
    read.push(name);
    at += isPair ? 2 : 1;
  }
  const modifiers = new Set(["ctrl", "alt", "shift", "super"]);
  const isWhole = read.slice(0, -1).every((one) => modifiers.has(one)) && !modifiers.has(read.at(-1) ?? "ctrl");
  return isWhole ? read.join("+") : undefined;
}

/** Every way to read what a person calls a control, the most literal first. */
function readTarget(text: string, language: Language): readonly Target[] {
  const name = dropArticle(text, language);
  if (name === "" || [...language.articles, ...language.pronouns].includes(name.toLowerCase())) return [];
  const mark = readMark(name, language);
  if (mark !== undefined) return [{ words: name, mark }];
  const whole = readName(name, language).flatMap((one) => [one, ...readSigns(one, language)]);
  const split = language.inside.flatMap((word) => {
    const at = text.toLowerCase().lastIndexOf(` ${word} `);
    if (at <= 0) return [];
    const within = dropArticle(text.slice(at + word.length + 2), language);
    return readName(dropArticle(text.slice(0, at), language), language).map((one) => ({
      ...one,
      within: readText(within),
    }));
  });
  return [...whole, ...split];
}

/** "plus" may be the name of a button that shows a "+". */
function readSigns(target: Target, { signs }: Language): readonly Target[] {
  const name = target.words.toLowerCase();
  return Object.hasOwn(signs, name) ? (signs[name] ?? []).map((words) => ({ ...target, words })) : [];
}

function readName(text: string, language: Language): readonly Target[] {
  const { ordinals, roles, called } = language;
  const [first = "", ...rest] = text.split(/\s+/);
  const nth = ordinals[first.toLowerCase()];
  if (nth !== undefined && rest.length > 0) {
    const counted = readName(rest.join(" "), language).map((one) => ({ ...one, nth }));
    return [...counted, { words: readText(text) }];
  }
  const lower = text.toLowerCase();
  const names: Target[] = [];
  for (const [noun, role] of Object.entries(roles).toSorted((a, b) => b[0].length - a[0].length)) {
    if (lower === noun) return [{ words: readText(text) }, { words: "", role }];
    if (lower.endsWith(` ${noun}`)) names.push({ words: readText(text.slice(0, -noun.length - 1)), role });
    else if (lower.startsWith(`${noun} `)) {
      const name = text.slice(noun.length + 1);
      const word = called.find((one) => name.toLowerCase().startsWith(`${one} `));
      names.push({ words: readText(word === undefined ? name : name.slice(word.length + 1)), role });
    } else continue;
    break;
  }
  return [...names, { words: readText(text) }];
}
