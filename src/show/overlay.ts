import * as z from "zod/mini";
import { type Bounds, screenSpace } from "../model/bounds.ts";
import type { Frame } from "../model/frame.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import type { StoredRef } from "../model/ref.ts";
import { shortRole } from "../model/role.ts";
import type { MarkedElement } from "../model/view.ts";
import type { Window } from "../model/window.ts";
import { joinRows } from "./csv.ts";
import { elementFields, withoutChildren } from "./element.ts";
import { frameForms, frameOutput } from "./frame.ts";
import { type LocatedAt, locatedFields, locatedForms } from "./located.ts";
import { bounds, type DataOf, type Forms, space } from "./output.ts";

export type OverlayValue = OverlayStatus | PickedControl | PickedRegion;

export interface ShownAnnotation {
  readonly id: number;
  readonly kind: string;
  readonly marks: readonly number[];
  readonly label: string;
  readonly client: string;
  readonly isShown: boolean;
  readonly untilMs: number;
}

interface OverlayStatus {
  readonly of: "status";
  readonly isOn: boolean;
  readonly client: string | undefined;
  readonly markCount: number;
  readonly leftOut: number;
  readonly hotkey: string | undefined;
  readonly isPicking: boolean;
  readonly trouble: string | undefined;
  readonly annotations: readonly ShownAnnotation[];
  readonly picked: { readonly mark: number; readonly atMs: number } | undefined;
}

interface PickedControl extends LocatedAt {
  readonly of: "pick";
  readonly ref: StoredRef | undefined;
  readonly atMs: number;
}

interface PickedRegion {
  readonly of: "region";
  readonly region: Bounds;
  readonly found: readonly { readonly window: Window; readonly element: MarkedElement }[];
  readonly frame: Frame | undefined;
}

const statusOutput = () =>
  z.strictObject({
    on: z.boolean(),
    client: z.optional(z.string()),
    marks: z.number(),
    leftOut: z.optional(z.number()),
    hotkey: z.optional(z.string()),
    picking: z.optional(z.literal(true)),
    trouble: z.optional(z.string()),
    annotations: z.array(
      z.strictObject({
        annotation: z.number(),
        kind: z.string(),
        ids: z.array(z.number()),
        client: z.string(),
        shown: z.boolean(),
        untilMs: z.number(),
      }),
    ),
    picked: z.optional(z.strictObject({ id: z.number(), atMs: z.number() })),
  });

const pickedOutput = () =>
  z.strictObject({
    ...locatedFields(),
    mark: z.number(),
    ref: z.optional(z.record(z.string(), z.unknown())),
    pickedAtMs: z.number(),
  });

const regionOutput = () =>
  z.strictObject({
    region: z.extend(bounds(), { space: space() }),
    marks: z.array(z.strictObject({ ...elementFields(), app: z.string(), window: z.number() })),
    frame: z.optional(frameOutput()),
  });

export const overlayOutput = () => z.union([statusOutput(), pickedOutput(), regionOutput()]);

export const overlayForms: Forms<OverlayValue, DataOf<typeof overlayOutput>> = {
  data(value) {
    if (value.of === "status") return statusToData(value);
    return value.of === "pick" ? pickedToData(value) : regionToData(value);
  },
  text(value) {
    if (value.of === "status") return showStatus(value);
    return value.of === "pick" ? showPicked(value) : showRegion(value);
  },
  csv(value) {
    if (value.of === "pick") return locatedForms.csv(value);
    if (value.of === "region") return regionToCsv(value);
    const { isOn, markCount, leftOut, annotations } = value;
    return joinRows("on,marks,leftOut,annotations", [[isOn, markCount, leftOut, annotations.length].map(String)]);
  },
};

function statusToData(value: OverlayStatus): DataOf<typeof statusOutput> {
  const { isOn, client, markCount, leftOut, hotkey, isPicking, trouble, annotations, picked } = value;
  return {
    on: isOn,
    client,
    marks: markCount,
    leftOut: leftOut || undefined,
    hotkey,
    picking: isPicking || undefined,
    trouble,
    annotations: annotations.map(({ id, kind, marks, client: by, isShown, untilMs }) => {
      return { annotation: id, kind, ids: marks, client: by, shown: isShown, untilMs };
    }),
    picked: picked && { id: picked.mark, atMs: picked.atMs },
  };
}

function showStatus(value: OverlayStatus): string {
  const { isOn, markCount, leftOut, hotkey, isPicking, trouble, annotations, picked } = value;
  const more = leftOut === 0 ? "" : `, ${leftOut} more are left out`;
  return [
    isOn ? `on: ${markCount} marks${more}` : "off",
    ...(hotkey === undefined ? [] : [`${hotkey} picks`]),
    ...(isPicking ? ["a person is picking"] : []),
    ...(trouble === undefined ? [] : [`! ${trouble}`]),
    ...annotations.map(showAnnotation),
    ...(picked === undefined ? [] : [`picked ${picked.mark}`]),
  ].join("\n");
}

function showAnnotation({ id, kind, marks, label, isShown }: ShownAnnotation): string {
  const words = label === "" ? "" : ` ${quoteText(label)}`;
  return `annotation ${id}: ${kind} ${marks.join(" to ")}${words}${isShown ? "" : " (not in sight)"}`;
}

/** The answer of `at`, with the ref. */
function pickedToData(value: PickedControl): DataOf<typeof pickedOutput> {
  const { ref, element, atMs } = value;
  return { ...locatedForms.data(value), mark: element.mark, ref: ref && { ...ref }, pickedAtMs: atMs };
}

/** Without unnamed containers, and with the command to click it. */
function showPicked(value: PickedControl): string {
  const ancestors = value.ancestors.filter(({ name }) => name !== "");
  return `${locatedForms.text({ ...value, ancestors })}\ndeskmap click --id ${value.element.mark}`;
}

function regionToData({ region: { x, y, width, height }, found, frame }: PickedRegion): DataOf<typeof regionOutput> {
  return {
    region: { x, y, width, height, space: screenSpace },
    marks: found.map(({ window, element }) => ({
      ...withoutChildren(element, { withPoints: true }),
      app: window.app,
      window: window.id,
    })),
    frame: frame && frameForms.data({ frame }),
  };
}

function showRegion({ region: { x, y, width, height }, found }: PickedRegion): string {
  const lines = found.map(({ window, element }) => {
    const name = element.name === "" ? "" : ` ${quoteText(element.name)}`;
    return `${element.mark} ${shortRole(element.role)}${name} in ${quoteName(window.app)}`;
  });
  return [`${width}x${height} at ${x},${y}`, ...lines].join("\n");
}

function regionToCsv({ found }: PickedRegion): string {
  const rows = found.map(({ window, element: { mark, role, name, bounds: place } }) => [
    String(mark),
    role,
    name,
    window.app,
    ...[place?.x, place?.y, place?.width, place?.height].map((one) => String(one ?? "")),
  ]);
  return joinRows("id,role,name,app,x,y,width,height", rows);
}

/** What `annotate` has drawn, or how many annotations it has removed. */
export type AnnotateValue = ShownAnnotation | { readonly cleared: number };

export const annotateOutput = () =>
  z.union([
    z.strictObject({ annotation: z.number(), shown: z.boolean(), untilMs: z.number() }),
    z.strictObject({ cleared: z.number() }),
  ]);

export const annotateForms: Forms<AnnotateValue, DataOf<typeof annotateOutput>> = {
  data(value) {
    if ("cleared" in value) return { cleared: value.cleared };
    return { annotation: value.id, shown: value.isShown, untilMs: value.untilMs };
  },
  text: (value) => ("cleared" in value ? `${value.cleared} cleared` : showAnnotation(value)),
  csv(value) {
    if ("cleared" in value) return joinRows("cleared", [[String(value.cleared)]]);
    return joinRows("annotation,shown", [[String(value.id), String(value.isShown)]]);
  },
};
