import { all, fileIs, hasWindow, isFolder, isThere, not, shows } from "../checks.ts";
import type { Data } from "../data.ts";
import { type Application, type Check, cmd, markOf, type Plan, refused, sees } from "../task.ts";

/** PCManFM-Qt with a folder that holds these files, each with its own name as content. */
function withFiles(
  data: Data,
  names: readonly string[],
  folders: readonly string[] = [],
): Omit<Plan, "steps" | "check"> {
  const files = [...names, ...folders.map((folder) => `${folder}/.keep`)].map((name) => [`box/${name}`, name] as const);
  return { files: Object.fromEntries(files), open: ["pcmanfm-qt", "-n", data.path("box")], title: "box" };
}

const hasEntry = (name: string): Check => shows({ role: "list item", name });

export const pcmanfm: Application = {
  name: "pcmanfm-qt",
  package: "pcmanfm-qt",
  program: "pcmanfm-qt",
  tasks: [
    {
      name: "rename the file that was clicked",
      plan: (data) => {
        const [one, two, next] = [`${data.word()}.txt`, `${data.word()}.txt`, data.word()];
        return {
          ...withFiles(data, [one, two]),
          steps: [
            cmd`read --app pcmanfm`,
            sees(cmd`click --id ${markOf("option", two)}`, shows({ name: two, state: "selected" })),
            // What it opens is in no tree.
            cmd`type --key f2 --app pcmanfm`,
            cmd`type ${next} --app pcmanfm`,
            sees(cmd`type --key enter --app pcmanfm`, isThere(data.path(`box/${next}.txt`))),
          ],
          check: all(fileIs(data.path(`box/${next}.txt`), two), fileIs(data.path(`box/${one}`), one)),
        };
      },
    },
    {
      name: "make a folder by the menu",
      plan: (data) => {
        const [file, folder] = [`${data.word()}.txt`, data.word()];
        return {
          ...withFiles(data, [file]),
          steps: [
            cmd`click file --role menuitem --app pcmanfm`,
            cmd`click "create new" --role menuitem --app pcmanfm`,
            cmd`click folder --role menuitem --app pcmanfm`,
            refused(cmd`click "go up" --role button --window box`),
            cmd`read --app pcmanfm --roles input,button`,
            cmd`set-value ${folder} --role input --on input --window "Create Folder"`,
            sees(cmd`click ok --role button --app pcmanfm`, isFolder(data.path(`box/${folder}`))),
          ],
          check: all(isFolder(data.path(`box/${folder}`)), hasEntry(folder)),
        };
      },
    },
    {
      name: "copy a file into a folder",
      plan: (data) => {
        const [file, folder] = [`${data.word()}.txt`, data.word()];
        return {
          ...withFiles(data, [file, `${data.word()}.txt`], [folder]),
          steps: [
            cmd`click ${file} --role option --app pcmanfm`,
            cmd`type --key ctrl+c --app pcmanfm`,
            sees(cmd`click ${folder} --role option --double --app pcmanfm`, hasWindow(folder)),
            sees(cmd`type --key ctrl+v --app pcmanfm`, isThere(data.path(`box/${folder}/${file}`))),
            sees(cmd`click "go up" --role button --app pcmanfm`, hasEntry(file)),
          ],
          check: all(fileIs(data.path(`box/${folder}/${file}`), file), fileIs(data.path(`box/${file}`), file)),
        };
      },
    },
    {
      name: "show hidden files and change the view",
      plan: (data) => {
        const [file, hidden] = [`${data.word()}.txt`, `.${data.word()}`];
        return {
          ...withFiles(data, [file, hidden]),
          steps: [
            cmd`click view --role menuitem --app pcmanfm`,
            sees(cmd`click "show hidden" --role menuitem --app pcmanfm`, hasEntry(hidden)),
            cmd`find ${hidden} --app pcmanfm`,
            sees(cmd`click "detailed list" --app pcmanfm`, not(hasEntry(file))),
            cmd`find ${file} --app pcmanfm`,
            sees(cmd`click "icon view" --app pcmanfm`, hasEntry(file)),
          ],
          check: all(hasEntry(hidden), hasEntry(file)),
        };
      },
    },
    {
      name: "go to a folder by the path bar and back",
      plan: (data) => {
        const [file, folder] = [`${data.word()}.txt`, data.word()];
        return {
          ...withFiles(data, [file], [folder]),
          steps: [
            cmd`type --key ctrl+l --app pcmanfm`,
            cmd`type --key ctrl+a --app pcmanfm`,
            cmd`type ${data.path(`box/${folder}`)} --app pcmanfm`,
            sees(cmd`type --key enter --app pcmanfm`, hasWindow(folder)),
            sees(cmd`click "go back" --role button --app pcmanfm`, hasEntry(file)),
            sees(cmd`click "go forward" --role button --app pcmanfm`, not(hasEntry(file))),
            sees(cmd`click box --role checkbox,toggle,button --app pcmanfm`, hasEntry(file)),
          ],
          check: all(hasEntry(file), hasEntry(folder), hasWindow("box")),
        };
      },
    },
  ],
};
