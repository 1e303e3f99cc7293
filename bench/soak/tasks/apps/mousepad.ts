import { all, fileIs, hasModal, hasWindow, not, setting, shows } from "../checks.ts";
import { type Application, type Check, cmd, markOf, type Plan, refused, sees } from "../task.ts";

const name = "notes.txt";

/** The editor with a file of this content. */
function withFile(path: string, content: string): Pick<Plan, "files" | "open" | "title"> {
  return { files: { [name]: content }, open: ["mousepad", "--disable-server", path], title: name };
}

const withoutFile = { open: ["mousepad", "--disable-server"], title: "Mousepad" } as const;
const holds = (text: string): Check => shows({ role: "text", text });
const isOn = (box: string): Check => shows({ role: "check box", name: box, state: "checked" });

export const mousepad: Application = {
  name: "mousepad",
  package: "mousepad",
  program: "mousepad",
  tasks: [
    {
      name: "write a letter and save it by the menu",
      plan: (data) => {
        const text = data.lines(3).join("\n");
        return {
          ...withoutFile,
          steps: [
            cmd`read --app mousepad --interactive`,
            sees(cmd`type ${text} --id ${markOf("input", "")}`, holds(text)),
            cmd`click file --app mousepad --role menu`,
            sees(cmd`click "save as" --app mousepad`, hasWindow("Save As")),
            cmd`set-value ${data.path("letter.txt")} --on name --role input --window "Save As"`,
            sees(cmd`click save --role button --window "Save As"`, fileIs(data.path("letter.txt"), text)),
          ],
          check: all(fileIs(data.path("letter.txt"), text), hasWindow("letter.txt")),
        };
      },
    },
    {
      name: "replace a word everywhere",
      plan: (data) => {
        const [old, next, rest] = [data.word(), data.word(), data.phrase()];
        const wanted = `${next} ${rest}\nthe ${next}s\n`;
        return {
          ...withFile(data.path(name), wanted.replaceAll(next, old)),
          steps: [
            sees(cmd`type --key ctrl+r --app mousepad`, hasWindow("Replace")),
            sees(cmd`set-value ${old} --on "search for" --window Replace`, shows({ role: "text", text: old })),
            sees(cmd`set-value ${next} --on "replace with" --window Replace`, shows({ role: "text", text: next })),
            cmd`check "replace all in" --window Replace`,
            sees(cmd`click replace --role button --window Replace`, holds(wanted)),
            cmd`click close --role button --window Replace`,
            sees(cmd`type --key ctrl+s --app mousepad`, fileIs(data.path(name), wanted)),
          ],
          check: all(fileIs(data.path(name), wanted), not(hasWindow("Replace"))),
        };
      },
    },
    {
      name: "write into a given line",
      plan: (data) => {
        const lines = data.lines(8);
        const at = data.number(2, 7);
        const added = data.word();
        const wanted = lines.map((line, index) => (index === at - 1 ? `${added} ${line}` : line)).join("\n");
        return {
          ...withFile(data.path(name), lines.join("\n")),
          steps: [
            sees(cmd`type --key ctrl+l --app mousepad`, hasWindow("Go To")),
            cmd`read --window "Go To"`,
            cmd`set-value ${String(at)} --id ${markOf("spin", /line/i)}`,
            sees(cmd`click "jump to" --role button --window "Go To"`, not(hasWindow("Go To"))),
            cmd`type ${`${added} `} --app mousepad`,
            sees(cmd`type --key ctrl+s --app mousepad`, fileIs(data.path(name), wanted)),
          ],
          check: fileIs(data.path(name), wanted),
        };
      },
    },
    {
      name: "undo and redo what was typed",
      plan: (data) => {
        const [first, second] = [data.phrase(2), data.word()];
        return {
          ...withFile(data.path(name), `${first}\n`),
          steps: [
            cmd`type --key ctrl+end --app mousepad`,
            sees(cmd`type ${second} --app mousepad`, holds(`${first}\n${second}`)),
            cmd`click edit --app mousepad --role menu`,
            sees(cmd`click undo --app mousepad --role menuitem`, not(holds(`${first}\n${second}`))),
            cmd`type --key ctrl+y --app mousepad`,
            cmd`click edit --app mousepad --role menu`,
            cmd`click "select all" --app mousepad --role menuitem`,
            cmd`type --key delete --app mousepad`,
            sees(cmd`type --key ctrl+z --app mousepad`, holds(`${first}\n${second}`)),
            sees(cmd`type --key ctrl+s --app mousepad`, fileIs(data.path(name), `${first}\n${second}`)),
          ],
          check: fileIs(data.path(name), `${first}\n${second}`),
        };
      },
    },
    {
      name: "save over an existing file, after a cancel",
      plan: (data) => {
        const [old, text] = [data.phrase(), data.phrase()];
        const other = data.path("existing.txt");
        const source = withFile(data.path(name), text);
        return {
          ...source,
          files: { ...source.files, "existing.txt": old },
          steps: [
            sees(cmd`type --key ctrl+shift+s --app mousepad`, hasWindow("Save As")),
            cmd`set-value ${other} --on name --window "Save As" --role input`,
            sees(cmd`click save --role button --window "Save As"`, hasModal),
            sees(cmd`click cancel --role button --app mousepad`, fileIs(other, old)),
            cmd`set-value ${other} --on name --window "Save As" --role input`,
            cmd`click save --role button --window "Save As"`,
            sees(cmd`click replace --role button --app mousepad`, fileIs(other, text)),
          ],
          check: all(fileIs(other, text), fileIs(data.path(name), text), hasWindow("existing.txt")),
        };
      },
    },
    {
      name: "answer the question about unsaved changes",
      plan: (data) => {
        const [old, more] = [data.phrase(), data.word()];
        return {
          ...withFile(data.path(name), old),
          steps: [
            cmd`type --key ctrl+end --app mousepad`,
            cmd`type ${` ${more}`} --app mousepad`,
            sees(cmd`window close --app mousepad`, hasModal),
            refused(cmd`click file --app mousepad --role menu`),
            cmd`read --app mousepad --roles button`,
            sees(cmd`click cancel --role button --app mousepad`, not(hasModal)),
            sees(cmd`window close --app mousepad`, hasModal),
            cmd`click save --role button --app mousepad`,
          ],
          check: all(fileIs(data.path(name), `${old} ${more}`), not(hasWindow(name))),
        };
      },
    },
    {
      name: "show line numbers by the preferences",
      plan: (data) => {
        const size = data.number(2, 9);
        return {
          ...withFile(data.path(name), data.lines(4).join("\n")),
          steps: [
            cmd`click edit --role menu --app mousepad`,
            sees(cmd`click preferences --app mousepad`, hasWindow("Preferences")),
            sees(cmd`check "show line numbers" --window Preferences`, isOn("Show line numbers")),
            sees(
              cmd`select editor --role tab --window Preferences`,
              shows({ role: "page tab", name: "Editor", state: "selected" }),
            ),
            cmd`read --window Preferences --interactive`,
            sees(
              cmd`set-value ${String(size)} --on "tab width" --window Preferences`,
              shows({ role: "spin button", value: size }),
            ),
            sees(cmd`select view --role tab --window Preferences`, isOn("Show line numbers")),
            sees(cmd`type --key escape --window Preferences`, not(hasWindow("Preferences"))),
          ],
          check: all(
            setting("org.xfce.mousepad.preferences.view", "show-line-numbers", "true"),
            setting("org.xfce.mousepad.preferences.view", "tab-width", `uint32 ${size}`),
          ),
        };
      },
    },
    {
      name: "write capitals by a submenu",
      plan: (data) => {
        const text = data.phrase();
        return {
          ...withFile(data.path(name), text),
          steps: [
            cmd`type --key ctrl+a --app mousepad`,
            cmd`click edit --role menu --app mousepad`,
            cmd`click convert --app mousepad`,
            sees(cmd`click uppercase --app mousepad`, holds(text.toUpperCase())),
            cmd`click file --role menu --app mousepad`,
            sees(cmd`click save --role menuitem --app mousepad`, fileIs(data.path(name), text.toUpperCase())),
          ],
          check: fileIs(data.path(name), text.toUpperCase()),
        };
      },
    },
  ],
};
