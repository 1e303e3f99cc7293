import * as z from "zod/mini";
import { locate } from "../desktop/index.ts";
import { arrowEnds, strokes } from "../model/drawing.ts";
import { describeUsage, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { Located } from "../model/view.ts";
import {
  type Annotation,
  annotationKinds,
  defaultAnnotationMs,
  longestAnnotationMs,
  marksOf,
  parseColour,
  parseLabel,
  parsePath,
  parseSize,
} from "../overlay/annotation.ts";
import { routes } from "../overlay/connect.ts";
import type { OverlayAccess } from "../overlay/controller.ts";
import { type AnnotateValue, annotateForms, annotateOutput } from "../show/overlay.ts";
import { defineTool } from "./define.ts";
import { parseFor } from "./duration.ts";
import { flag, oneOf, requiredOneOf, text, wholeNumber } from "./fields.ts";
import { describeAnnotation, openOverlay } from "./overlay-answers.ts";
import type { Session } from "./session.ts";

const verbs = [...annotationKinds, "clear"] as const;
type Verb = (typeof verbs)[number];

const input = z.object({
  what: requiredOneOf(verbs, "highlight, label, connect, shape; or clear"),
  id: wholeNumber(1, "the control with this mark"),
  to: wholeNumber(1, "of connect: the other control"),
  label: text("a few words beside it"),
  colour: text("as #rrggbb"),
  stroke: oneOf(strokes, "the line: thin, thick or dashed (thick)"),
  arrow: oneOf(arrowEnds, "of connect: where it has an arrow head (end)"),
  route: oneOf(routes, "of connect: straight, or in right angles (direct)"),
  path: text('of shape: its outline as SVG writes it, such as "M0 0 L100 100"'),
  size: text("of shape: the box that the outline is drawn in, stretched over the control (100x100)"),
  filled: flag("of shape: filled"),
  for: text("end after this time, such as 5s or 10m (1h, at most 24h)"),
  whileConnected: flag("end when the client that asks for it has gone"),
  annotation: wholeNumber(1, "of clear: only this one"),
  everybody: flag("of clear: those of other clients, too"),
});
type Input = z.infer<typeof input>;

const common = ["id", "colour", "stroke", "for", "whileConnected"] as const;
const taken: Readonly<Record<Verb, readonly (keyof Input)[]>> = {
  highlight: [...common, "label"],
  label: ["id", "label", "colour", "for", "whileConnected"],
  connect: [...common, "label", "to", "arrow", "route"],
  shape: [...common, "path", "size", "filled"],
  clear: ["annotation", "everybody"],
};

export const annotate = defineTool({
  name: "annotate",
  summary: "Draw something at a control for the person to see: a frame, a label, a line to another, a shape.",
  description:
    "The drawing follows the control: it moves and stretches with it, hides while the control is covered, hidden or gone, " +
    "and returns with it. Labels are shown with the name of the client. Each answer has the number by which clear " +
    "removes it; else it ends with --for, with the client (--while-connected), with its application or with " +
    "deskmap overlay off. Nothing is drawn at applications that may only be read, nor while a question waits for a person. Marks need not be on. Nothing reaches the application, and no picture " +
    "that Deskmap takes shows it.",
  examples: [
    'deskmap annotate highlight --id 12 --label "Press this" --for 10s',
    'deskmap annotate label --id 12 --label "1" --colour "#1864ab"',
    'deskmap annotate connect --id 12 --to 15 --arrow end --route orthogonal --label "then"',
    'deskmap annotate shape --id 12 --path "M0 0 L100 100 M100 0 L0 100" --size 100x100',
    "deskmap annotate clear --annotation 3",
  ],
  words: ["what"],
  hints: { isReadOnly: false, isDestructive: false },
  isLasting: true,
  input,
  output: annotateOutput,
  forms: annotateForms,
  async run(given, session) {
    const access = openOverlay("annotate", given, taken, session);
    if (!access.ok) return access;
    return given.what === "clear" ? clear(given, session, access.value) : draw(given, session, access.value);
  },
});

async function draw(given: Input, session: Session, access: OverlayAccess): Promise<Result<AnnotateValue>> {
  const annotation = parseAnnotation(given);
  if (!annotation.ok) return annotation;
  const forMs = parseFor(given.for, defaultAnnotationMs, longestAnnotationMs);
  if (!forMs.ok) return forMs;
  const veto = access.rights.findVeto();
  if (veto !== undefined) return fail(veto);
  const found = await findControls(session, access, annotation.value);
  if (!found.ok) return found;
  const words = `draws ${annotation.value.kind} at ${marksOf(found.value.annotation).join(" and ")}`;
  const written = session.recordLasting("annotate", found.value.apps, words);
  if (!written.ok) return written;
  const gone = given.whileConnected === true ? access.gone : undefined;
  const query = { annotation: found.value.annotation, client: session.clientName, forMs: forMs.value, gone };
  const kept = await access.controller.annotate(query, access.openSession);
  return kept.ok ? succeed(describeAnnotation(kept.value)) : kept;
}

async function clear(
  { annotation, everybody = false }: Input,
  session: Session,
  { controller }: OverlayAccess,
): Promise<Result<AnnotateValue>> {
  const isNamed = ({ id }: { readonly id: number }): boolean => annotation === undefined || id === annotation;
  const count = await controller.clear((one) => isNamed(one) && (everybody || one.client === session.clientName));
  if (annotation !== undefined && count === 0) {
    const others = controller.status.annotations.find(isNamed);
    const message =
      others === undefined
        ? `there is no annotation ${annotation}`
        : `annotation ${annotation} is another client's: ${JSON.stringify(others.client)}`;
    const all = `deskmap annotate clear --annotation ${annotation} --everybody`;
    return fail(makeFailure("NOT_FOUND", message, others === undefined ? "deskmap overlay status lists them." : all));
  }
  const which = annotation ?? (everybody ? "everybody's" : "its own");
  const written = session.recordLasting("annotate", [], `clears ${which}`);
  return written.ok ? succeed({ cleared: count }) : written;
}

/** Finds the controls as for an action: a mark that nobody could act on is not shown to a person. */
async function findControls(
  session: Session,
  { rights }: OverlayAccess,
  annotation: Annotation,
): Promise<Result<{ readonly annotation: Annotation; readonly apps: readonly string[] }>> {
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  const find = async (mark: number): Promise<Result<Located>> => {
    const found = await locate(desktop.value, mark, session);
    if (!found.ok) return found;
    const forbidden = await rights.forbidAnchor(found.value.window, found.value.element.role);
    return forbidden === undefined ? found : fail(forbidden);
  };
  const first = await find(annotation.mark);
  if (!first.ok) return first;
  const own = { ...annotation, mark: first.value.element.mark };
  if (own.kind !== "connect") return succeed({ annotation: own, apps: [first.value.window.app] });
  const other = await find(own.to);
  if (!other.ok) return other;
  const apps = [...new Set([first.value.window.app, other.value.window.app])];
  return succeed({ annotation: { ...own, to: other.value.element.mark }, apps });
}

function parseAnnotation(given: Input): Result<Annotation> {
  const { what, id: mark, to, arrow = "end", route = "direct", stroke = "thick", filled = false } = given;
  if (mark === undefined) return fail(describeUsage("no control is named", "--id N, as read shows it."));
  const colour = parseColour(given.colour);
  if (!colour.ok) return colour;
  const label = parseLabel(given.label);
  if (!label.ok) return label;
  const style = { mark, colour: colour.value, stroke };
  switch (what) {
    case "highlight":
      return succeed({ ...style, kind: what, label: label.value });
    case "label":
      if (label.value === "") return fail(describeUsage("a label needs its words", '--label "Press this"'));
      return succeed({ ...style, kind: what, label: label.value });
    case "connect":
      if (to === undefined) return fail(describeUsage("connect needs another control", "--to N, as read shows it."));
      if (to === mark) return fail(describeUsage("a control cannot be connected with itself", "another one: --to N"));
      return succeed({ ...style, kind: what, to, label: label.value, arrows: arrow, route });
    case "shape": {
      const size = parseSize(given.size);
      if (!size.ok) return size;
      const path = parsePath(given.path, size.value);
      if (!path.ok) return path;
      return succeed({ ...style, kind: what, path: path.value, size: size.value, isFilled: filled });
    }
    case "clear":
      return fail(describeUsage("clear draws nothing", "deskmap annotate clear"));
  }
}
