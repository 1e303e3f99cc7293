import { succeed } from "../../src/model/failure.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import type { FakeApplication } from "../../src/platform/fake/windows.ts";
import { describeActing } from "./describe-acting.ts";
import { describePlatform } from "./describe-platform.ts";
import type { ConformanceScene, SceneWindow } from "./scene.ts";

const typed = "plain words";
const secret = "correct horse";

async function openFakeScene(): Promise<ConformanceScene> {
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
  const toWindow = ({ pid, name }: FakeApplication): SceneWindow => ({ pid, title: name });
  const find = ({ pid }: SceneWindow): FakeApplication => {
    const application = desktop.findApplication(pid);
    if (application === undefined) throw new Error(`no application has the process id ${pid}`);
    return application;
  };
  return {
    form: toWindow(form),
    editor: toWindow(editor),
    doomed: toWindow(doomed),
    typed,
    secret,
    open: async () => succeed(desktop.open()),
    openHands: async () => succeed(desktop.openHands()),
    stop: (window) => {
      find(window).manner = "hangs";
    },
    resume: (window) => {
      find(window).manner = "answers";
    },
    end: (window) => desktop.end(find(window)),
    submit: async () => {
      const fields = form.windows.flatMap((window) => window.listControls()).filter(({ role }) => role === "input");
      return fields.map(({ value }) => value).join("|");
    },
    close: async () => {},
  };
}

describePlatform("fake", openFakeScene, { skip: [] });
describeActing("fake", openFakeScene);
