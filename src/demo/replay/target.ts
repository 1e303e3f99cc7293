import { type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { quoteName, quoteText } from "../../model/plain-text.ts";
import { describePlace, describeRef } from "../describe.ts";
import type { Step, StepRef } from "../file.ts";
import { fillRef, fillText, type Values } from "../parameters.ts";
import { takesWindow } from "../tools.ts";
import { isRelatedTitle, isSameApp, isSimilarTitle, type Located, plainText, type SeenWindow } from "./answers.ts";
import { type Asking, visionFor } from "./asking.ts";
import { looksTheSame } from "./look.ts";

/** The fields that point at what a step acts on. */
export interface Aimed {
  readonly aim: Readonly<Record<string, unknown>>;
  readonly located?: Located | undefined;
  /** Whether only a part of the ref found it. */
  readonly isRelaxed?: boolean | undefined;
  readonly notes: readonly string[];
}

export interface TargetQuery {
  readonly step: Step;
  readonly values: Values;
  /** The windows that earlier steps of this run opened, by the number of the step. */
  readonly opened: ReadonlyMap<number, readonly SeenWindow[]>;
  readonly allowsCoordinates: boolean;
  /** Whether the screen around a point must look as it did when the step was recorded. */
  readonly comparesPictures?: boolean | undefined;
  /** Where the pictures of the demo are. */
  readonly pictures?: string | undefined;
  /** Whether to look only once. */
  readonly isNow?: boolean | undefined;
}

/** Waits until what the step needs is there, and finds its target; a refusal says what is there instead. */
export async function findTarget(asking: Asking, query: TargetQuery): Promise<Result<Aimed>> {
  const { step, values } = query;
  const { tool, ref, to_ref, point, to_point } = step;
  if (ref !== undefined) {
    const found = await findElement(asking, query, fillRef(ref, values));
    if (!found.ok) return found;
    const mark = found.value.id;
    const held = await checkHeld(asking, query, mark, ref);
    if (!held.ok) return held;
    if (tool === "drag") {
      const end = to_ref === undefined ? undefined : await findElement(asking, query, fillRef(to_ref, values));
      if (end !== undefined && !end.ok) return end;
      if (end === undefined && to_point === undefined) return fail(describeNowhere("the drag has no end"));
      if (end === undefined && !query.allowsCoordinates) return fail(describeCoordinates("the end of the drag"));
      const unlike =
        end === undefined && to_point !== undefined ? await refuseUnlike(asking, query, to_point) : undefined;
      if (unlike !== undefined) return fail(unlike);
      const aim = { fromId: mark, ...(end === undefined ? { toAt: to_point?.join(",") } : { toId: end.value.id }) };
      return succeed({ aim, located: found.value, notes: [] });
    }
    const isScrolledTo = tool === "scroll" && Object.keys(step.input).length === 0;
    const aim = { ...(isScrolledTo ? { toId: mark } : { id: mark }), ...visionFor(ref) };
    return succeed({ aim, located: found.value, notes: [] });
  }
  if (point !== undefined && !takesWindow(tool)) return findPoint(asking, query, point);
  if (tool === "quit") return succeed({ aim: step.app === undefined ? {} : { app: step.app }, notes: [] });
  if (takesWindow(tool) && (step.app !== undefined || step.window !== undefined)) return findWindow(asking, query);
  return succeed({ aim: {}, notes: [] });
}

async function findElement(asking: Asking, query: TargetQuery, ref: StepRef): Promise<Result<Located>> {
  const { step, values, isNow = false } = query;
  const own = findOpened(query);
  const look = async () => {
    const answer = await asking.locate(ref, own?.id);
    const isThere = answer.ok ? isRight(answer.value, query) : !mayPass(answer.failure);
    return { isThere, value: answer };
  };
  const { isThere, value } = await asking.lookUntil(ref.app, look, isNow ? 0 : undefined);
  if (!value.ok) return value;
  if (isThere) return value;
  const found = value.value;
  const sought = `${describeRef(ref)} in ${describePlace(ref, values)}`;
  const opener = step.wait?.opened_by;
  const note = opener === undefined ? "" : `; step ${opener} opens that window`;
  if (found.verdict === "match") {
    const message = `${sought} was found only in another window, ${quoteText(found.window ?? "")}${note}`;
    return fail(makeFailure("NOT_FOUND", message));
  }
  const isAmbiguous = found.verdict === "ambiguous";
  const message = isAmbiguous ? `several controls fit ${sought}` : `${sought} is not there${note}`;
  return fail(
    makeFailure(isAmbiguous ? "AMBIGUOUS" : "NOT_FOUND", message, undefined, { nearest: listNearest(found, ref) }),
  );
}

/** Keys that go after what a field holds come to the recorded end only if it holds the same. */
async function checkHeld(
  asking: Asking,
  { step, values, isNow = false }: TargetQuery,
  mark: number | undefined,
  ref: StepRef,
): Promise<Result<void>> {
  const wanted = step.wait?.holds === undefined ? undefined : fillText(step.wait.holds, values);
  if (wanted === undefined || mark === undefined) return succeed(undefined);
  const look = async () => {
    const value = await asking.readValue(mark);
    return { isThere: value.ok && plainText(value.value) === plainText(wanted), value };
  };
  const { isThere, value: found } = await asking.lookUntil(ref.app, look, isNow ? 0 : undefined);
  if (isThere) return succeed(undefined);
  if (!found.ok) return found;
  const message = `${describeRef(fillRef(ref, values))} holds ${quoteText(found.value)}, not ${quoteText(wanted)} as when this was recorded: what is typed would come after it`;
  return fail(makeFailure("FAILED", message, "make it hold that, or record setting its whole value"));
}

/** The window is named where it is another than the recorded one. */
function listNearest({ nearest = [] }: Located, { window: recorded = "" }: StepRef): readonly string[] {
  const describe = ({ role, name, window }: NonNullable<Located["nearest"]>[number]): string =>
    `${role} ${name}${isSimilarTitle(window, recorded) ? "" : ` in ${window}`}`;
  return [...new Set(nearest.slice(0, 5).map(describe))];
}

/** An application that has not started yet. */
function mayPass({ code }: Failure): boolean {
  return code === "NOT_FOUND" || code === "TIMEOUT" || code === "AMBIGUOUS";
}

/** The window that an earlier step of this run opened for this one. Another may have the same title but for a number. */
function findOpened({ step, values, opened }: TargetQuery): SeenWindow | undefined {
  const { opened_by: opener, window } = step.wait ?? {};
  if (opener === undefined || window === undefined) return undefined;
  const fit = opened.get(opener)?.filter(({ title }) => isSimilarTitle(title, fillText(window, values)));
  return fit?.length === 1 ? fit[0] : undefined;
}

/** A control of a window that a step opens must be in such a window: the one behind it may have its double. */
function isRight(found: Located, query: TargetQuery): boolean {
  const { step, values } = query;
  if (found.verdict !== "match" || found.id === undefined) return false;
  const { opened_by: opener, window } = step.wait ?? {};
  // Looked for in that window alone.
  if (findOpened(query) !== undefined) return true;
  if (opener === undefined || window === undefined || found.window === undefined) return true;
  return isSimilarTitle(fillText(window, values), found.window);
}

/** A window of the recorded application with the recorded title, or its only window. */
async function findWindow(asking: Asking, query: TargetQuery): Promise<Result<Aimed>> {
  const { step, values, isNow } = query;
  const opened = findOpened(query);
  if (opened !== undefined) return succeed({ aim: { windowId: opened.id }, notes: [] });
  const title = step.window === undefined ? undefined : fillText(step.window, values);
  const look = async () => {
    const listed = await asking.listWindows(step.app);
    if (!listed.ok) return { isThere: true, value: listed };
    const all = listed.value;
    const ranks = [
      all.filter((one) => one.title === (title ?? one.title)),
      all.filter((one) => isSimilarTitle(one.title, title ?? one.title)),
      all.filter((one) => isRelatedTitle(one.title, title ?? one.title)),
    ];
    const fit = ranks.find((some) => some.length > 0) ?? [];
    return { isThere: fit.length === 1, value: succeed({ fit, all: listed.value }) };
  };
  const { value } = await asking.lookUntil(step.app, look, isNow === true ? 0 : undefined);
  if (!value.ok) return value;
  const { fit, all } = value.value;
  const [only] = fit;
  if (only !== undefined && fit.length === 1) return succeed({ aim: { windowId: only.id }, notes: [] });
  const sought = `a window${title === undefined ? "" : ` ${quoteText(title)}`} of ${quoteName(step.app ?? "any application")}`;
  const nearest = all.map((one) => one.title).slice(0, 8);
  const message = fit.length === 0 ? `${sought} is not there` : `${fit.length} windows fit ${sought}`;
  return fail(makeFailure(fit.length === 0 ? "NOT_FOUND" : "AMBIGUOUS", message, undefined, { nearest }));
}

/** A place on the screen, only if it is in a window of the recorded application and title. */
async function findPoint(asking: Asking, query: TargetQuery, point: readonly [number, number]): Promise<Result<Aimed>> {
  const { step, values, allowsCoordinates, isNow, comparesPictures = true } = query;
  const where = `the point ${point.join(",")}`;
  if (!allowsCoordinates) return fail(describeCoordinates(where));
  const title = step.window === undefined ? undefined : fillText(step.window, values);
  const look = async () => {
    const { app, found, isWindow } = await findFront(asking, step, title, point);
    const unlike = isWindow ? await refuseUnlike(asking, query, point) : undefined;
    const isOver = isWindow && unlike?.code !== "NOT_FOUND";
    return { isThere: isOver, value: { app, found, isWindow, unlike } };
  };
  const { value } = await asking.lookUntil(step.app, look, isNow === true ? 0 : undefined);
  const wanted = `${quoteName(step.app ?? "an application")} ${quoteText(title ?? "")}`;
  if (value.unlike !== undefined) return fail(value.unlike);
  if (!value.isWindow) {
    const message = `${where} is not in ${wanted}: there is ${quoteName(value.app || "nothing")} ${quoteText(value.found)}`;
    return fail(makeFailure("NOT_FOUND", message));
  }
  const aim =
    step.tool === "drag" ? { fromAt: point.join(","), toAt: step.to_point?.join(",") } : { at: point.join(",") };
  return succeed({
    aim,
    notes: [
      comparesPictures
        ? "by coordinates: it looks as it did when it was recorded"
        : "by coordinates: only its window was checked",
    ],
  });
}

/** The window in front at a point, and whether it is the recorded one. */
export async function findFront(
  asking: Asking,
  step: Step,
  title: string | undefined,
  point: readonly [number, number],
): Promise<{ readonly app: string; readonly found: string; readonly isWindow: boolean }> {
  const listed = await asking.listWindows(undefined);
  const front = listed.ok ? listed.value.find((one) => isInside(point, one)) : undefined;
  const { app = "", title: found = "" } = front ?? {};
  return {
    app,
    found,
    isWindow: front !== undefined && isSameApp(step.app, app) && isSimilarTitle(found, title ?? found),
  };
}

/** Why a point is not pressed: the screen around it looks otherwise than recorded, or nobody knows what it looked like. */
async function refuseUnlike(
  asking: Asking,
  { step, comparesPictures = true, pictures }: TargetQuery,
  point: readonly [number, number],
): Promise<Failure | undefined> {
  if (!comparesPictures) return undefined;
  const same = await looksTheSame(asking, step, point, pictures);
  if (!same.ok) return same.failure;
  if (same.value) return undefined;
  const message = `what is at the point ${point.join(",")} does not look as it did when it was recorded`;
  return makeFailure("NOT_FOUND", message, "bring the window into the recorded state;");
}

function isInside([x, y]: readonly [number, number], { bounds, state = [] }: SeenWindow): boolean {
  if (bounds === undefined || state.includes("minimised")) return false;
  const [left, top, width, height] = bounds;
  return x >= left && x < left + width && y >= top && y < top + height;
}

function describeCoordinates(what: string): Failure {
  const message = `${what} is known by its coordinates only`;
  return makeFailure("UNAVAILABLE", message, "record it again, or add --allow-coordinates");
}

function describeNowhere(message: string): Failure {
  return makeFailure("USAGE", message, "record it again.");
}
