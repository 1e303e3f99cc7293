import type { Key } from "./keys.ts";

/** The keys of one text, until it is known whether they may be kept. */
export class TypedText {
  private characters: string[] = [];
  private isMoved = false;
  isForgotten = false;

  add({ key, text }: Key): void {
    if (this.isForgotten) return;
    if (key === "Return") this.characters.push("\n");
    else if (text !== undefined) this.characters.push(text);
    else if (key === "BackSpace" && this.characters.length > 0) this.characters.pop();
    else this.isMoved = true;
  }

  /** Drops what was typed, and whatever follows. */
  forget(): void {
    this.characters.fill("");
    this.characters = [];
    this.isForgotten = true;
  }

  get text(): string {
    return this.characters.join("");
  }

  /** Whether the text is exactly what its keys typed: nobody went back in it, or deleted what was there before. */
  get isPlain(): boolean {
    return !this.isMoved;
  }

  /** Whether a value holds it. Of a text in which somebody moved about, that is not known. */
  isIn(value: string): boolean {
    const text = squash(this.text);
    return this.isPlain && text !== "" && squash(value).includes(text);
  }

  /** Whether a value has become another by this text alone: put in somewhere, or in place of everything. */
  isGained(before: string, value: string): boolean {
    const [text, old, now] = [this.text, before, value].map(squash);
    if (text === undefined || old === undefined || now === undefined) return false;
    if (!this.isPlain || text.length < leastSure) return false;
    if (now === text) return true;
    const places = Array.from({ length: old.length + 1 }, (_, at) => at);
    return (
      now.length === old.length + text.length && places.some((at) => now === old.slice(0, at) + text + old.slice(at))
    );
  }

  /** Whether it is all that a value holds. */
  isAll(value: string): boolean {
    return this.isPlain && squash(this.text) === squash(value);
  }

  startsWith(value: string): boolean {
    return this.isPlain && squash(value) !== "" && squash(this.text).startsWith(squash(value));
  }
}

/** A single letter may be in two fields by chance. */
const leastSure = 2;

/** Values are read without outer space and with single spaces. */
function squash(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
