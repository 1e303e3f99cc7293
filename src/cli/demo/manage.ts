import { resolve } from "node:path";
import * as z from "zod/mini";
import {
  type ExportFormat,
  exportDemo,
  exportFolder,
  exportFormats,
  isFolderFormat,
} from "../../demo/exchange/export.ts";
import { writeFolder } from "../../demo/exchange/files.ts";
import { importDemo, isDatabase } from "../../demo/exchange/import.ts";
import { discardProposals } from "../../demo/heal.ts";
import { deletePictures, movePictures, picturesOf } from "../../demo/pictures.ts";
import { refuseExisting, writePrivate } from "../../demo/store.ts";
import { describeUsage, fail, succeed } from "../../model/failure.ts";
import { quoteArgument, quoteName } from "../../model/plain-text.ts";
import { folders } from "../../os/index.ts";
import { flatForms } from "../../show/csv.ts";
import { defineAnswer, defineCommand } from "../define.ts";
import { refuseOwnPlace } from "../output-file.ts";
import { tell } from "./ask.ts";
import { findPictures, openStore, readDemo } from "./open.ts";
import { saveDemo, savedAnswer } from "./save.ts";

export const rename = defineAnswer({
  name: "rename",
  summary: "Gives a stored demo another name.",
  words: [
    ["<name>", "its name"],
    ["<new>", "the new one"],
  ],
  output: () => z.strictObject({ renamed: z.string(), to: z.string(), file: z.string() }),
  forms: flatForms<{ readonly renamed: string; readonly to: string; readonly file: string }>(
    ({ renamed, to }) => `${quoteName(renamed)} is ${quoteName(to)} now`,
  ),
  async run(_flags, [name = "", to = ""]) {
    const store = openStore();
    const known = store.fileOf(name);
    if (!known.ok) return known;
    const demo = store.read(name, store.folder);
    if (!demo.ok) return demo;
    const saved = store.save({ ...demo.value, name: to });
    if (!saved.ok) return saved;
    const gone = store.delete(name);
    discardProposals(known.value);
    movePictures(known.value, saved.value);
    return gone.ok ? succeed({ renamed: name, to, file: saved.value }) : gone;
  },
});

export const remove = defineAnswer({
  name: "delete",
  summary: "Deletes a stored demo.",
  words: [["<name>", "its name"]],
  output: () => z.strictObject({ deleted: z.string() }),
  forms: flatForms<{ readonly deleted: string }>(({ deleted }) => `${quoteName(deleted)} is deleted`),
  async run(_flags, [name = ""]) {
    const gone = openStore().delete(name);
    if (gone.ok) discardProposals(gone.value);
    if (gone.ok) deletePictures(gone.value);
    return gone.ok ? succeed({ deleted: name }) : gone;
  },
});

export const exportOne = defineCommand({
  name: "export",
  summary: "Writes a demo in another form; without a file to standard output.",
  words: [
    ["<demo>", "the name of a demo, or the path of its file"],
    ["[file]", "where to; for som and parquet a new folder"],
  ],
  options: [
    [
      "--format <json|ts|skill|chrome|som|parquet>",
      "actions with elements, a program, a SKILL.md, a flow of Chrome's Recorder, pictures with numbered boxes, or a table (json)",
    ],
    ["--force", "in place of a file that exists"],
  ],
  examples: [
    "deskmap demo export invoice --format skill SKILL.md",
    "deskmap demo export invoice --format ts > invoice.ts",
    "deskmap demo export invoice --format chrome flow.json",
    "deskmap demo export invoice --format som marked/",
  ],
  async run({ format = "json", force }: { readonly format?: string; readonly force?: boolean }, [name = "", file]) {
    const chosen: ExportFormat | undefined = exportFormats.find((one) => one === format);
    if (chosen === undefined) {
      return fail(describeUsage(`no format is called ${JSON.stringify(format)}`, exportFormats.join(", ")));
    }
    const refused = file === undefined ? undefined : refuseOwnPlace("the file", file);
    if (refused !== undefined) return fail(refused);
    const demo = readDemo(name);
    if (!demo.ok) return demo;
    if (isFolderFormat(chosen)) {
      if (file === undefined) {
        const message = `--format ${chosen} writes pictures, and needs a folder`;
        return fail(describeUsage(message, `deskmap demo export ${quoteArgument(name)} --format ${chosen} FOLDER`));
      }
      const files = await exportFolder(demo.value, chosen, findPictures(name));
      return writeFolder(resolve(folders.working(), file), files);
    }
    const text = exportDemo(demo.value, chosen);
    if (file === undefined) return succeed(text.trimEnd());
    const path = resolve(folders.working(), file);
    const taken = force === true ? undefined : refuseExisting(path);
    return taken === undefined ? writePrivate(path, text) : fail(taken);
  },
});

interface ImportFlags {
  readonly name?: string;
  readonly replace?: boolean;
  readonly pictures?: boolean;
}

export const importOne = defineAnswer({
  name: "import",
  summary: "Stores a demo from a file: one of ours, a flow of Chrome's Recorder, or recording.db of openadapt-capture.",
  words: [["<file>", "the file"]],
  options: [
    ["--name <name>", "what it is to be called (its own name)"],
    [
      "--no-pictures",
      "leave the pictures out: those of another recorder show whatever was on the screen, also secrets",
    ],
    ["--replace", "in place of a demo of that name"],
  ],
  ...savedAnswer,
  async run({ name, replace, pictures = true }: ImportFlags, [file = ""]) {
    const path = resolve(folders.working(), file);
    if (isDatabase(path)) {
      const { importRecording } = await import("../../demo/exchange/openadapt.ts");
      const recording = importRecording(path, name);
      if (!recording.ok) return recording;
      const { demo, files, unpictured } = recording.value;
      if (unpictured > 0 && pictures)
        tell(`${unpictured} steps have no picture: the database has no screenshot of them`);
      return saveDemo(demo, replace === true, pictures ? files : "");
    }
    const demo = importDemo(path, name);
    return demo.ok ? saveDemo(demo.value, replace === true, pictures ? picturesOf(path) : "") : demo;
  },
});
