import type { Command } from "../model/command.ts";
import type { Element } from "../model/element.ts";
import { describeUsage, type Failure, fail, type Result, succeed } from "../model/failure.ts";
import { patternsOf } from "../model/pattern.ts";
import type { Role } from "../model/role.ts";
import { maskSecrets } from "../model/secrets-in-text.ts";
import { confirm, type Judge, type Judgement } from "./judge.ts";
import { byOption } from "./options.ts";
import type { Intent } from "./perform.ts";
import type { Stage } from "./stage.ts";
import { bySetNumber, bySetText, byTypingOver, isNumeric, takeFocus, type Way } from "./ways.ts";
import { nameElement, quote } from "./words.ts";

/** What a field holds: its text; of a secret one only how much. */
interface Content {
  readonly text: string | undefined;
  readonly length: number | undefined;
}

/** Where a text is read, and of what. */
type Reading = Pick<Stage, "desktop" | "timeoutMs" | "element">;

async function readContent({ desktop, timeoutMs }: Reading, element: Element): Promise<Content> {
  const glimpse = await desktop.platform.glimpse(element, timeoutMs);
  const length = glimpse.ok ? glimpse.value?.length : undefined;
  if (element.states.has("secret")) return { text: undefined, length };
  const isPlain = plainRoles.has(element.role);
  const read = isPlain ? undefined : await desktop.platform.readText({ element, start: 0, end: undefined, timeoutMs });
  if (read?.ok === true && read.value.end === read.value.length) return { text: read.value.text, length };
  return { text: read?.ok === true ? undefined : element.value, length };
}

/** What holds a number or one of several choices says so in its value. */
const plainRoles: ReadonlySet<Role> = new Set<Role>(["slider", "spin", "scrollbar", "progress", "select"]);

export function planSetValue(element: Element, text: string): Result<Intent> {
  if (holdsNumber(element) && !isNumber(text)) return fail(describeNoNumber(element));
  return succeed({
    chain: [byOption(text), bySetNumber(text), bySetText(text), byTypingOver(text)],
    judge: (stage) => judgeValue(stage, text),
    findDone: ({ value, states, role }) => {
      const isTold = !states.has("secret") && (value !== "" || (text === "" && role === "input"));
      return isTold && maskSecrets(text) === text && isSameValue(value, text) ? "it already held that" : undefined;
    },
    isRepeatable: true,
  });
}

/** A date in a spin button is a text: what it holds now tells. */
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
    `${nameElement(element)} holds a number, and what was given is none`,
    `digits, with a point where it needs one${value === "" ? "" : `; it holds ${value} now`}.`,
  );
}

async function judgeValue(stage: Stage, wanted: string): Promise<Judge> {
  const before = await readContent(stage, stage.element);
  return async ({ target }) => {
    if (target === undefined) return undefined;
    const now = await readContent(stage, target);
    const shown = maskSecrets(wanted);
    const isUntold = shown !== wanted && now.text === before.text && now.text === shown;
    if (now.text === undefined || isUntold) return judgeLength(before, now, [...wanted].length);
    if (isSameValue(now.text, shown)) return confirm("it holds what was set");
    if (now.text === before.text) return undefined;
    return { verdict: "partial", evidence: [`it holds ${quote(now.text)}, not what was set`] };
  };
}

/** A secret is counted, never read. */
function judgeLength(before: Content, { length }: Content, wanted: number): Judgement | undefined {
  if (length === wanted && before.length === wanted) {
    return { verdict: "unverified", evidence: ["it holds as many characters as before: nothing tells them apart"] };
  }
  if (length === undefined) return { verdict: "unverified", evidence: ["it tells nothing of what it holds"] };
  return length === wanted ? confirm("it holds as many characters as were typed") : undefined;
}

/** Equal as text, or as numbers: 5 is 5.00. */
function isSameValue(value: string, wanted: string): boolean {
  if (value === wanted) return true;
  const [a, b] = [value, wanted].map((text) => (text.trim() === "" ? Number.NaN : Number(text)));
  return a === b;
}

/** Types into a control, which gets the focus first. */
export function planType(text: string, delayMs: number): Intent {
  const keys: Way = {
    name: "keys",
    refuse: ({ states }) => (states.has("readonly") ? "it is read-only" : undefined),
    take: async (stage) => {
      const focused = await takeFocus(stage);
      if (!focused.ok) return focused;
      const placed = await moveToEnd(stage);
      if (!placed.ok) return placed;
      stage.watch.take();
      return stage.deliver({ kind: "type", text, delayMs });
    },
  };
  const foresee = (): Command => ({ kind: "type", text, delayMs });
  return { chain: [keys], judge: (stage) => judgeTyped(stage, text), foresee, isRepeatable: false };
}

/** A field that gets the focus may have everything in it selected, and typing would replace it. */
async function moveToEnd(stage: Stage): Promise<Result<void>> {
  const { element } = stage;
  const wasFocused = element.states.has("focused");
  if (wasFocused || element.role !== "input" || (element.value === "" && !element.states.has("secret"))) {
    return succeed(undefined);
  }
  const modifiers = element.states.has("multiline") ? (["ctrl"] as const) : [];
  return stage.prepare({ kind: "keys", combo: { modifiers, key: "End" } }, "the caret was put at its end");
}

/** What is new in the control must be what was typed; what is new elsewhere went astray. */
export async function judgeTyped(stage: Reading, typed: string): Promise<Judge> {
  const before = await readContent(stage, stage.element);
  const isOneLine = !stage.element.states.has("multiline") && stage.element.role === "input";
  // In a field of one line, the last key sends it off or leaves it.
  const endsInKey = isOneLine && /[\n\t]$/.test(typed);
  const plain = typed.replaceAll("\r\n", "\n").slice(0, endsInKey ? -1 : undefined);
  // Whatever is read back comes without the secrets that are known by their looks.
  const wanted = maskSecrets(plain);
  return async ({ target, comparison }) => {
    const now = target === undefined ? { text: undefined, length: undefined } : await readContent(stage, target);
    if (now.text !== undefined && before.text !== undefined) {
      const inserted = findInserted(before.text, now.text);
      if (inserted !== undefined && isTyped(inserted, wanted)) return confirm("it holds what was typed");
      if (now.text !== before.text) {
        return { verdict: "partial", evidence: [`${quote(inserted ?? now.text)} came in, not what was typed`] };
      }
    } else if (now.length !== undefined && before.length !== undefined && now.length !== before.length) {
      const isAll = now.length - before.length === [...plain].length || now.length === [...plain].length;
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

/** The one stretch of text that is new; what was selected may have been replaced by it. */
function findInserted(before: string, after: string): string | undefined {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return after.length - end > start ? after.slice(start, after.length - end) : undefined;
}

/**
 * Whether new text is what was typed. Where the text around it is alike ("a" typed before "aa"), the stretch that differs
 * may begin a little earlier or later in it: then it is the same letters turned round.
 */
function isTyped(inserted: string, typed: string): boolean {
  if (inserted === typed) return true;
  return inserted.length === typed.length && `${typed}${typed}`.includes(inserted);
}
