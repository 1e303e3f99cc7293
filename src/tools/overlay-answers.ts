import { capture } from "../capture.ts";
import { findAt, locate } from "../desktop.ts";
import type { Bounds } from "../model/bounds.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import type { Frame } from "../model/frame.ts";
import { quoteName, quoteText } from "../model/plain-text.ts";
import { shortRole } from "../model/role.ts";
import type { Located } from "../model/view.ts";
import { type Annotation, marksOf } from "../overlay/annotation.ts";
import type { OverlayController, OverlayStatus } from "../overlay/controller.ts";
import type { KeptPick } from "../overlay/pick-controller.ts";
import type { Picked } from "../overlay/picking.ts";
import { type InRegion, listInRegion } from "../overlay/region.ts";
import type { Session } from "../session.ts";
import { joinRows } from "../show/csv.ts";
import { frameToJson } from "../show/frame.ts";
import { elementToJson, stringify } from "../show/json.ts";
import { locatedToCsv, locatedToJson, showLocated } from "../show/located.ts";
import type { Shown } from "./define.ts";

/** As `at` answers, and how it is found again. */
export async function showPicked(session: Session, { located, point, atMs }: Picked): Promise<Result<Shown>> {
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  const ref = desktop.value.marks.findRef(located.element.mark);
  return succeed({
    text: () => showPickedLines(located),
    json: (isPretty) => {
      const known: Record<string, unknown> = JSON.parse(locatedToJson(located, point, false));
      return stringify({ ...known, mark: located.element.mark, ref, pickedAtMs: atMs }, isPretty);
    },
    csv: () => locatedToCsv(located),
  });
}

/** As it is now, and as far as this client may look. */
export async function lookUpPicked(session: Session, last: KeptPick): Promise<Result<Shown>> {
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  const { mark, windowId, point, atMs } = last;
  const located =
    mark === 0
      ? await findAt(desktop.value, point, session)
      : await locate(desktop.value, mark, { timeoutMs: session.timeoutMs, windowId });
  if (located.ok && located.value.window.id !== windowId) return fail(describeGone());
  return located.ok ? showPicked(session, { located: located.value, point, atMs }) : located;
}

function describeGone(): Failure {
  return {
    code: "NOT_FOUND",
    message: "what was picked is not there any more",
    suggestion: "deskmap overlay pick",
    done: nothingDone,
  };
}

/** Without containers that have no name, and with what a person does next. */
function showPickedLines(located: Located): string {
  const ancestors = located.ancestors.filter(({ name }) => name !== "");
  return `${showLocated({ ...located, ancestors })}\ndeskmap click --id ${located.element.mark}`;
}

export async function showRegion(
  session: Session,
  stage: OverlayController,
  region: Bounds,
  isFrameWanted: boolean,
): Promise<Result<Shown>> {
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  const around = await stage.look();
  if (!around.ok) return around;
  const found = await listInRegion(desktop.value, around.value, region, session.timeoutMs);
  if (!found.ok) return found;
  const wish = { format: "png", scale: 1, quality: 100 } as const;
  const frame = isFrameWanted
    ? await capture(desktop.value.platform, { scope: "region", region }, wish)
    : succeed(undefined);
  return frame.ok ? succeed(describeRegion(region, found.value, frame.value)) : frame;
}

function describeRegion(region: Bounds, found: readonly InRegion[], frame: Frame | undefined): Shown {
  const { x, y, width, height } = region;
  const lines = found.map(({ window, element }) => {
    const name = element.name === "" ? "" : ` ${quoteText(element.name)}`;
    return `${element.mark} ${shortRole(element.role)}${name} in ${quoteName(window.app)}`;
  });
  return {
    text: () => [`${width}x${height} at ${x},${y}`, ...lines].join("\n"),
    json: (isPretty) =>
      stringify(
        {
          region: { x, y, width, height, space: "screen-physical" },
          marks: found.map(({ window, element }) => ({
            ...elementToJson({ ...element, children: [] }, { withPoints: true }),
            app: window.app,
            window: window.id,
          })),
          ...(frame === undefined ? {} : { frame: JSON.parse(frameToJson(frame, undefined, false)) }),
        },
        isPretty,
      ),
    csv: () =>
      joinRows(
        "id,role,name,app,x,y,width,height",
        found.map(({ window, element: { mark, role, name, bounds } }) => [
          String(mark),
          role,
          name,
          window.app,
          ...[bounds?.x, bounds?.y, bounds?.width, bounds?.height].map((one) => String(one ?? "")),
        ]),
      ),
  };
}

export function describeStatus(status: OverlayStatus, picked: KeptPick | undefined): Shown {
  const { isOn, client, markCount, leftOut, notes, hotkey, isPicking, trouble } = status;
  const more = leftOut === 0 ? "" : `, ${leftOut} more are left out`;
  const lines = [
    isOn ? `on: ${markCount} marks${more}` : "off",
    ...(hotkey === undefined ? [] : [`${hotkey} picks`]),
    ...(isPicking ? ["a person is picking"] : []),
    ...(trouble === undefined ? [] : [`! ${trouble}`]),
    ...notes.map(({ id, annotation, isShown }) => {
      return `annotation ${id}: ${describeAnnotation(annotation)}${isShown ? "" : " (not in sight)"}`;
    }),
    ...(picked === undefined ? [] : [`picked ${picked.mark}`]),
  ];
  return {
    text: () => lines.join("\n"),
    json: (isPretty) =>
      stringify(
        {
          on: isOn,
          ...(client === undefined ? {} : { client }),
          marks: markCount,
          ...(leftOut === 0 ? {} : { leftOut }),
          ...(hotkey === undefined ? {} : { hotkey }),
          ...(isPicking ? { picking: true } : {}),
          ...(trouble === undefined ? {} : { trouble }),
          annotations: notes.map(({ id, annotation, isShown, client: by, untilMs }) => ({
            annotation: id,
            kind: annotation.kind,
            ids: marksOf(annotation),
            client: by,
            shown: isShown,
            untilMs,
          })),
          ...(picked === undefined ? {} : { picked: { id: picked.mark, atMs: picked.atMs } }),
        },
        isPretty,
      ),
    csv: () => joinRows("on,marks,leftOut,annotations", [[isOn, markCount, leftOut, notes.length].map(String)]),
  };
}

export function describeAnnotation(annotation: Annotation): string {
  const label = "label" in annotation && annotation.label !== "" ? ` ${quoteText(annotation.label)}` : "";
  return `${annotation.kind} ${marksOf(annotation).join(" to ")}${label}`;
}
