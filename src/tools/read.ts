import * as z from "zod/mini";
import { read as readDesktop } from "../desktop/index.ts";
import type { Since } from "../live/since.ts";
import { succeed } from "../model/failure.ts";
import { type ReadValue, readForms, readOutput, type ViewOptions } from "../show/view.ts";
import { defineTool } from "./define.ts";
import { flag, text } from "./fields.ts";
import { parseReadQuery, readSelection } from "./selection.ts";

export const read = defineTool({
  name: "read",
  summary: "Read windows as text: every control with its mark.",
  description:
    "A mark is a number that means the same control in every later read, even after the application restarts, and " +
    "never another one. Without a selection every window is read. Elements that are not on the screen are left out unless --all is " +
    "given. A window that could be read only in part says so in a line that starts with an exclamation mark (JSON: partial, notes). " +
    "With --token the answer ends with a token; --since with it, and the same selection, gives only what changed since, and the " +
    "next token; or everything, with the reason why it cannot be compared.",
  examples: [
    "deskmap read --app mousepad",
    "deskmap read --interactive --points",
    'deskmap read --window "Save As" --roles button,input --format json',
    "deskmap read --app firefox --bbox 0,0,800,400 --max 50",
    "deskmap read --app mousepad --since 1x2y3z4.5",
  ],
  daily: {
    says:
      "Read windows as text: every control with its mark, a number that always means that control. Without a selection " +
      "all windows.",
    fields: {
      app: "",
      window: "part of its title",
      windowId: "",
      interactive: "only what can be acted on",
      roles: "button,input,…",
      all: "hidden parts too",
      points: "with click points",
      max: "",
      token: "answer with a token",
      since: "a token: only what changed",
    },
  },
  input: z.object({
    ...readSelection,
    compact: flag("a flat list of marks, roles, names, values and states"),
    points: flag("with the point to press, in physical pixels"),
    aria: flag("with what pages say by ARIA: roles, landmarks, what a control controls"),
    token: flag("with a token to give to --since later (needs the daemon)"),
    since: text("only what changed since the read that gave this token"),
  }),
  isReport: true,
  output: readOutput,
  forms: readForms,
  goesOn: "asked",
  async run(input, session) {
    const parsed = parseReadQuery(input, session.timeoutMs);
    if (!parsed.ok) return parsed;
    const query = { ...parsed.value, isSemantic: input.aria };
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    const view = await readDesktop(desktop.value, query);
    const form = { isCompact: input.compact ?? false, withPoints: input.points ?? false, withAria: input.aria };
    if (input.since === undefined && input.token !== true) {
      return view.ok ? succeed({ view: view.value, ...form }) : view;
    }
    const { readSince } = await import("../live/since.ts");
    const selection = { ...query, withPlaces: form.withPoints };
    const told = readSince(session, selection, view, input.since);
    return told.ok ? succeed(chooseValue(told.value, form)) : told;
  },
});

function chooseValue({ reason, lines, token, view }: Since, form: ViewOptions): ReadValue {
  if (reason !== undefined) return { view, ...form, start: { reason, token } };
  const names = view.windows.map(({ window: { id, app, title } }) => ({ window: id, app, title }));
  return { lines, token, atMs: view.takenAtMs, names };
}
