import type { Failure, Result } from "../model/failure.ts";
import { chooseControl, findCalled, takeOffered, type Where } from "./choose.ts";
import { type AssistantHost, Desk, type Input, type Match, type SeenWindow } from "./desk.ts";
import { Interpreter } from "./interpret.ts";
import { languages } from "./languages/index.ts";
import { findMeantWindow, findWindow, listNamed, opensTwice, rolesFor } from "./meant.ts";
import { Reader } from "./reader.ts";
import type { AssistantOptions, Reply } from "./reply.ts";
import type { Request, Target } from "./request.ts";
import { quote, Speaker } from "./say.ts";

/** In words. */
const longestName = 6;

interface Offer {
  readonly matches: readonly Match[];
  readonly take: (match: Match) => Promise<Reply>;
}

/** Answers plain requests without a model: says what it understood, does it, and reads back the verified effect. */
export class Assistant {
  private readonly interpreter = new Interpreter(languages);
  private readonly desk: Desk;
  private readonly reader: Reader;
  private speaker = new Speaker(languages[0]);
  private offered: Offer | undefined;
  private last: Request | undefined;

  constructor(
    host: AssistantHost,
    private readonly options: AssistantOptions = {},
  ) {
    this.desk = new Desk(host, options);
    this.reader = new Reader(this.desk);
  }

  /** Of a question that the person has not seen: nothing that they say answers it. */
  dropQuestion(): void {
    this.offered = undefined;
  }

  async answer(text: string): Promise<Reply> {
    const offer = this.offered;
    this.offered = undefined;
    const { language } = this.speaker;
    if (offer !== undefined) {
      const said = text.trim().toLowerCase().replace(/[.!]$/u, "");
      const only = offer.matches.length === 1 && language.yes.includes(said) ? 1 : undefined;
      const taken = takeOffered(offer.matches, said, only ?? language.ordinals[said] ?? language.numbers(said));
      if (taken !== undefined) return offer.take(taken);
    }
    const read = this.interpreter.interpret(text);
    this.speaker = new Speaker(read.language);
    if (read.requests.length > 0) return this.carryOutFirst(read.requests);
    const { notUnderstood, needsModel } = this.speaker.phrases;
    const refusal = `${this.speaker.fill(notUnderstood, quote(text))} ${needsModel}`;
    return (await this.offerNamed(read.plain)) ?? { text: refusal };
  }

  /** A name alone is no request: whoever says one is asked. */
  private async offerNamed(words: string): Promise<Reply | undefined> {
    // To look for it also where it is hidden takes long, and no sentence is a name.
    if (words === "" || words.split(/\s+/).length > longestName) return undefined;
    const reply = await this.inWindow(async (window) => {
      const called = await findCalled(this.desk, words, { windowId: window.id });
      return called === undefined ? { text: "" } : this.offerPress([called], words);
    });
    return reply.choices === undefined ? undefined : reply;
  }

  private offerPress(matches: readonly Match[], words: string, otherwise = ""): Reply {
    const press: Request = { of: "press", target: { words }, how: "once" };
    this.offered = {
      matches,
      take: (one) => this.act(press, one).then((reply) => this.conclude(press, reply)),
    };
    const text = [this.speaker.offer(matches), otherwise].filter((part) => part !== "").join(" ");
    return { text, choices: matches.map(({ i }) => i) };
  }

  /** The first reading that fits what is there; a guess that one of them raised is asked before anything is denied. */
  private async carryOutFirst(requests: readonly Request[]): Promise<Reply> {
    let [first, asked]: [Reply | undefined, (() => Reply) | undefined] = [undefined, undefined];
    for (const request of requests) {
      const reply = await this.carryOut(request);
      if (reply.choices !== undefined && reply.isGuess !== true) return { ...reply, understood: request };
      if (reply.choices === undefined && reply.failure?.code !== "NOT_FOUND") return this.conclude(request, reply);
      if (reply.choices !== undefined && asked === undefined) {
        const offer = this.offered;
        asked = () => {
          this.offered = offer;
          return { ...reply, understood: request };
        };
      }
      first ??= { ...reply, understood: request };
    }
    return asked?.() ?? first ?? { text: this.speaker.phrases.notUnderstood };
  }

  private conclude(request: Request, reply: Reply): Reply {
    this.offered = undefined;
    if (request.of !== "repeat" && reply.effect !== undefined) this.last = request;
    return { ...reply, understood: request };
  }

  private async carryOut(request: Request): Promise<Reply> {
    switch (request.of) {
      case "press":
      case "check":
      case "uncheck":
      case "expand":
      case "collapse":
      case "set":
      case "choose":
      case "how":
      case "state":
      case "focus":
        return this.onControl(request.target, request);
      case "clear":
        return request.target === undefined
          ? this.inWindow((window) => this.clearFocused(window))
          : this.onControl(request.target, request);
      case "type":
        return this.inWindow((window) =>
          this.do("type", quote(request.text), "type", { text: request.text, windowId: window.id }),
        );
      case "key":
        return this.inWindow((window) => this.pressKey(request, window));
      case "open":
        return this.open(request.what);
      case "launch":
        return this.do("open", quote(request.what), "open", { what: request.what });
      case "switch":
        return this.onWindow(request.what, (window) =>
          this.do("switch", quote(window.title || window.app), "focus", { windowId: window.id }),
        );
      case "close":
        return this.onWindow(request.what, (window) => this.arrange("close", "close", window));
      case "arrange":
        return this.onWindow(request.what, (window) => this.arrange("arrange", request.operation, window));
      case "scroll":
        return this.scroll(request.direction, request.isToEnd);
      case "read":
        return typeof request.what === "string"
          ? this.inWindow(async (window) => this.tell(await this.reader.read(request.what, window, this.speaker)))
          : this.onControl(request.what, request);
      case "line":
        return this.inWindow(async (window) =>
          this.tell(await this.reader.readLineAt(request.at, window, this.speaker)),
        );
      case "where":
      case "screen":
      case "actions":
      case "changed":
        return this.inWindow(async (window) => this.tell(await this.reader.describe(request.of, window, this.speaker)));
      case "numbers":
        return this.showNumbers(request.isOn);
      case "help":
        return { text: this.speaker.phrases.help };
      case "stop":
        return { text: this.speaker.phrases.stopped };
      case "repeat":
        return this.last === undefined ? { text: this.speaker.phrases.nothingToRepeat } : this.carryOut(this.last);
    }
  }

  private tell(told: Result<string>): Reply {
    return told.ok ? { text: told.value } : this.refuse(told.failure);
  }

  private refuse(failure: Failure): Reply {
    return { text: this.speaker.failure(failure), failure };
  }

  private absent(what: string): Reply {
    const text = this.speaker.fill(this.speaker.phrases.notFound, quote(what));
    return { text, failure: { code: "NOT_FOUND", message: text, suggestion: "", done: "" } };
  }

  private async do(done: string, what: string, tool: string, input: Input): Promise<Reply> {
    const acted = await this.desk.act(tool, input);
    if (!acted.ok) return this.refuse(acted.failure);
    return { text: this.speaker.effect(done, what, acted.value), effect: acted.value.effect };
  }

  private arrange(done: string, operation: string, window: SeenWindow): Promise<Reply> {
    return this.do(done, quote(window.title || window.app), "window", { operation, windowId: window.id });
  }

  /** The window that is meant where none is named: the one in use, and not the conversation's own. */
  private async inWindow(work: (window: SeenWindow) => Promise<Reply>): Promise<Reply> {
    const found = await findMeantWindow(this.desk, this.options);
    if (!found.ok) return this.refuse(found.failure);
    const window = found.value;
    return window === undefined ? { text: this.speaker.phrases.noWindow } : work(window);
  }

  /** A window by its title or application; without words, the one in use. */
  private async onWindow(what: string | undefined, work: (window: SeenWindow) => Promise<Reply>): Promise<Reply> {
    const plain = what?.replace(/\s*\b(window|fenster|app|dialog|application|program|programm)\b\s*/giu, " ").trim();
    if (plain === undefined || plain === "" || /^(it|this|that|everything|es|das|dies)$/iu.test(plain))
      return this.inWindow(work);
    const listed = await this.desk.listWindows();
    if (!listed.ok) return this.refuse(listed.failure);
    const window = findWindow(listed.value, plain);
    return window === undefined ? this.absent(plain) : work(window);
  }

  private async onControl(target: Target, request: Request): Promise<Reply> {
    if (target.mark !== undefined) return this.onMark(target.mark, target.words, request);
    return this.inWindow(async (window) => {
      const where = await this.findWhere(target.within, window);
      if (where === undefined) return this.absent(target.within ?? "");
      const chosen = await chooseControl(this.desk, target, where, rolesFor(request));
      if (!chosen.ok) return this.refuse(chosen.failure);
      if (chosen.value.kind === "none") return this.absent(target.words);
      if (chosen.value.kind === "one") return this.act(request, chosen.value.match);
      const { matches, isGuess } = chosen.value;
      this.offered = {
        matches,
        take: (match) => this.act(request, match).then((reply) => this.conclude(request, reply)),
      };
      return { text: this.speaker.offer(matches), choices: matches.map(({ i }) => i), isGuess };
    });
  }

  /** A number alone may also be what a button shows, as in a calculator; if both are there, the person is asked. */
  private async onMark(mark: number, words: string, request: Request): Promise<Reply> {
    const marked = { i: mark, r: "", t: words };
    if (this.speaker.language.numbers(words) !== mark) return this.act(request, marked);
    return this.inWindow(async (window) => {
      const called = await findCalled(this.desk, String(mark), { windowId: window.id });
      if (called === undefined || called.i === mark) return this.act(request, marked);
      const read = await this.desk.read(window.id);
      const other = read.ok ? read.value.find(({ i }) => i === mark) : undefined;
      if (other === undefined) return this.act(request, called);
      const { app, title } = window;
      const matches = [called, { ...other, score: 0, why: "", in: [], app, window: title, id: window.id }];
      this.offered = { matches, take: (one) => this.act(request, one).then((reply) => this.conclude(request, reply)) };
      return { text: this.speaker.offer(matches), choices: matches.map(({ i }) => i) };
    });
  }

  private async findWhere(within: string | undefined, window: SeenWindow): Promise<Where | undefined> {
    if (within === undefined) return { windowId: window.id };
    const listed = await this.desk.listWindows();
    const named = listed.ok ? findWindow(listed.value, within) : undefined;
    if (named !== undefined) return { windowId: named.id };
    const container = await this.desk.find({ words: within, windowId: window.id });
    const [only, other] = container.ok ? container.value : [];
    return only === undefined || other?.score === only.score ? undefined : { windowId: window.id, within: only.i };
  }

  private act(request: Request, control: Pick<Match, "i" | "r" | "t" | "n" | "v" | "source">): Promise<Reply> {
    const name = control.r === "" ? String(control.i) : this.speaker.name(control);
    const id = { id: control.i };
    switch (request.of) {
      case "press": {
        const how = { once: {}, twice: { double: true }, right: { button: "right" } }[request.how];
        return this.do(request.how === "once" ? "press" : request.how, name, "click", { ...id, ...how });
      }
      case "set":
      case "choose":
        return this.do(request.of, `${name}: ${quote(request.text)}`, "set-value", { ...id, text: request.text });
      case "clear":
        return this.do("clear", name, "set-value", { ...id, text: "" });
      case "check":
      case "uncheck":
      case "expand":
      case "collapse":
        return this.do(request.of, name, request.of, id);
      case "focus":
        // A menu that somebody goes to is one that opens.
        if (control.r === "menu") return this.do("press", name, "click", id);
        return control.r === "heading"
          ? this.do("scroll", name, "scroll", { toId: control.i })
          : this.do("focus", name, "focus", id);
      case "how":
        return this.inWindow(async (window) => this.tell(await this.reader.explain(control, window, this.speaker)));
      case "state":
        return this.reader.tellState(control, this.speaker).then((told) => this.tell(told));
      default:
        return this.reader.readControl(control, this.speaker).then((told) => this.tell(told));
    }
  }

  private async clearFocused(window: SeenWindow): Promise<Reply> {
    const focused = await this.reader.findFocused(window);
    if (!focused.ok) return this.refuse(focused.failure);
    if (focused.value === undefined) return { text: this.speaker.phrases.noFocus };
    return this.act({ of: "clear" }, focused.value);
  }

  /** A control of the window in use, or an application; if both are called so, the person is asked. */
  private async open(what: string): Promise<Reply> {
    return this.inWindow(async (window) => {
      const chosen = await chooseControl(this.desk, { words: what }, { windowId: window.id });
      const matches = chosen.ok ? listNamed(chosen.value) : [];
      const would = await this.desk.act("open", { what, dryRun: true });
      if (would.ok && matches.length > 0)
        return this.offerPress(matches, what, this.speaker.fill(this.speaker.phrases.orLaunch, quote(what)));
      if (would.ok) return this.do("open", quote(what), "open", { what });
      const [match, ...others] = matches;
      if (match === undefined || others.length > 0) return this.absent(what);
      return this.act({ of: "press", target: { words: what }, how: opensTwice(match) ? "twice" : "once" }, match);
    });
  }

  /** A key by a word that is also the name of a control, such as Delete: the person is asked. */
  private async pressKey({ keys, times, words, instead }: Request & { of: "key" }, window: SeenWindow): Promise<Reply> {
    const button = instead === undefined ? undefined : await findCalled(this.desk, instead, { windowId: window.id });
    if (button !== undefined) return this.act({ of: "press", target: { words: button.t ?? "" }, how: "once" }, button);
    const chosen = words === undefined ? undefined : await chooseControl(this.desk, { words }, { windowId: window.id });
    const matches = chosen?.ok !== true ? [] : listNamed(chosen.value);
    if (matches.length > 0)
      return this.offerPress(matches, words ?? "", this.speaker.fill(this.speaker.phrases.orKey, words ?? ""));
    const repeat = times > 1 ? { repeat: times } : {};
    return this.do("key", keys, "type", { key: keys, windowId: window.id, ...repeat });
  }

  private scroll(direction: string, isToEnd: boolean): Promise<Reply> {
    return this.inWindow((window) => {
      const input = isToEnd ? { percent: direction === "down" ? 100 : 0 } : { direction, amount: 5 };
      return this.do("scroll", "", "scroll", { windowId: window.id, ...input });
    });
  }

  private async showNumbers(isOn: boolean): Promise<Reply> {
    const shown = await this.desk.ask<object>("overlay", { what: isOn ? "on" : "off" });
    if (!shown.ok) return this.refuse(shown.failure);
    return { text: isOn ? this.speaker.phrases.numbersOn : this.speaker.phrases.numbersOff };
  }
}
