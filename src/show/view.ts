import * as z from "zod/mini";
import { screenSpace } from "../model/bounds.ts";
import type { StartReason } from "../model/change-line.ts";
import { flatten } from "../model/element.ts";
import type { View, WindowView } from "../model/view.ts";
import {
  type ChangesData,
  type ChangesValue,
  changesForms,
  changesOutput,
  startReason,
  startWords,
} from "./changes.ts";
import { viewToCsv } from "./csv.ts";
import { compactElement, elementOutput, elementToData } from "./element.ts";
import { type DataOf, type Forms, partly, space } from "./output.ts";
import { showView } from "./text.ts";

export interface ViewOptions {
  readonly withPoints: boolean;
  readonly withAria?: boolean | undefined;
  /** A flat list with only names, values and some states. */
  readonly isCompact: boolean;
}

/** Everything that was read, or the changes since an earlier read. */
export type ReadValue = ReadAll | ChangesValue;

interface ReadAll extends ViewOptions {
  readonly view: View;
  /** With --since and --token: why the answer is not a comparison, and the next token. */
  readonly start?: { readonly reason: StartReason; readonly token: string | undefined } | undefined;
}

/** One window is the answer itself; several, or none, are a list. */
const viewOutputs = () => {
  const head = { app: z.string(), pid: z.number(), window: z.string(), id: z.number() };
  const body = { ...partly(), elements: z.array(elementOutput()) };
  const since = { since: z.optional(startReason()) };
  const time = { ts: z.number(), space: z.optional(space()) };
  const token = { token: z.optional(z.string()) };
  return [
    z.strictObject({ ...since, ...head, ...time, ...body, ...token }),
    z.strictObject({ ...since, ...time, windows: z.array(z.strictObject({ ...head, ...body })), ...token }),
  ] as const;
};

const viewOutput = () => z.union(viewOutputs());

export const readOutput = () => z.union([...viewOutputs(), changesOutput()]);

export type ViewData = DataOf<typeof viewOutput>;

export const readForms: Forms<ReadValue, ViewData | ChangesData> = {
  data(value) {
    if ("lines" in value) return changesForms.data(value);
    const { view, start } = value;
    const whole = viewToData(view, value);
    if (start === undefined) return whole;
    return { since: start.reason, ...whole, ...(start.token === undefined ? {} : { token: start.token }) };
  },
  text(value) {
    if ("lines" in value) return changesForms.text(value);
    const { view, start, withPoints, isCompact } = value;
    const whole = showView(view, { withPoints, isFlat: isCompact });
    const head = start === undefined || start.reason === "first" ? [] : [`! ${startWords[start.reason]}`];
    return [...head, whole, ...(start?.token === undefined ? [] : [`token ${start.token}`])].join("\n");
  },
  csv: (value) => ("lines" in value ? changesForms.csv(value) : viewToCsv(value.view)),
};

function viewToData(view: View, options: ViewOptions): ViewData {
  const hasPlaces = !options.isCompact || options.withPoints;
  const ts = Math.floor(view.takenAtMs / 1000);
  const time: Pick<ViewData, "ts" | "space"> = hasPlaces ? { ts, space: screenSpace } : { ts };
  const windows = view.windows.map((window) => windowToData(window, options));
  const [only] = windows;
  if (windows.length === 1 && only) return { ...only.head, ...time, ...only.body };
  return { ...time, windows: windows.map(({ head, body }) => ({ ...head, ...body })) };
}

function windowToData({ window, notes, elements }: WindowView, options: ViewOptions) {
  const list = options.isCompact
    ? flatten(elements).map((element) => compactElement(element, options))
    : elements.map((element) => elementToData(element, options));
  return {
    head: { app: window.app, pid: window.pid, window: window.title, id: window.id },
    body: { ...(notes.length === 0 ? {} : { partial: true as const, notes }), elements: list },
  };
}
