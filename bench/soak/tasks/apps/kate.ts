import { all, fileIs, hasWindow, not, shows } from "../checks.ts";
import { type Application, type Check, cmd, markOf, type Plan, refused, sees } from "../task.ts";

const name = "report.txt";

function withFile(path: string, content: string): Pick<Plan, "files" | "open" | "title"> {
  return { files: { [name]: content }, open: ["kate", "-n", path], title: name };
}

const holds = (text: string): Check => shows({ text });

export const kate: Application = {
  name: "kate",
  package: "kate",
  program: "kate",
  tasks: [
    {
      name: "replace a word by the bar below the text",
      plan: (data) => {
        const [old, next, rest] = [data.word(), data.word(), data.word()];
        const wanted = `${next} ${rest}\n${rest} ${next}\n`;
        return {
          ...withFile(data.path(name), wanted.replaceAll(next, old)),
          steps: [
            sees(cmd`type --key ctrl+r --app kate`, shows({ name: "Replace All" })),
            sees(cmd`set-value ${old} --on "text to search for" --app kate`, holds(old)),
            sees(cmd`set-value ${next} --on "text to replace with" --app kate`, holds(next)),
            sees(cmd`click "replace all" --role button --app kate`, holds(wanted)),
            sees(cmd`click save --role button --app kate`, fileIs(data.path(name), wanted)),
          ],
          check: fileIs(data.path(name), wanted),
        };
      },
    },
    {
      name: "go to a line and write there",
      plan: (data) => {
        const lines = data.lines(8);
        const at = data.number(2, 8);
        const word = data.word();
        const wanted = `${lines.map((line, index) => (index === at - 1 ? `${word} ${line}` : line)).join("\n")}\n`;
        return {
          ...withFile(data.path(name), `${lines.join("\n")}\n`),
          steps: [
            cmd`type --key ctrl+g --app kate`,
            cmd`set-value ${String(at)} --id ${markOf("spin", /.*/)}`,
            sees(cmd`click "go to" --role button --app kate`, not(shows({ name: "Go to" }))),
            sees(cmd`type ${`${word} `} --app kate`, holds(wanted)),
            sees(cmd`type --key ctrl+s --app kate`, fileIs(data.path(name), wanted)),
          ],
          check: fileIs(data.path(name), wanted),
        };
      },
    },
    {
      name: "save under another name",
      plan: (data) => {
        const [text, more] = [data.phrase(), data.word()];
        const path = data.path("copy.txt");
        return {
          ...withFile(data.path(name), `${text}\n`),
          steps: [
            cmd`click "save as" --role button --app kate`,
            refused(cmd`click open --role button --window ${name}`),
            cmd`set-value ${path} --on "file name" --role input --window "Save File"`,
            sees(cmd`click save --role button --window "Save File"`, fileIs(path, `${text}\n`)),
            cmd`type ${more} --app kate`,
            sees(cmd`type --key ctrl+s --app kate`, fileIs(path, `${more}${text}\n`)),
          ],
          check: all(fileIs(path, `${more}${text}\n`), fileIs(data.path(name), `${text}\n`), hasWindow("copy.txt")),
        };
      },
    },
    {
      name: "undo by the toolbar",
      plan: (data) => {
        const [text, more] = [data.phrase(), data.word()];
        return {
          ...withFile(data.path(name), `${text}\n`),
          steps: [
            cmd`read --app kate --interactive`,
            sees(cmd`type ${more} --app kate`, holds(`${more}${text}\n`)),
            sees(cmd`click undo --role button --app kate`, holds(`${text}\n`)),
            sees(cmd`click redo --role button --app kate`, holds(`${more}${text}\n`)),
            sees(cmd`type --key ctrl+s --app kate`, fileIs(data.path(name), `${more}${text}\n`)),
          ],
          check: fileIs(data.path(name), `${more}${text}\n`),
        };
      },
    },
    {
      name: "choose from the menus",
      plan: (data) => {
        const text = data.phrase();
        return {
          ...withFile(data.path(name), `${text}\n`),
          steps: [
            cmd`type --key ctrl+a --app kate`,
            cmd`click tools --role menuitem --app kate`,
            cmd`find uppercase --app kate`,
            cmd`type --key escape --app kate`,
            cmd`type --key ctrl+u --app kate`,
            sees(cmd`type --key ctrl+s --app kate`, fileIs(data.path(name), `${text.toUpperCase()}\n`)),
          ],
          check: fileIs(data.path(name), `${text.toUpperCase()}\n`),
        };
      },
    },
  ],
};
