import { succeed } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { FakeApplication } from "../../src/platform/fake/windows.ts";
import { describeHands } from "./describe-hands.ts";
import { describePlatform } from "./describe-platform.ts";
import type { Actor, Stage } from "./stage.ts";

const typed = "plain words";
const secret = "correct horse";

async function openFakeStage(): Promise<Stage> {
  const desktop = new FakeDesktop({ applications: [] });
  const form = desktop.start({
    name: "Form",
    windows: [
      {
        title: "Form",
        children: [
          { role: "input", name: "Name", value: typed, states: ["editable", "focusable"], actions: ["set"] },
          { role: "input", name: "Keyword", value: secret, secret: true, states: ["editable"], actions: ["set"] },
          { role: "button", name: "Cancel", actions: ["press"] },
          { role: "button", name: "OK", actions: ["press"] },
        ],
      },
    ],
  });
  const entry = { role: "menuitem", hidden: true, actions: ["press"] } as const;
  const editor = desktop.start({
    name: "Editor",
    windows: [
      {
        title: "Editor",
        children: [
          {
            role: "menubar",
            children: [
              {
                role: "menu",
                name: "File",
                children: [
                  { ...entry, name: "Open" },
                  { ...entry, name: "Save" },
                ],
              },
              { role: "menu", name: "Edit", children: [{ ...entry, name: "Undo" }] },
            ],
          },
          { role: "input", name: "Text", states: ["editable", "multiline"], actions: ["set"] },
        ],
      },
    ],
  });
  const doomed = desktop.start({
    name: "Doomed",
    windows: [{ title: "Doomed", children: [{ role: "button", name: "OK", actions: ["press"] }] }],
  });
  const actorOf = ({ pid, name }: FakeApplication): Actor => ({ pid, title: name });
  const find = ({ pid }: Actor): FakeApplication => {
    const application = desktop.findApplication(pid);
    if (application === undefined) throw new Error(`no application has the process id ${pid}`);
    return application;
  };
  return {
    form: actorOf(form),
    editor: actorOf(editor),
    doomed: actorOf(doomed),
    typed,
    secret,
    open: async () => succeed(desktop.open()),
    openHands: async () => succeed(desktop.openHands()),
    stop: (actor) => {
      find(actor).manner = "hangs";
    },
    resume: (actor) => {
      find(actor).manner = "answers";
    },
    end: (actor) => desktop.end(find(actor)),
    submit: async () => {
      const fields = form.windows.flatMap((window) => window.listControls()).filter(({ role }) => role === "input");
      return fields.map(({ value }) => value).join("|");
    },
    close: async () => {},
  };
}

describePlatform("fake", openFakeStage, { skip: [] });
describeHands("fake", openFakeStage);
