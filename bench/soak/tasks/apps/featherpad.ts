import { all, fileIs, hasWindow, not, shows } from "../checks.ts";
import { type Application, type Check, cmd, markOf, type Plan, refused, sees } from "../task.ts";

const name = "memo.txt";

function withFile(path: string, content: string): Pick<Plan, "files" | "open" | "title"> {
  return { files: { [name]: content }, open: ["featherpad", "--standalone", path], title: name };
}

const holds = (text: string): Check => shows({ role: "text", text });

export const featherpad: Application = {
  name: "featherpad",
  package: "featherpad",
  program: "featherpad",
  tasks: [
    {
      name: "replace a word in the dock",
      plan: (data) => {
        const [old, next, rest] = [data.word(), data.word(), data.word()];
        const wanted = `${next} ${rest}\n${next}`;
        return {
          ...withFile(data.path(name), wanted.replaceAll(next, old)),
          steps: [
            cmd`click replace --role button --app featherpad`,
            sees(cmd`set-value ${old} --on "to be replaced" --app featherpad`, holds(old)),
            sees(cmd`type ${next} --on "replacing text" --app featherpad`, holds(next)),
            sees(cmd`click "replace all" --role button --app featherpad`, holds(wanted)),
            sees(cmd`click save --role button --app featherpad`, fileIs(data.path(name), `${wanted}\n`)),
          ],
          check: fileIs(data.path(name), `${wanted}\n`),
        };
      },
    },
    {
      name: "save under another name by the menu",
      plan: (data) => {
        const text = data.phrase();
        const path = data.path("other.txt");
        return {
          ...withFile(data.path(name), text),
          steps: [
            cmd`click file --role menuitem --app featherpad`,
            sees(cmd`click "save as" --role menuitem --app featherpad`, hasWindow("Save as")),
            refused(cmd`click open --role button --window ${name}`),
            cmd`set-value ${path} --on "file name" --role input --window "Save as"`,
            sees(cmd`click save --role button --window "Save as"`, fileIs(path, `${text}\n`)),
          ],
          check: all(fileIs(path, `${text}\n`), hasWindow("other.txt")),
        };
      },
    },
    {
      name: "write into a new tab and discard it",
      plan: (data) => {
        const [text, other] = [data.phrase(), data.phrase(2)];
        return {
          ...withFile(data.path(name), text),
          steps: [
            sees(cmd`click new --role button --app featherpad`, hasWindow("Untitled")),
            sees(cmd`type ${other} --app featherpad`, holds(other)),
            cmd`click file --role menuitem --app featherpad`,
            sees(cmd`click close --role menuitem --app featherpad`, shows({ role: "push button", name: /Discard/ })),
            refused(cmd`click new --role button --window Untitled`),
            sees(
              cmd`click cancel --role button --app featherpad`,
              not(shows({ role: "push button", name: /Discard/ })),
            ),
            cmd`click file --role menuitem --app featherpad`,
            cmd`click close --role menuitem --app featherpad`,
            sees(cmd`click discard --app featherpad`, hasWindow(name)),
          ],
          check: all(holds(text), not(hasWindow("Untitled"))),
        };
      },
    },
    {
      name: "jump to a line",
      plan: (data) => {
        const lines = data.lines(9);
        const at = data.number(2, 9);
        const word = data.word();
        const wanted = lines.map((line, index) => (index === at - 1 ? `${word} ${line}` : line)).join("\n");
        return {
          ...withFile(data.path(name), lines.join("\n")),
          steps: [
            cmd`click "jump to" --role button --app featherpad`,
            cmd`set-value ${String(at)} --id ${markOf("spin", /.*/)}`,
            cmd`type --key enter --app featherpad`,
            cmd`read --app featherpad --roles input`,
            cmd`focus --id ${markOf("input", "")}`,
            sees(cmd`type ${`${word} `} --app featherpad`, holds(wanted)),
            sees(cmd`type --key ctrl+s --app featherpad`, fileIs(data.path(name), `${wanted}\n`)),
          ],
          check: fileIs(data.path(name), `${wanted}\n`),
        };
      },
    },
    {
      name: "show line numbers and wrap no lines",
      plan: (data) => ({
        ...withFile(data.path(name), data.phrase()),
        steps: [
          cmd`click options --role menuitem --app featherpad`,
          cmd`click "line numbers" --role menuitem --app featherpad`,
          cmd`click options --role menuitem --app featherpad`,
          cmd`expect ${'menuitem "Line Numbers" becomes checked'} --app featherpad`,
          sees(
            cmd`click "wrap lines" --role menuitem --app featherpad`,
            not(shows({ role: "menu item", name: "Line Numbers" })),
          ),
          sees(
            cmd`click options --role menuitem --app featherpad`,
            all(shows({ name: "Line Numbers", state: "checked" }), shows({ name: "Wrap Lines", lacks: "checked" })),
          ),
        ],
        check: shows({ name: "Line Numbers", state: "checked" }),
      }),
    },
  ],
};
