import { all, fileIs, hasWindow, isFolder, isThere, not, shows } from "../checks.ts";
import type { Data } from "../data.ts";
import { type Application, type Check, cmd, markOf, type Plan, refused, sees } from "../task.ts";

/** Thunar with a folder that holds these files, each with its own name as content. */
function withFiles(
  data: Data,
  names: readonly string[],
  folders: readonly string[] = [],
): Omit<Plan, "steps" | "check"> {
  const files = [...names, ...folders.map((folder) => `${folder}/.keep`)].map((name) => [`box/${name}`, name] as const);
  return { files: Object.fromEntries(files), open: ["thunar", data.path("box")], title: "box" };
}

const hasEntry = (name: string): Check => shows({ role: "table cell", name });

/** The icons of the first view are in no tree. */
const asList = sees(cmd`type --key ctrl+2 --app thunar`, shows({ role: "table column header", name: "Size" }));

export const thunar: Application = {
  name: "thunar",
  package: "thunar",
  program: "thunar",
  tasks: [
    {
      name: "rename a file by its dialog",
      plan: (data) => {
        const [one, two, next] = [`${data.word()}.txt`, `${data.word()}.txt`, `${data.word()}.md`];
        return {
          ...withFiles(data, [one, two]),
          steps: [
            asList,
            cmd`read --app thunar`,
            sees(cmd`select --id ${markOf("cell", two)}`, shows({ name: two, state: "selected" })),
            sees(cmd`type --key f2 --app thunar`, hasWindow("Rename")),
            cmd`set-value ${next} --id ${markOf("input", /.*/)}`,
            sees(cmd`click rename --role button --window Rename`, isThere(data.path(`box/${next}`))),
          ],
          check: all(fileIs(data.path(`box/${next}`), two), fileIs(data.path(`box/${one}`), one)),
        };
      },
    },
    {
      name: "make a folder by the menu",
      plan: (data) => {
        const [file, folder] = [`${data.word()}.txt`, data.phrase(2)];
        return {
          ...withFiles(data, [file]),
          steps: [
            asList,
            cmd`click file --role menu --app thunar`,
            sees(cmd`click "create folder" --app thunar`, hasWindow("Create New Folder")),
            refused(cmd`click "open parent" --role button --app thunar --window box`),
            cmd`set-value ${folder} --role input --on input --window "Create New Folder"`,
            sees(cmd`click create --role button --window "Create New Folder"`, isFolder(data.path(`box/${folder}`))),
            cmd`find ${folder} --app thunar`,
          ],
          check: all(isFolder(data.path(`box/${folder}`)), hasEntry(folder)),
        };
      },
    },
    {
      name: "copy a file into a folder",
      plan: (data) => {
        const [file, other, folder] = [`${data.word()}.txt`, `${data.word()}.txt`, data.word()];
        return {
          ...withFiles(data, [file, other], [folder]),
          steps: [
            asList,
            sees(cmd`click --id ${markOf("cell", file)}`, shows({ name: file, state: "selected" })),
            cmd`type --key ctrl+c --app thunar`,
            cmd`find ${folder} --app thunar`,
            sees(cmd`click --id ${markOf("cell", folder)} --double`, hasWindow(folder)),
            sees(cmd`type --key ctrl+v --app thunar`, isThere(data.path(`box/${folder}/${file}`))),
          ],
          check: all(fileIs(data.path(`box/${folder}/${file}`), file), fileIs(data.path(`box/${file}`), file)),
        };
      },
    },
    {
      name: "show hidden files",
      plan: (data) => {
        const [file, hidden] = [`${data.word()}.txt`, `.${data.word()}`];
        return {
          ...withFiles(data, [file, hidden]),
          steps: [
            asList,
            cmd`click view --role menu --app thunar`,
            sees(cmd`click "show hidden files" --app thunar`, hasEntry(hidden)),
            cmd`find ${hidden} --app thunar`,
            sees(cmd`type --key ctrl+h --app thunar`, not(hasEntry(hidden))),
            sees(cmd`type --key ctrl+h --app thunar`, hasEntry(hidden)),
          ],
          check: all(hasEntry(hidden), hasEntry(file)),
        };
      },
    },
    {
      name: "look at a file's properties and rename it there",
      plan: (data) => {
        const [file, next] = [`${data.word()}.txt`, `${data.word()}.txt`];
        return {
          ...withFiles(data, [file]),
          steps: [
            asList,
            cmd`select --id ${markOf("cell", file)}`,
            sees(cmd`type --key alt+enter --app thunar`, hasWindow("Properties")),
            cmd`read --window Properties`,
            cmd`set-value ${next} --id ${markOf("input", /name/i)}`,
            cmd`type --key enter --window Properties`,
            sees(cmd`click close --role button --window Properties`, not(hasWindow("Properties"))),
          ],
          check: fileIs(data.path(`box/${next}`), file),
        };
      },
    },
    {
      name: "go to a folder by its path, in a new tab",
      plan: (data) => {
        const [folder, file] = [data.word(), `${data.word()}.txt`];
        return {
          ...withFiles(data, [file], [folder]),
          steps: [
            asList,
            cmd`type --key ctrl+t --app thunar`,
            cmd`type --key ctrl+l --app thunar`,
            cmd`read --app thunar --roles input`,
            cmd`type ${data.path(`box/${folder}`)} --replace --id ${markOf("input", /.*/)}`,
            sees(cmd`type --key enter --app thunar`, hasWindow(folder)),
            sees(cmd`select box --role tab --app thunar`, hasWindow("box")),
          ],
          check: hasEntry(file),
        };
      },
    },
    {
      name: "throw a file away",
      plan: (data) => {
        const names = [data.word(), data.word(), data.word()].map((name) => `${name}.txt`);
        const gone = data.pick([0, 1, 2]);
        const [path, ...others] = [names[gone] ?? "", ...names.filter((_, index) => index !== gone)].map((name) =>
          data.path(`box/${name}`),
        );
        return {
          ...withFiles(data, names),
          steps: [
            asList,
            cmd`click --id ${markOf("cell", names[gone] ?? "")}`,
            cmd`click edit --role menu --app thunar`,
            cmd`find "move to trash" --app thunar`,
            cmd`click "move to trash" --app thunar`,
          ],
          check: all(not(isThere(path ?? "")), ...others.map((other) => isThere(other))),
        };
      },
    },
  ],
};
