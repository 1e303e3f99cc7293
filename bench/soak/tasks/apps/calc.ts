import { all, fileHas, hasWindow, not, shows } from "../checks.ts";
import { type Application, type Check, cmd, markOf, refused, sees } from "../task.ts";
import { sheetFile, withSheet } from "./office.ts";

/** A cell's text, as the application reports it. */
const cell = (name: string, text: string): Check => shows({ role: "table cell", name, text });
const inFile = (path: string, value: number): Check => fileHas(path, `office:value="${value}"`);

export const calc: Application = {
  name: "calc",
  package: "libreoffice-calc",
  program: "soffice",
  tasks: [
    {
      name: "add two numbers by a formula",
      plan: (data) => {
        const [one, two] = [data.number(10, 99), data.number(100, 999)];
        return {
          ...withSheet(data, [[one], [two]]),
          steps: [
            cmd`read --window ${sheetFile} --roles cell`,
            cmd`click --id ${markOf("cell", "A2")}`,
            cmd`type --key down --window ${sheetFile}`,
            cmd`type "=A1+A2" --window ${sheetFile}`,
            sees(cmd`type --key enter --window ${sheetFile}`, cell("A3", String(one + two))),
            sees(cmd`type --key ctrl+s --window ${sheetFile}`, inFile(data.path(sheetFile), one + two)),
          ],
          check: all(inFile(data.path(sheetFile), one + two), fileHas(data.path(sheetFile), "[.A1]+[.A2]")),
        };
      },
    },
    {
      name: "change cells by their names",
      plan: (data) => {
        const [one, two, word] = [data.number(1000, 1999), data.number(2000, 2999), data.word()];
        return {
          ...withSheet(data, [
            ["a", 1],
            ["b", 2],
            ["c", 3],
          ]),
          steps: [
            cmd`read --window ${sheetFile} --roles cell`,
            sees(cmd`set-value ${String(one)} --id ${markOf("cell", "B1")}`, cell("B1", String(one))),
            sees(cmd`set-value ${String(two)} --id ${markOf("cell", "B3")}`, cell("B3", String(two))),
            sees(cmd`set-value ${word} --on A2 --role cell --window ${sheetFile}`, cell("A2", word)),
            cmd`click file --role menu --window ${sheetFile}`,
            sees(cmd`click save --role menuitem --window ${sheetFile}`, inFile(data.path(sheetFile), two)),
          ],
          check: all(
            inFile(data.path(sheetFile), one),
            inFile(data.path(sheetFile), two),
            fileHas(data.path(sheetFile), word),
          ),
        };
      },
    },
    {
      name: "go to a cell by the name box",
      plan: (data) => {
        const [row, word] = [data.number(4, 11), data.phrase(2)];
        return {
          ...withSheet(data, [["start"]]),
          steps: [
            cmd`read --window ${sheetFile} --roles input`,
            cmd`type ${`C${row}`} --replace --id ${markOf("input", /Formula Tool Bar|Name Box/)}`,
            cmd`type --key enter --window ${sheetFile}`,
            cmd`type ${word} --window ${sheetFile}`,
            sees(cmd`type --key enter --window ${sheetFile}`, cell(`C${row}`, word)),
            cmd`type --key ctrl+s --window ${sheetFile}`,
          ],
          check: all(cell(`C${row}`, word), fileHas(data.path(sheetFile), `<text:p>${word}</text:p>`)),
        };
      },
    },
    {
      name: "find and replace in the sheet",
      plan: (data) => {
        const [old, next, other] = [data.word(), data.word(), data.word()];
        return {
          ...withSheet(data, [[old], [other], [old]]),
          steps: [
            sees(cmd`type --key ctrl+h --window ${sheetFile}`, hasWindow("Find and Replace")),
            cmd`read --window "Find and Replace" --interactive`,
            sees(cmd`set-value ${old} --id ${markOf("input", "Find:")}`, shows({ role: "text", text: old })),
            cmd`set-value ${next} --on replace --role input --window "Find and Replace"`,
            sees(cmd`click "replace all" --role button --window "Find and Replace"`, cell("A3", next)),
            cmd`click close --role button --window "Search Results"`,
            cmd`click close --role button --window "Find and Replace"`,
            cmd`type --key ctrl+s --window ${sheetFile}`,
          ],
          check: all(cell("A1", next), cell("A2", other), not(fileHas(data.path(sheetFile), `>${old}<`))),
        };
      },
    },
    {
      name: "name the sheet anew",
      plan: (data) => {
        const name = data.word();
        return {
          ...withSheet(data, [[1], [2]]),
          steps: [
            cmd`click sheet --role menu --window ${sheetFile}`,
            sees(cmd`click "rename sheet" --window ${sheetFile}`, hasWindow("Rename Sheet")),
            refused(cmd`click A1 --role cell --window ${sheetFile}`),
            cmd`set-value ${name} --on name --role input --window "Rename Sheet"`,
            sees(cmd`click ok --role button --window "Rename Sheet"`, not(hasWindow("Rename Sheet"))),
            cmd`type --key ctrl+s --window ${sheetFile}`,
          ],
          check: fileHas(data.path(sheetFile), `table:name="${name}"`),
        };
      },
    },
    {
      name: "undo and redo an entry",
      plan: (data) => {
        const [old, next] = [data.number(10, 99), data.number(100, 999)];
        return {
          ...withSheet(data, [[old], [5]]),
          steps: [
            cmd`read --window ${sheetFile} --roles cell`,
            sees(cmd`set-value ${String(next)} --id ${markOf("cell", "A1")}`, cell("A1", String(next))),
            sees(cmd`type --key ctrl+z --window ${sheetFile}`, cell("A1", String(old))),
            sees(cmd`type --key ctrl+y --window ${sheetFile}`, cell("A1", String(next))),
            cmd`click edit --role menu --window ${sheetFile}`,
            sees(cmd`click undo --role menuitem --window ${sheetFile}`, cell("A1", String(old))),
            sees(
              cmd`set-value ${String(next + 1)} --on A2 --role cell --window ${sheetFile}`,
              cell("A2", String(next + 1)),
            ),
            cmd`type --key ctrl+s --window ${sheetFile}`,
          ],
          check: all(inFile(data.path(sheetFile), old), inFile(data.path(sheetFile), next + 1)),
        };
      },
    },
  ],
};
