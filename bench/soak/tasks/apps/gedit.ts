import { all, clipboardIs, fileIs, hasModal, hasWindow, not, setting, shows, showsCount } from "../checks.ts";
import { type Application, type Check, cmd, markOf, type Plan, refused, sees } from "../task.ts";

const name = "draft.txt";

function withFile(path: string, content: string): Pick<Plan, "files" | "open" | "title"> {
  return { files: { [name]: content }, open: ["gedit", "--standalone", path], title: name };
}

const holds = (text: string): Check => shows({ role: "text", text });

export const gedit: Application = {
  name: "gedit",
  package: "gedit",
  program: "gedit",
  tasks: [
    {
      name: "replace a word everywhere",
      plan: (data) => {
        const [old, next, rest] = [data.word(), data.word(), data.word()];
        const wanted = `${next} and ${rest}\n${rest}, ${next}`;
        return {
          ...withFile(data.path(name), `${wanted.replaceAll(next, old)}\n`),
          steps: [
            sees(cmd`type --key ctrl+h --app gedit`, hasWindow("Find and Replace")),
            sees(cmd`set-value ${old} --on find --window "Find and Replace"`, shows({ role: "text", text: old })),
            sees(
              cmd`set-value ${next} --on "replace with" --window "Find and Replace"`,
              shows({ role: "text", text: next }),
            ),
            sees(cmd`click "replace all" --window "Find and Replace"`, holds(wanted)),
            sees(cmd`click close --role button --window "Find and Replace"`, not(hasWindow("Find and Replace"))),
            sees(cmd`click save --role button --app gedit`, fileIs(data.path(name), `${wanted}\n`)),
          ],
          check: fileIs(data.path(name), `${wanted}\n`),
        };
      },
    },
    {
      name: "write into a second tab and save it under a name",
      plan: (data) => {
        const [first, text] = [data.phrase(), data.lines(2).join("\n")];
        const path = data.path("second.txt");
        return {
          ...withFile(data.path(name), first),
          steps: [
            cmd`click new --role button --app gedit`,
            sees(cmd`type ${text} --app gedit`, holds(text)),
            sees(cmd`type --key ctrl+shift+s --app gedit`, hasWindow("Save As")),
            cmd`set-value ${path} --on name --role input --window "Save As"`,
            sees(cmd`click save --role button --window "Save As"`, fileIs(path, `${text}\n`)),
            sees(cmd`select ${name} --role tab --app gedit`, holds(first)),
          ],
          check: all(fileIs(path, `${text}\n`), hasWindow(name)),
        };
      },
    },
    {
      name: "go to a line and write there",
      plan: (data) => {
        const lines = data.lines(9);
        const at = data.number(2, 9);
        const word = data.word();
        const wanted = lines.map((line, index) => (index === at - 1 ? `${word}: ${line}` : line)).join("\n");
        return {
          ...withFile(data.path(name), `${lines.join("\n")}\n`),
          steps: [
            cmd`type --key ctrl+i --app gedit`,
            cmd`type ${String(at)} --app gedit`,
            cmd`type --key enter --app gedit`,
            cmd`type --key escape --app gedit`,
            cmd`type --key home --app gedit`,
            sees(cmd`type ${`${word}: `} --app gedit`, holds(wanted)),
            sees(cmd`type --key ctrl+s --app gedit`, fileIs(data.path(name), `${wanted}\n`)),
          ],
          check: fileIs(data.path(name), `${wanted}\n`),
        };
      },
    },
    {
      name: "do not save, with the question in front",
      plan: (data) => {
        const [old, more] = [data.phrase(), data.word()];
        return {
          ...withFile(data.path(name), old),
          steps: [
            cmd`read --app gedit --roles input`,
            sees(cmd`type ${more} --id ${markOf("input", "")}`, holds(`${old}${more}`)),
            cmd`window close --app gedit`,
            refused(cmd`click save --role button --window ${name}`),
            cmd`find save --app gedit`,
            cmd`click "close without saving" --app gedit`,
          ],
          check: all(fileIs(data.path(name), old), not(hasWindow(name)), not(hasModal)),
        };
      },
    },
    {
      name: "change the preferences",
      plan: (data) => {
        const width = data.number(2, 12);
        return {
          ...withFile(data.path(name), data.phrase()),
          steps: [
            cmd`find menu --role toggle --app gedit`,
            cmd`click --x 1 --y 1 --dry-run`,
            cmd`read --app gedit --roles toggle,button`,
            cmd`type --key f10 --app gedit`,
            sees(cmd`click preferences --app gedit`, hasWindow("Preferences")),
            cmd`read --window Preferences --interactive`,
            sees(
              cmd`check "display line numbers" --window Preferences`,
              shows({ role: "check box", name: /line numbers/i, state: "checked" }),
            ),
            sees(cmd`select editor --role tab --window Preferences`, shows({ name: "Editor", state: "selected" })),
            cmd`set-value ${String(width)} --on "tab width" --role spin --window Preferences`,
            sees(cmd`window close --window Preferences`, not(hasWindow("Preferences"))),
          ],
          check: all(
            setting("org.gnome.gedit.preferences.editor", "display-line-numbers", "true"),
            setting("org.gnome.gedit.preferences.editor", "tabs-size", `uint32 ${width}`),
          ),
        };
      },
    },
    {
      name: "copy a line, paste it twice and undo once",
      plan: (data) => {
        const line = data.phrase();
        return {
          ...withFile(data.path(name), line),
          steps: [
            cmd`type --key ctrl+a --app gedit`,
            sees(cmd`type --key ctrl+c --app gedit`, clipboardIs(line)),
            cmd`type --key ctrl+end --app gedit`,
            sees(cmd`type --key ctrl+v --app gedit`, holds(`${line}${line}`)),
            sees(cmd`type --key ctrl+v --app gedit`, holds(`${line}${line}${line}`)),
            sees(cmd`type --key ctrl+z --app gedit`, holds(`${line}${line}`)),
            sees(cmd`type --key ctrl+s --app gedit`, fileIs(data.path(name), `${line}${line}\n`)),
          ],
          check: all(fileIs(data.path(name), `${line}${line}\n`), showsCount({ role: "text", text: line }, 0)),
        };
      },
    },
  ],
};
