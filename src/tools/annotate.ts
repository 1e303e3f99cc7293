import * as z from "zod/mini";
import { locate } from "../desktop/index.ts";
import type { WindowQuery } from "../find/select.ts";
import { arrowEnds, strokes } from "../model/drawing.ts";
import { describeUsage, fail, makeFailure, type Result, succeed } from "../model/failure.ts";
import type { Aim } from "../model/order.ts";
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
import { chooseAim, chooseEnd, pointing } from "./pointing.ts";
import { windowQueryOf, windowSelection } from "./selection.ts";
import type { Session } from "./session.ts";

const verbs = [...annotationKinds, "clear"] as const;
type Verb = (typeof verbs)[number];

const input = z.object({
  what: requiredOneOf(verbs, "what to draw; clear removes it"),
  words: text("the control by words, as find takes them; words that fit several are refused"),
  ...pointing,
  to: wholeNumber(1, "the same as --to-id"),
  toId: wholeNumber(1, "of connect: the other control, by its mark"),
  toOn: text("of connect: the other control, by words"),
  toAt: text("of connect: X,Y on the screen"),
  toRole: pointing.role,
  toWithin: pointing.within,
  toNth: pointing.nth,
  ...windowSelection,
  label: text("a few words beside it"),
  colour: text("as #rrggbb"),
  stroke: oneOf(strokes, "the line (thick)"),
  arrow: oneOf(arrowEnds, "of connect: where it has an arrow head (end)"),
  route: oneOf(routes, "of connect: straight, in right angles, or straight where that strikes through nothing (clear)"),
  path: text('of shape: its outline as SVG writes it, such as "M0 0 L100 100"'),
  size: text("of shape: the box of its outline, stretched over the control (100x100)"),
  filled: flag("of shape: filled"),
  for: text("until it ends, such as 5s or 10m (1h, at most 24h)"),
  whileConnected: flag("end when the client that asks for it has gone"),
  annotation: wholeNumber(1, "of clear: only this one"),
  everybody: flag("of clear: those of other clients, too"),
});
type Input = z.infer<typeof input>;

const named = ["words", ...Object.keys({ ...pointing, ...windowSelection })];
const others = ["to", "toId", "toOn", "toAt", "toRole", "toWithin", "toNth"];
const common = [...named, "colour", "stroke", "for", "whileConnected"];
const taken: Readonly<Record<Verb, readonly string[]>> = {
  highlight: [...common, "label"],
  label: [...named, "label", "colour", "for", "whileConnected"],
  connect: [...common, ...others, "label", "arrow", "route"],
  shape: [...common, "path", "size", "filled"],
  clear: ["annotation", "everybody"],
};

export const annotate = defineTool({
  name: "annotate",
  summary: "Draw at a control for the person to see: a frame, a label, a line to another, a shape.",
  description:
    "The drawing moves and stretches with the control, hides while that is covered, hidden or gone, and returns with it. " +
    "Labels are shown with the name of the client. The answer has its number, for clear; else it ends with --for, the " +
    "client (--while-connected), its application or deskmap overlay off. Nothing is drawn at applications that may only " +
    "be read, nor while a question waits for a person. Nothing reaches the application, and no picture by Deskmap shows it.",
  examples: [
    'deskmap annotate highlight --id 12 --label "Press this" --for 10s',
    'deskmap annotate label --id 12 --label "1" --colour "#1864ab"',
    "deskmap annotate highlight save --app mousepad",
    'deskmap annotate connect --id 12 --to-id 15 --arrow end --route orthogonal --label "then"',
    'deskmap annotate shape --id 12 --path "M0 0 L100 100 M100 0 L0 100" --size 100x100',
    "deskmap annotate clear --annotation 3",
  ],
  words: ["what", "words"],
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
  const aims = chooseAims(given);
  if (!aims.ok) return aims;
  const makeAnnotation = parseAnnotation(given);
  if (!makeAnnotation.ok) return makeAnnotation;
  const forMs = parseFor(given.for, defaultAnnotationMs, longestAnnotationMs);
  if (!forMs.ok) return forMs;
  const veto = access.rights.findVeto();
  if (veto !== undefined) return fail(veto);
  const found = await findControls(session, access, aims.value, windowQueryOf(given));
  if (!found.ok) return found;
  const [mark = 0, to = 0] = found.value.marks;
  if (mark === to) return fail(describeUsage("a control cannot be connected with itself", "another one: --to-id N"));
  const annotation = makeAnnotation.value(mark, to);
  const words = `draws ${annotation.kind} at ${marksOf(annotation).join(" and ")}`;
  const written = session.recordLasting("annotate", found.value.apps, words);
  if (!written.ok) return written;
  const gone = given.whileConnected === true ? access.gone : undefined;
  const query = { annotation, client: session.clientName, forMs: forMs.value, gone };
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

/** One aim; two for a connector. */
function chooseAims(given: Input): Result<readonly Aim[]> {
  const first = chooseAim(given, given.words);
  if (!first.ok) return first;
  if (first.value === undefined) {
    return fail(describeUsage("no control is named", "--id N as read shows it, WORDS or --at X,Y"));
  }
  if (given.what !== "connect") return succeed([first.value]);
  const { toId = given.to, toOn, toAt, toRole, toWithin, toNth } = given;
  const second = chooseEnd("to", { id: toId, on: toOn, at: toAt, role: toRole, within: toWithin, nth: toNth });
  if (!second.ok) return second;
  if (second.value === undefined) {
    return fail(describeUsage("connect needs another control", "--to-id N, --to-on WORDS or --to-at X,Y"));
  }
  return succeed([first.value, second.value]);
}

/** Finds the controls as for an action: a mark that nobody could act on is not shown to a person. */
async function findControls(
  session: Session,
  { rights }: OverlayAccess,
  aims: readonly Aim[],
  query: WindowQuery,
): Promise<Result<{ readonly marks: readonly number[]; readonly apps: readonly string[] }>> {
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  const [marks, apps]: [number[], Set<string>] = [[], new Set()];
  for (const aim of aims) {
    const found = await locate(desktop.value, aim, { ...query, timeoutMs: session.timeoutMs });
    if (!found.ok) return found;
    const { window, element } = found.value;
    const forbidden = await rights.forbidAnchor(window, element.role);
    if (forbidden !== undefined) return fail(forbidden);
    marks.push(element.mark);
    apps.add(window.app);
  }
  return succeed({ marks, apps: [...apps] });
}

type MakeAnnotation = (mark: number, to: number) => Annotation;

function parseAnnotation(given: Input): Result<MakeAnnotation> {
  const { what, arrow = "end", route = "clear", stroke = "thick", filled = false } = given;
  const colour = parseColour(given.colour);
  if (!colour.ok) return colour;
  const label = parseLabel(given.label);
  if (!label.ok) return label;
  const style = { colour: colour.value, stroke };
  switch (what) {
    case "highlight":
      return succeed((mark) => ({ ...style, mark, kind: what, label: label.value }));
    case "label":
      if (label.value === "") return fail(describeUsage("a label needs its words", '--label "Press this"'));
      return succeed((mark) => ({ ...style, mark, kind: what, label: label.value }));
    case "connect":
      return succeed((mark, to) => ({ ...style, mark, kind: what, to, label: label.value, arrows: arrow, route }));
    case "shape": {
      const size = parseSize(given.size);
      if (!size.ok) return size;
      const path = parsePath(given.path, size.value);
      if (!path.ok) return path;
      return succeed((mark) => ({
        ...style,
        mark,
        kind: what,
        path: path.value,
        size: size.value,
        isFilled: filled,
      }));
    }
    case "clear":
      return fail(describeUsage("clear draws nothing", "deskmap annotate clear"));
  }
}
