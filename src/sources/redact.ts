import type { Element, SingleElement } from "../model/element.ts";
import { fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import { isRole } from "../model/role.ts";
import { describeSecret, isSecretLabel } from "../model/secrets.ts";
import { maskSecrets } from "../model/secrets-in-text.ts";
import { type Note, noteCodes, type TextRead, type WindowRead } from "../model/snapshot.ts";
import { sources } from "../model/source.ts";
import { isState, type State } from "../model/state.ts";
import { isTrait } from "../model/trait.ts";
import { applicationKeyOf, type Window } from "../model/window.ts";
import type { ElementSource, Glimpse, NumberGlimpse, Sign, TextRequest, Watch } from "./port.ts";

/**
 * What any source tells, without secrets and without windows that must not be looked at. It is closed by default: it
 * copies what it knows, field by field, and answers only about elements that it has passed on.
 */
export function redactSource(
  source: ElementSource,
  isBlind: (window: Window) => boolean,
  isWithheld: IsWithheld = nothing,
): ElementSource {
  const passed = new PassedHandles();
  const isOpen = (window: Window): boolean => !isBlind(window);
  const hasPassed = ({ handle }: Pick<SingleElement, "handle">): boolean => passed.has(handle);
  return {
    async covers(windows) {
      const open = windows.filter(isOpen);
      const covered = await source.covers(open);
      if (!covered.ok) return covered;
      return succeed(new Set(open.map(({ id }) => id).filter((id) => covered.value.has(id))));
    },
    async readWindows(request) {
      const open = request.windows.filter(isOpen);
      const areAllBlind = open.length === 0 && request.windows.length > 0;
      const reads = areAllBlind ? succeed([]) : await source.readWindows({ ...request, windows: open });
      if (!reads.ok) return reads;
      const byId = new Map(reads.value.map((read) => [read.window.id, read]));
      return succeed(
        request.windows.map((window) => redactRead(window, isOpen(window) && byId.get(window.id), passed, isWithheld)),
      );
    },
    async readText(request) {
      if (request.element.states.has("secret")) return fail(describeSecret());
      if (!hasPassed(request.element)) return fail(describeUnknown());
      return redactText(await source.readText(request), request);
    },
    async glimpse(element, timeoutMs) {
      const seen = hasPassed(element) ? await source.glimpse(element, timeoutMs) : succeed(undefined);
      return seen.ok && seen.value !== undefined ? succeed(redactGlimpse(seen.value)) : seen;
    },
    async askWhatIsAt(element, point, timeoutMs) {
      const answer = hasPassed(element) ? await source.askWhatIsAt(element, point, timeoutMs) : succeed(undefined);
      if (!answer.ok || answer.value === undefined || passed.has(answer.value)) return answer;
      return succeed(unknownHandle);
    },
    async watch(windows, timeoutMs) {
      const watch = await source.watch(windows.filter(isOpen), timeoutMs);
      return watch.ok ? succeed(redactWatch(watch.value, passed)) : watch;
    },
  };
}

/** Whether what an element shows is withheld as a secret is, such as a document of Deskmap's own. */
export type IsWithheld = (element: Element) => boolean;

const nothing: IsWithheld = () => false;

/** Says that something else is at a point, without saying what. */
const unknownHandle = "unknown";

/** A page that changes for hours has no end of handles: only the last ones are kept, at least so many. */
const maxHandles = 500_000;

class PassedHandles {
  private latest = new Set<string>();
  private former: ReadonlySet<string> = new Set();
  /** What a mirror has kept since the last read need not be walked again. */
  private readonly walked = new WeakSet<Element>();

  addTree(element: Element): void {
    this.add(element.handle);
    if (element.children.length === 0 || this.walked.has(element)) return;
    this.walked.add(element);
    for (const child of element.children) this.addTree(child);
  }

  private add(handle: string): void {
    this.latest.add(handle);
    if (this.latest.size < maxHandles) return;
    this.former = this.latest;
    this.latest = new Set();
  }

  has(handle: string): boolean {
    return this.latest.has(handle) || this.former.has(handle);
  }
}

function redactRead(
  window: Window,
  read: WindowRead | false | undefined,
  passed: PassedHandles,
  isWithheld: IsWithheld,
): WindowRead {
  if (read === false || read === undefined) {
    const note = { code: "FAILED" as const, text: "this window was not read" };
    return { window, appKey: applicationKeyOf(window), root: undefined, notes: [note] };
  }
  const root = read.root && redactOnce(read.root, isWithheld);
  if (root !== undefined) passed.addTree(root);
  return { window, appKey: maskSecrets(read.appKey), root, notes: redactNotes(read.notes) };
}

/** A mirror gives the same objects as long as nothing changed: so does this. */
const redacted = new WeakMap<IsWithheld, WeakMap<Element, Element>>();

function redactOnce(element: Element, isWithheld: IsWithheld): Element {
  const own = redacted.get(isWithheld) ?? new WeakMap<Element, Element>();
  redacted.set(isWithheld, own);
  const known = own.get(element);
  if (known !== undefined) return known;
  const made = redactElement(element, isWithheld);
  own.set(element, made);
  return made;
}

/** Every field of an element; a new one is not passed on until it is listed here. */
const fields: Readonly<Record<keyof Element, true>> = {
  role: true,
  platformRole: true,
  name: true,
  ownName: true,
  value: true,
  description: true,
  states: true,
  traits: true,
  bounds: true,
  clickPoint: true,
  actions: true,
  platformActions: true,
  invocations: true,
  shortcut: true,
  platformId: true,
  source: true,
  life: true,
  handle: true,
  certainty: true,
  alikeIndex: true,
  alikeCount: true,
  place: true,
  aria: true,
  url: true,
  children: true,
};

const texts = ["platformRole", "name", "ownName", "value", "description", "shortcut", "platformId", "url"] as const;

/** The element itself where nothing has to be taken out of it: most are. */
function redactElement(element: Element, isWithheld: IsWithheld): Element {
  const isSecret = holdsSecret(element) || isWithheld(element);
  const children = isSecret ? [] : element.children.map((child) => redactOnce(child, isWithheld));
  const isClean =
    isKnown(element) &&
    (!isSecret || (element.states.has("secret") && element.value === "" && element.children.length === 0)) &&
    texts.every((field) => maskSecrets(element[field]) === element[field]) &&
    element.platformActions.every(isPlain) &&
    Object.values(element.invocations).every(isPlain) &&
    isPlainAria(element.aria) &&
    children.every((child, at) => child === element.children[at]);
  return isClean ? element : copyElement(element, isSecret, children);
}

function copyElement(element: Element, isSecret: boolean, children: readonly Element[]): Element {
  const states = new Set<State>([...element.states].filter(isState));
  if (isSecret) states.add("secret");
  return {
    role: isRole(element.role) ? element.role : "other",
    platformRole: maskSecrets(element.platformRole),
    name: maskSecrets(element.name),
    ownName: maskSecrets(element.ownName),
    value: isSecret ? "" : maskSecrets(element.value),
    description: maskSecrets(element.description),
    states,
    ...(element.traits === undefined ? {} : { traits: new Set([...element.traits].filter(isTrait)) }),
    bounds: element.bounds,
    clickPoint: element.clickPoint,
    actions: element.actions,
    platformActions: element.platformActions.filter(isPlain),
    invocations: Object.fromEntries(Object.entries(element.invocations).filter(([, name]) => isPlain(name))),
    shortcut: maskSecrets(element.shortcut),
    platformId: maskSecrets(element.platformId),
    source: sources.find((one) => one === element.source) ?? "heuristic",
    life: element.life,
    handle: element.handle,
    ...(element.certainty === undefined ? {} : { certainty: element.certainty }),
    alikeIndex: element.alikeIndex,
    alikeCount: element.alikeCount,
    ...(element.place === undefined ? {} : { place: element.place }),
    ...(element.aria === undefined ? {} : { aria: redactAria(element.aria) }),
    url: maskSecrets(element.url),
    children,
  };
}

function isPlainAria(aria: Element["aria"]): boolean {
  if (aria === undefined) return true;
  const { role, id, controls = [], ...rest } = aria;
  return [role, id, ...controls].every(isPlain) && Object.keys(rest).length === 0;
}

function redactAria({ role, id, controls }: NonNullable<Element["aria"]>): NonNullable<Element["aria"]> {
  return {
    ...(role === undefined ? {} : { role: maskSecrets(role) }),
    ...(id === undefined ? {} : { id: maskSecrets(id) }),
    ...(controls === undefined ? {} : { controls: controls.map((one) => maskSecrets(one)) }),
  };
}

/** A field that is called a secret is one, whatever its source says. */
function holdsSecret({ states, name, ownName, description, platformId }: Element): boolean {
  return states.has("secret") || (states.has("editable") && isSecretLabel(name, ownName, description, platformId));
}

function isKnown(element: Element): boolean {
  for (const field in element) if (!Object.hasOwn(fields, field)) return false;
  for (const state of element.states) if (!isState(state)) return false;
  for (const trait of element.traits ?? []) if (!isTrait(trait)) return false;
  return isRole(element.role) && sources.includes(element.source);
}

function isPlain(text: string | undefined): boolean {
  return text === undefined || maskSecrets(text) === text;
}

function redactNotes(notes: readonly Note[]): readonly Note[] {
  const isClean = notes.every(
    ({ code, text, areas: _, ...rest }) => isPlain(text) && noteCodes.includes(code) && Object.keys(rest).length === 0,
  );
  if (isClean) return notes;
  return notes.flatMap(({ code, text }) => (noteCodes.includes(code) ? [{ code, text: maskSecrets(text) }] : []));
}

function redactText(read: Result<TextRead>, { element }: TextRequest): Result<TextRead> {
  if (!read.ok) return read;
  if (holdsSecret(element)) return fail(describeSecret());
  const { text, start, end, length, notes } = read.value;
  return succeed({ text: maskSecrets(text), start, end, length, notes: redactNotes(notes) });
}

function redactGlimpse({ platformRole, ownName, states, place, length, caret, number }: Glimpse): Glimpse {
  const known = new Set([...states].filter(isState));
  const own = { platformRole: maskSecrets(platformRole), ownName: maskSecrets(ownName), states: known, place, length };
  if (known.has("secret")) return own;
  return {
    ...own,
    ...(caret && { caret: { at: caret.at, start: caret.start, end: caret.end } }),
    ...(number && { number: redactNumber(number) }),
  };
}

function redactNumber({ value, words, range }: NumberGlimpse): NumberGlimpse {
  return { value, words: maskSecrets(words), range: range && { least: range.least, most: range.most } };
}

const signSources: Readonly<Record<Sign["source"], true>> = {
  event: true,
  pixels: true,
  windows: true,
  menu: true,
  view: true,
};

/** That something changed is told; of which object only where that object was passed on. */
function redactWatch(watch: Watch, passed: PassedHandles): Watch {
  const redactSign = ({ source, handle }: Sign): Sign => ({
    source: Object.hasOwn(signSources, source) ? source : "event",
    handle: handle !== undefined && passed.has(handle) ? handle : undefined,
  });
  return {
    take: () => watch.take().map(redactSign),
    async waitForSign(timeoutMs) {
      const sign = await watch.waitForSign(timeoutMs);
      return sign && redactSign(sign);
    },
    waitForStillness: async (...given) => (await watch.waitForStillness(...given)) === true,
    findTemper(id) {
      const temper = watch.findTemper(id);
      return temper === "calm" || temper === "restless" ? temper : undefined;
    },
    findCrossing(by) {
      const crossing = watch.findCrossing(by);
      if (crossing === undefined) return undefined;
      const { reactionMs, hasLateTitles } = crossing;
      return { reactionMs, hasLateTitles, wasBefore: (id) => crossing.wasBefore(id) === true };
    },
    close: () => watch.close(),
  };
}

function describeUnknown() {
  const suggestion = "deskmap read shows what is there.";
  return makeFailure("NOT_FOUND", "this element was not read before", suggestion);
}
