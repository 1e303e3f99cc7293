import { all, fileHas, hasWindow, not, shows } from "../checks.ts";
import { type Application, type Check, cmd, markOf, refused, sees } from "../task.ts";
import { letterFile, withLetter } from "./office.ts";

const holds = (text: string): Check => shows({ role: "paragraph", text });

export const writer: Application = {
  name: "writer",
  package: "libreoffice-writer",
  program: "soffice",
  tasks: [
    {
      name: "write a paragraph at the end and save",
      plan: (data) => {
        const [first, more] = [data.phrase(), data.phrase()];
        return {
          ...withLetter(data, [first]),
          steps: [
            cmd`focus --window ${letterFile}`,
            cmd`type --key ctrl+end --window ${letterFile}`,
            cmd`type --key enter --window ${letterFile}`,
            sees(cmd`type ${more} --window ${letterFile}`, holds(more)),
            cmd`click file --role menu --window ${letterFile}`,
            sees(cmd`click save --role menuitem --window ${letterFile}`, fileHas(data.path(letterFile), more)),
          ],
          check: all(fileHas(data.path(letterFile), `>${first}<`), fileHas(data.path(letterFile), `>${more}<`)),
        };
      },
    },
    {
      name: "replace a word in the document",
      plan: (data) => {
        const [old, next, rest] = [data.word(), data.word(), data.word()];
        return {
          ...withLetter(data, [`${old} ${rest}`, `the ${old}`]),
          steps: [
            sees(cmd`type --key ctrl+h --window ${letterFile}`, hasWindow("Find and Replace")),
            sees(cmd`set-value ${old} --id ${markOf("input", "Find:")}`, shows({ role: "text", text: old })),
            sees(
              cmd`set-value ${next} --on replace --role input --window "Find and Replace"`,
              shows({ role: "text", text: next }),
            ),
            sees(cmd`click "replace all" --role button --window "Find and Replace"`, holds(`the ${next}`)),
            cmd`click close --role button --window "Find and Replace"`,
            cmd`type --key ctrl+s --window ${letterFile}`,
          ],
          check: all(holds(`${next} ${rest}`), fileHas(data.path(letterFile), `>the ${next}<`)),
        };
      },
    },
    {
      name: "make everything bold",
      plan: (data) => {
        const text = data.phrase();
        return {
          ...withLetter(data, [text]),
          steps: [
            cmd`click edit --role menu --window ${letterFile}`,
            cmd`click "select all" --role menuitem --window ${letterFile}`,
            cmd`find bold --window ${letterFile}`,
            cmd`click --id ${markOf("toggle", "Bold")}`,
            cmd`type --key right --window ${letterFile}`,
            sees(
              cmd`type --key ctrl+s --window ${letterFile}`,
              fileHas(data.path(letterFile), 'fo:font-weight="bold"'),
            ),
          ],
          check: fileHas(data.path(letterFile), 'fo:font-weight="bold"'),
        };
      },
    },
    {
      name: "count words, with the dialog in front",
      plan: (data) => {
        const count = data.number(4, 9);
        return {
          ...withLetter(data, [data.phrase(count)]),
          steps: [
            cmd`click tools --role menu --window ${letterFile}`,
            sees(cmd`click "word count" --role menuitem --window ${letterFile}`, hasWindow("Word Count")),
            cmd`read --window "Word Count"`,
            sees(cmd`click close --role button --window "Word Count"`, not(hasWindow("Word Count"))),
            cmd`type --key ctrl+end --window ${letterFile}`,
            cmd`type ${` ${count}`} --window ${letterFile}`,
            cmd`type --key ctrl+s --window ${letterFile}`,
          ],
          check: fileHas(data.path(letterFile), `>${count}<`),
        };
      },
    },
    {
      name: "insert a table by its dialog",
      plan: (data) => {
        const [columns, rows, word] = [data.number(2, 5), data.number(3, 6), data.word()];
        return {
          ...withLetter(data, [data.phrase()]),
          steps: [
            cmd`type --key ctrl+end --window ${letterFile}`,
            sees(cmd`type --key ctrl+f12 --window ${letterFile}`, hasWindow("Insert Table")),
            refused(cmd`click file --role menu --window ${letterFile}`),
            cmd`read --window "Insert Table" --interactive`,
            cmd`set-value ${String(columns)} --on columns --role spin --window "Insert Table"`,
            cmd`set-value ${String(rows)} --on rows --role spin --window "Insert Table"`,
            sees(cmd`click insert --role button --window "Insert Table"`, not(hasWindow("Insert Table"))),
            cmd`type ${word} --window ${letterFile}`,
            cmd`type --key ctrl+s --window ${letterFile}`,
          ],
          check: all(fileHas(data.path(letterFile), /<table:table /), fileHas(data.path(letterFile), word)),
        };
      },
    },
  ],
};
