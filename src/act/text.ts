import type { Command } from "../model/command.ts";
import type { Effect } from "../model/effect.ts";
import { type Element, isParagraph } from "../model/element.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { nameElement, quote } from "../model/observed.ts";
import type { Order } from "../model/order.ts";
import { patternsOf } from "../model/pattern.ts";
import { cleanLines, cleanText } from "../model/plain-text.ts";
import type { Role } from "../model/role.ts";
import { maskSecrets } from "../model/secrets-in-text.ts";
import type { Attempt } from "./attempt.ts";
import { findInserted, isInserted, isSameValue } from "./compare-text.ts";
import type { ActRequest, GatedDesktop } from "./desktop.ts";
import { confirm, type Judge, type Judgement, judgeShown } from "./judge.ts";
import { byOption } from "./options.ts";
import { readLines } from "./paragraphs.ts";
import type { Intent } from "./perform.ts";
import { findCell, judgeCells } from "./sheet.ts";
import { chooseKeyboardWindow, findIn, performUntargeted, readsWithKeyboard } from "./untargeted.ts";
import { bySetNumber, bySetText, byTypingOver, isNumeric, takeFocus, type Way } from "./ways.ts";

/** The content of a field; for a secret one only its length. */
interface Content {
  readonly text: string | undefined;
  readonly length: number | undefined;
}

type Reading = Pick<Attempt, "desktop" | "timeoutMs" | "element">;

async function readContent({ desktop, timeoutMs }: Reading, element: Element): Promise<Content> {
  const { platform } = desktop;
  const isSecret = element.states.has("secret");
  const isText = !isSecret && !plainRoles.has(element.role);
  const [glimpse, read] = await Promise.all([
    platform.glimpse(element, timeoutMs),
    isText ? platform.readText({ element, start: 0, end: undefined, timeoutMs }) : undefined,
  ]);
  const length = glimpse.ok ? glimpse.value?.length : undefined;
  if (isSecret) return { text: undefined, length };
  if (read?.ok === true && read.value.end === read.value.length) return { text: read.value.text, length };
  return { text: read?.ok === true ? undefined : element.value, length };
}

/** Roles whose content is their value. */
const plainRoles: ReadonlySet<Role> = new Set<Role>(["slider", "spin", "scrollbar", "progress", "select"]);

export function planSetValue(element: Element, text: string): Result<Intent> {
  if (holdsNumber(element) && !isNumber(text)) return fail(describeNoNumber(element));
  return succeed({
    chain: [byOption(text), bySetNumber(text), bySetText(text), byTypingOver(text)],
    judge: (attempt) => judgeValue(attempt, text),
    findDone: ({ value, states, role }) => {
      // The cell of a sheet may still tell what it held before.
      const isTold = !states.has("secret") && role !== "cell" && (value !== "" || (text === "" && role === "input"));
      return isTold && maskSecrets(text) === text && isSameValue(value, text) ? "it already held that" : undefined;
    },
    isRepeatable: true,
  });
}

/** A spin button may hold a date: its present value decides. */
function holdsNumber(element: Element): boolean {
  const { value, role, actions } = element;
  const hasRange = patternsOf(element).includes("range-value") || (isNumeric(role) && actions.includes("set"));
  return hasRange && (value === "" || isNumber(value));
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

function describeNoNumber(element: Element): Failure {
  const { value } = element;
  return describeUsage(
    `${nameElement(element)} holds a number, and the given text is not one`,
    `digits, with a point where it needs one${value === "" ? "" : `; it holds ${value} now`}.`,
  );
}

async function judgeValue(attempt: Attempt, wanted: string): Promise<Judge> {
  const before = await readContent(attempt, attempt.element);
  return async ({ target }) => {
    if (target === undefined) return undefined;
    const now = await readContent(attempt, target);
    const shown = maskSecrets(cleanLines(wanted));
    const isUntold = shown !== wanted && now.text === before.text && now.text === shown;
    if (now.text === undefined || isUntold) return judgeLength(before, now, [...wanted].length);
    const isSame = isSameValue(now.text, shown) || now.text === cleanText(shown, shown.length);
    // Invisible characters can only be counted, by some as UTF-16 units.
    const isCounted = now.length === undefined || [wanted.length, [...wanted].length].includes(now.length);
    if (isSame && (shown === wanted || isCounted)) return confirm("it holds what was set");
    if (now.text === before.text) return undefined;
    return { verdict: "partial", evidence: [`it holds ${quote(now.text)}, not what was set`] };
  };
}

/** A secret is never read; only its length is compared. */
function judgeLength(before: Content, { length }: Content, wanted: number): Judgement | undefined {
  if (length === wanted && before.length === wanted) {
    return { verdict: "unverified", evidence: ["it holds as many characters as before, so nothing shows a change"] };
  }
  if (length === undefined) return { verdict: "unverified", evidence: ["it does not report its content"] };
  return length === wanted ? confirm("it holds as many characters as were typed") : undefined;
}

/** Without the end that a field has added by itself: it is selected, so that the next key replaces it. */
async function leaveOutCompletion({ desktop, timeoutMs }: Reading, element: Element, text: string): Promise<string> {
  const glimpse = await desktop.platform.glimpse(element, timeoutMs);
  const { caret, length } = (glimpse.ok ? glimpse.value : undefined) ?? {};
  const isSelectedEnd = caret !== undefined && caret.start < caret.end && caret.end === length;
  return isSelectedEnd ? [...text].slice(0, caret.start).join("") : text;
}

type TypeOrder = Order & { readonly kind: "type" };

/** Types into a control, which gets the focus first: after what it holds, or in its place. */
export function planType({ text, delayMs, isReplacing = false }: TypeOrder): Intent {
  const keys: Way = {
    name: "keys",
    refuse: ({ states }) => (states.has("readonly") ? "it is read-only" : undefined),
    take: async (attempt) => {
      const focused = await takeFocus(attempt);
      if (!focused.ok) return focused;
      const placed = await moveToEnd(attempt);
      if (!placed.ok) return placed;
      attempt.watch.take();
      return attempt.deliver({ kind: "type", text, delayMs });
    },
  };
  const foresee = (): Command => ({ kind: "type", text, delayMs });
  const chain = isReplacing ? [byTypingOver(text, delayMs)] : [keys];
  return { chain, judge: (attempt) => judgeTyped(attempt, text, isReplacing), foresee, isRepeatable: isReplacing };
}

/** Something may be selected, by the focus alone in many fields, and typing would replace it. */
async function moveToEnd(attempt: Attempt): Promise<Result<void>> {
  const { element } = attempt;
  if (element.role !== "input") return succeed(undefined);
  const glimpse = await attempt.desktop.platform.glimpse(element, attempt.timeoutMs);
  const { caret, length } = (glimpse.ok ? glimpse.value : undefined) ?? {};
  const isThere = caret !== undefined && caret.start === caret.end && caret.at === length;
  const isEmpty = length === 0 || (length === undefined && element.value === "");
  if (isThere || isEmpty) return succeed(undefined);
  const modifiers = element.states.has("multiline") ? (["ctrl"] as const) : [];
  return attempt.prepare({ kind: "keys", combo: { modifiers, key: "End" } }, "the caret was put at its end");
}

/** The new text in the control must be the typed one; in another control, it hit the wrong target. */
async function judgeTyped(attempt: Reading, typed: string, isReplacing = false): Promise<Judge> {
  const before = await readContent(attempt, attempt.element);
  const isOneLine = !attempt.element.states.has("multiline") && attempt.element.role === "input";
  // In a single-line field, a final Return submits it and a final Tab leaves it.
  const endsInKey = isOneLine && /[\n\t]$/.test(typed);
  const plain = typed.replaceAll("\r\n", "\n").slice(0, endsInKey ? -1 : undefined);
  // In what is read back, secrets are masked and invisible characters left out.
  const wanted = maskSecrets(cleanLines(plain));
  const cell = findCell(attempt.element);
  // What replaces the content of a cell is entered with Return.
  if (cell !== undefined) return judgeCells(cell, isReplacing && !wanted.endsWith("\n") ? `${wanted}\n` : wanted);
  const lineCount = wanted.split("\n").length;
  return async ({ target, comparison, after }) => {
    const now = target === undefined ? { text: undefined, length: undefined } : await readContent(attempt, target);
    if (now.text !== undefined && before.text !== undefined) {
      if (target !== undefined && isParagraph(target) && lineCount > 1) {
        const { text } = before;
        const all = await readLines(attempt, after.snapshot.windows, target, lineCount);
        if (all.some((lines) => isInserted(text, lines, wanted))) return confirm("it holds what was typed");
      }
      const isWhole = isReplacing ? now.text === wanted : isInserted(before.text, now.text, wanted);
      if (isWhole && (isReplacing || now.text !== before.text)) {
        return { ...confirm("it holds what was typed"), isAsked: true };
      }
      const kept = target === undefined ? now.text : await leaveOutCompletion(attempt, target, now.text);
      if (kept !== now.text && (isReplacing ? kept === wanted : isInserted(before.text, kept, wanted))) {
        const added = quote(now.text.slice(kept.length));
        return confirm("it holds what was typed", `the field added ${added} after it, which is selected`);
      }
      const inserted = isReplacing ? now.text : findInserted(before.text, now.text);
      if (now.text !== before.text) {
        const isPart = inserted !== undefined && wanted.startsWith(inserted);
        const part = isPart ? `${[...inserted].length} of ${[...wanted].length} characters came in` : undefined;
        return { verdict: "partial", evidence: [part ?? `${quote(inserted ?? now.text)} came in, not what was typed`] };
      }
    } else if (now.length !== undefined && before.length !== undefined && now.length !== before.length) {
      const added = now.length - (isReplacing ? 0 : before.length);
      const isAll = added === [...plain].length || now.length === [...plain].length;
      return isAll
        ? confirm("it holds as many characters more as were typed")
        : { verdict: "partial", evidence: ["it holds another number of characters than were typed"] };
    }
    const astray = comparison.changed.find(({ element, differences }) => {
      const isOther = element.handle !== target?.handle && element.states.has("editable");
      return isOther && differences.some(({ what, after }) => what === "value" && after.includes(wanted));
    });
    if (astray !== undefined) {
      return { verdict: "wrong-target", evidence: [`it was typed into ${nameElement(astray.element)}`] };
    }
    const isSentOff = endsInKey && (comparison.changed.length > 0 || comparison.openedWindows.length > 0);
    return isSentOff ? confirm("the keys were taken: what is around it changed") : undefined;
  };
}

/** Types into the focused control. */
export async function typeAtFocus(
  desktop: GatedDesktop,
  request: Omit<ActRequest, "order"> & { readonly order: TypeOrder },
): Promise<Result<Effect>> {
  const { tool, isDryRun, isUnverified, timeoutMs, order } = request;
  const chosen = await chooseKeyboardWindow(desktop, request, tool, isDryRun);
  if (!chosen.ok) return chosen;
  return performUntargeted(desktop, {
    tool,
    isDryRun,
    isUnverified,
    timeoutMs,
    window: chosen.value,
    words: "what has the keyboard",
    way: "keys",
    command: { kind: "type", text: order.text, delayMs: order.delayMs },
    isRepeatable: false,
    find: (reads) => findIn(readsWithKeyboard(reads, chosen.value), isWrittenTo),
    judge: (element) => {
      return element === undefined
        ? judgeArrived(desktop, order.text, timeoutMs)
        : judgeTyped({ desktop, timeoutMs, element }, order.text);
    },
  });
}

/** If nothing could be written to before, a field that the keys opened must hold the typed text, or something must show it. */
function judgeArrived(desktop: GatedDesktop, typed: string, timeoutMs: number): Judge {
  const anything = judgeShown(typed.trim());
  return async (observation) => {
    const element = findIn(observation.after.snapshot.windows, isWrittenTo);
    if (element === undefined || element.states.has("secret")) return anything(observation);
    const read = await desktop.platform.readText({ element, start: 0, end: undefined, timeoutMs });
    if (!read.ok) return anything(observation);
    if (read.value.text.includes(maskSecrets(typed).trim()))
      return confirm(`${nameElement(element)} holds what was typed`);
    return {
      verdict: "partial",
      evidence: [`${nameElement(element)} holds ${quote(read.value.text)}, not what was typed`],
    };
  };
}

function isWrittenTo({ states, role }: Element): boolean {
  return states.has("focused") && (states.has("editable") || role === "input" || role === "document");
}
