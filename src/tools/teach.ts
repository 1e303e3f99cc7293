import * as z from "zod/mini";
import { type Lesson, teach as teachDesktop } from "../desktop/teach.ts";
import { farthest } from "../model/coordinates.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import { type TaughtControl, taughtForms, taughtOutput } from "../show/element-acts.ts";
import { defineTool } from "./define.ts";
import { requiredNumber, requiredWords, wholeNumber } from "./fields.ts";
import { chooseAim, pointing } from "./pointing.ts";
import { windowQueryOf, windowSelection } from "./selection.ts";
import type { Session } from "./session.ts";

export const teach = defineTool({
  name: "teach",
  summary: "Teach a control a name of your own: by its mark, by words, or by pointing at it.",
  description:
    "From then on find, click and every other command know the control by that name, too, wherever it moves and after every " +
    "restart: the name belongs to the control at the point, not to the place. If the application exposes no control " +
    "there, the place in its window is remembered with its appearance, and is pressed only while it looks the same. " +
    "map forget removes the name.",
  examples: [
    'deskmap teach "Save button" 640 400',
    'deskmap teach --id 12 "Send to Anna"',
    'deskmap teach "keep my work" --on save --app mousepad',
  ],
  words: ["name", "x", "y"],
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: true },
  input: z.object({
    name: requiredWords("what to call it"),
    ...pointing,
    x: wholeNumber(-farthest, "with y: what is at this point of the screen; the same as --at X,Y", farthest),
    y: wholeNumber(-farthest, "pixels from the top", farthest),
    ...windowSelection,
  }),
  output: taughtOutput,
  forms: taughtForms,
  async run(input, session) {
    const aim = chooseAim(input);
    if (!aim.ok) return aim;
    if (aim.value === undefined) {
      const suggestion = 'deskmap teach "Save button" 640 400; or --id N, or --on WORDS';
      return fail(describeUsage("no control is named", suggestion));
    }
    const { timeoutMs } = session;
    return learn(session, { name: input.name, of: aim.value, ...windowQueryOf(input), timeoutMs });
  },
});

export const teachElement = defineTool({
  name: "teach_element",
  summary: "Teach what a control at a point of the screen is called.",
  description: "Works like teach, with the answer in the format of the learner's tools.",
  examples: ['deskmap teach_element --label "Submit button" --x 640 --y 400'],
  daily: { says: "Name the control at a point of the screen.", fields: { label: "", x: "", y: "" } },
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: true },
  input: z.object({
    label: requiredWords('what it is, such as "Submit button"'),
    x: requiredNumber(-farthest, farthest, "pixels from the left"),
    y: requiredNumber(-farthest, farthest, "pixels from the top"),
  }),
  output: taughtOutput,
  forms: taughtForms,
  run: ({ label, x, y }, session) =>
    learn(session, { name: label, of: { by: "point", point: { x, y } }, timeoutMs: session.timeoutMs }),
});

async function learn(session: Session, lesson: Lesson): Promise<Result<TaughtControl>> {
  const desktop = await session.openDesktop();
  if (!desktop.ok) return desktop;
  const taught = await teachDesktop(desktop.value, lesson);
  if (!taught.ok) return taught;
  return succeed({ ...taught.value, point: lesson.of.by === "point" ? lesson.of.point : undefined });
}
