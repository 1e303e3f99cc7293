import { all, fileIs, hasModal, hasWindow, isThere, not, shows } from "../checks.ts";
import { type Application, type Check, cmd, markOf, type Plan, sees } from "../task.ts";

const name = "code.txt";

function withFile(path: string, content: string): Pick<Plan, "files" | "open" | "title"> {
  return { files: { [name]: content }, open: ["geany", "-i", path], title: name };
}

const holds = (text: string): Check => shows({ role: "text", text });

export const geany: Application = {
  name: "geany",
  package: "geany",
  program: "geany",
  tasks: [
    {
      name: "replace a word by the dialog",
      plan: (data) => {
        const [old, next, rest] = [data.word(), data.word(), data.word()];
        const wanted = `${next} ${rest}\n${next}\n`;
        return {
          ...withFile(data.path(name), wanted.replaceAll(next, old)),
          steps: [
            cmd`click search --role menu --app geany`,
            sees(cmd`click replace --role menuitem --app geany`, hasWindow("Replace")),
            sees(cmd`set-value ${old} --on "search for" --window Replace`, shows({ role: "text", text: old })),
            sees(cmd`set-value ${next} --on "replace with" --window Replace`, shows({ role: "text", text: next })),
            cmd`expand "replace all" --window Replace`,
            sees(cmd`click "in document" --role button --window Replace`, holds(wanted)),
            cmd`type --key ctrl+s --window ${name}`,
          ],
          check: fileIs(data.path(name), wanted),
        };
      },
    },
    {
      name: "go to a line by the menu",
      plan: (data) => {
        const lines = data.lines(7);
        const at = data.number(2, 7);
        const word = data.word();
        const wanted = lines.map((line, index) => (index === at - 1 ? `${word} ${line}` : line)).join("\n");
        return {
          ...withFile(data.path(name), `${lines.join("\n")}\n`),
          steps: [
            cmd`click search --role menu --app geany`,
            sees(cmd`click "go to line" --role menuitem --app geany`, hasWindow("Go to Line")),
            cmd`read --window "Go to Line"`,
            cmd`set-value ${String(at)} --id ${markOf("input", /.*/)}`,
            sees(cmd`click ok --role button --window "Go to Line"`, not(hasWindow("Go to Line"))),
            sees(cmd`type ${`${word} `} --window ${name}`, holds(`${wanted}\n`)),
            sees(cmd`click save --role button --app geany`, fileIs(data.path(name), `${wanted}\n`)),
          ],
          check: fileIs(data.path(name), `${wanted}\n`),
        };
      },
    },
    {
      name: "count the words and close the dialog",
      plan: (data) => {
        const count = data.number(3, 12);
        return {
          ...withFile(data.path(name), `${data.phrase(count)}\n`),
          steps: [
            cmd`click tools --role menu --app geany`,
            sees(cmd`click "word count" --role menuitem --app geany`, hasWindow("Word Count")),
            cmd`read --window "Word Count"`,
            sees(cmd`click close --role button --window "Word Count"`, not(hasWindow("Word Count"))),
            cmd`type --key ctrl+end --window ${name}`,
            cmd`type ${String(count)} --window ${name}`,
            cmd`type --key ctrl+s --window ${name}`,
          ],
          check: all(not(hasWindow("Word Count")), {
            what: "the count is in the file",
            holds: (desk) => shows({ role: "text", text: new RegExp(`${count}\\s*$`) }).holds(desk),
          }),
        };
      },
    },
    {
      name: "make a new file in a tab and save it",
      plan: (data) => {
        const text = data.phrase();
        const path = data.path("other.txt");
        return {
          ...withFile(data.path(name), data.phrase()),
          steps: [
            sees(cmd`click new --role button --app geany`, shows({ role: "page tab", name: "untitled" })),
            sees(cmd`type ${text} --app geany`, holds(text)),
            sees(cmd`type --key ctrl+s --app geany`, hasWindow("Save File")),
            cmd`set-value ${path} --on name --role input --window "Save File"`,
            sees(cmd`click save --role button --window "Save File"`, isThere(path)),
            sees(cmd`select ${name} --role tab --app geany`, hasWindow(name)),
          ],
          check: all(isThere(path), hasWindow(name)),
        };
      },
    },
    {
      name: "use the editor's context menu",
      plan: (data) => {
        const text = data.phrase();
        return {
          ...withFile(data.path(name), text),
          steps: [
            cmd`read --app geany --roles input`,
            sees(
              cmd`click --id ${markOf("input", /.*/)} --button right`,
              shows({ role: "menu item", name: "Select All" }),
            ),
            cmd`click "select all" --role menuitem --app geany`,
            sees(cmd`type --key delete --app geany`, not(holds(text))),
            sees(cmd`type --key ctrl+z --app geany`, holds(text)),
            cmd`type --key ctrl+s --app geany`,
          ],
          check: all(holds(text), not(hasModal)),
        };
      },
    },
    {
      name: "hide the message window by the menu",
      plan: (data) => ({
        ...withFile(data.path(name), data.lines(3).join("\n")),
        steps: [
          cmd`click view --role menu --app geany`,
          cmd`read --app geany --roles menuitem`,
          cmd`click "show message window" --app geany`,
          cmd`click view --role menu --app geany`,
          cmd`expect ${'menuitem "Show Message Window" becomes unchecked'} --app geany`,
          cmd`type --key escape --app geany`,
        ],
        check: not(shows({ role: "page tab", name: "Status" })),
      }),
    },
  ],
};
