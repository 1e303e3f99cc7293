import type { Failure } from "../model/failure.ts";
import { cleanLine } from "../model/plain-text.ts";
import { type Match, nameOf, type SeenEffect, type SeenElement } from "./desk.ts";
import type { Language, Phrases } from "./language.ts";

const longest = 200;

/** Says things in one language. Texts of applications are quoted, and cut where they are long. */
export class Speaker {
  constructor(readonly language: Language) {}

  get phrases(): Phrases {
    return this.language.phrases;
  }

  fill(phrase: string, ...parts: readonly string[]): string {
    return phrase.replace(/\{(\d)\}/g, (_whole, at: string) => parts[Number(at)] ?? "");
  }

  /** What a control is called, with its role; what only a picture showed is said with doubt. */
  name(one: Pick<SeenElement, "n" | "t" | "v" | "r" | "source">): string {
    const role = this.phrases.roles[one.r] ?? one.r;
    const text = quote(nameOf(one));
    const said = text === "" ? role : `${text} (${role})`;
    return one.source === "ocr" || one.source === "heuristic" ? this.fill(this.phrases.couldBe, said) : said;
  }

  offer(matches: readonly Match[]): string {
    const names = matches.map((one) => `${this.name(one)} ${one.i}`);
    if (names.length === 1) return this.fill(this.phrases.didYouMean, ...names);
    return this.fill(this.phrases.which, `${names.slice(0, -1).join(", ")}${this.phrases.orElse}${names.at(-1)}`);
  }

  /** The verified effect of what was done. */
  effect(done: string, what: string, { effect, changes = {}, evidence = [] }: SeenEffect): string {
    const { phrases } = this;
    const lines = this.listChanges(changes);
    const first = this.fill(phrases.done[done] ?? "", what);
    const [reason = ""] = evidence;
    if (effect === "confirmed") return [first, ...(lines.length > 0 ? lines : [])].join(" ");
    if (effect === "partial") return this.fill(phrases.partly, reason);
    if (effect === "wrong-target") return this.fill(phrases.wrongTarget, reason);
    if (effect === "no-change") return [first, phrases.noChange].join(" ");
    return [first, phrases.unverified, ...lines].join(" ");
  }

  private listChanges(changes: NonNullable<SeenEffect["changes"]>): readonly string[] {
    const { phrases } = this;
    const lines = [
      ...(changes.openedWindows ?? []).map(({ title, app }) => this.fill(phrases.opened, quote(title || app))),
      ...(changes.closedWindows ?? []).map(({ title, app }) => this.fill(phrases.closed, quote(title || app))),
      ...(changes.changed ?? []).flatMap((one) => {
        const now = one.value?.[1] ?? one.name?.[1] ?? describeStates(one.states, phrases);
        return now === undefined || now === "" ? [] : [this.fill(phrases.nowHas, this.name(one), quote(now))];
      }),
    ];
    return lines.slice(0, 3);
  }

  failure({ code, message, suggestion }: Failure): string {
    const phrase = code === "REFUSED" ? this.phrases.refused : this.phrases.failed;
    return this.fill(phrase, suggestion === "" ? message : `${message}; ${suggestion}`);
  }
}

function describeStates(states: readonly [string, string] | undefined, { states: words }: Phrases): string | undefined {
  if (states === undefined) return undefined;
  const before = new Set(states[0].split(/\s+/));
  const now = states[1].split(/\s+/).filter((one) => !before.has(one));
  return now.map((one) => words[one]).find((word) => word !== undefined);
}

/** One line of an application's text. */
export function quote(text: string): string {
  const line = cleanLine(text);
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
