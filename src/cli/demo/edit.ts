import {
  deleteSteps,
  type Edited,
  moveStep,
  noteStep,
  renameParameter,
  repickStep,
  retypeParameter,
  settleDoubts,
} from "../../demo/edit.ts";
import { openDemoFile, writeEdited } from "../../demo/edit-file.ts";
import type { Demo } from "../../demo/file.ts";
import { pickTarget } from "../../demo/pick-target.ts";
import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import { folders } from "../../os/index.ts";
import { readInput } from "../../tools/arguments.ts";
import { listOptions } from "../../tools/define.ts";
import { element } from "../../tools/element.ts";
import { defineAnswer } from "../define.ts";
import { editByHand } from "./edit-by-hand.ts";
import { openStore, readDemo, withHost } from "./open.ts";
import { describeSaved, savedAnswer } from "./save.ts";

/** How a control is pointed at: as `deskmap element` has it. */
const pointing = listOptions(element).filter(({ isWord, type }) => !isWord && type !== "boolean");

interface EditFlags extends Readonly<Record<string, unknown>> {
  readonly delete?: string;
  readonly sure?: string;
  readonly move?: string;
  readonly to?: string;
  readonly renameParam?: string;
  readonly typeParam?: string;
  readonly step?: string;
  readonly note?: string;
  readonly repick?: string;
}

export const edit = defineAnswer({
  name: "edit",
  summary: "Changes a demo: deletes, moves and notes steps, renames parameters, gives a step another control.",
  description:
    "Without options it opens a copy in $VISUAL or $EDITOR, and takes it over if it is a demo still. Links between steps are kept; what would break one is refused.",
  words: [
    ["<demo>", "the name of a demo, or the path of its file"],
    ["[words...]", "with --repick: the control by words, as find takes them"],
  ],
  options: [
    ["--delete <n,m>", "these steps, with the parameters that only they use"],
    ["--move <n>", "this step, with --to"],
    ["--to <n>", "where the moved step is to stand"],
    ["--rename-param <old=new>", "another name for a parameter, wherever it is used"],
    ["--type-param <name=type>", "another type for a parameter: text, email, date, number or path"],
    ["--step <n>", "the step that --note is written to"],
    ["--note <text>", 'what a person should know about the step; "" removes it'],
    ["--sure <n,m>", "you have looked at these steps: what was doubted of them is right"],
    ["--repick <n>", "gives this step the control that is pointed at, by --id, words or --at"],
    ...pointing.map(({ flag, value, description }) => [`${flag} <${value}>`, description] as const),
  ],
  notes:
    "Steps are numbered as demo show does, before the change. The former ref of a step stays in the file. A file that somebody else has changed meanwhile is not written.",
  examples: [
    "deskmap demo edit invoice",
    "deskmap demo edit invoice --delete 3,4",
    "deskmap demo edit invoice --move 5 --to 2",
    "deskmap demo edit invoice --rename-param text=customer --type-param amount=number",
    'deskmap demo edit invoice --step 2 --note "only for customers abroad"',
    "deskmap demo edit invoice --sure 3",
    "deskmap demo edit invoice --repick 4 --id 12",
    "deskmap demo edit invoice --repick 4 save as --app mousepad",
  ],
  ...savedAnswer,
  async run(flags: EditFlags, [name = "", ...words]) {
    const found = openStore().find(name, folders.working());
    if (!found.ok) return found;
    // Told with the names that are there.
    const known = readDemo(name);
    if (!known.ok) return known;
    const opened = openDemoFile(found.value);
    if (!opened.ok) return opened;
    const changes = readChanges(flags, words);
    if (!changes.ok) return changes;
    const edited =
      changes.value.length === 0 ? await editByHand(opened.value) : await applyAll(opened.value.demo, changes.value);
    if (!edited.ok) return edited;
    const written = edited.value === undefined ? opened : writeEdited(opened.value, edited.value);
    return written.ok ? succeed(describeSaved(written.value.demo, written.value.file)) : written;
  },
});

type Change = (demo: Demo) => Result<Edited> | Promise<Result<Edited>>;

/** Those that renumber the steps come last, and only one of them. */
function readChanges(flags: EditFlags, words: readonly string[]): Result<readonly Change[]> {
  const { delete: deleted, sure, move, to, renameParam, typeParam, step, note, repick } = flags;
  const where = readInput(pointing, flags);
  const pointed = { ...where, ...(words.length === 0 ? {} : { words: words.join(" ") }) };
  const wrong = findMisuse(flags, Object.keys(pointed));
  if (wrong !== undefined) return fail(describeUsage(...wrong));
  const changes: Change[] = [];
  if (renameParam !== undefined) {
    const pair = readPair(renameParam);
    if (pair === undefined)
      return fail(describeUsage("--rename-param takes two names", "--rename-param text=customer"));
    changes.push((demo) => renameParameter(demo, ...pair));
  }
  if (typeParam !== undefined) {
    const pair = readPair(typeParam);
    if (pair === undefined)
      return fail(describeUsage("--type-param takes a name and a type", "--type-param amount=number"));
    changes.push((demo) => retypeParameter(demo, ...pair));
  }
  const numbers = { step, repick, move, to };
  for (const [option, given] of Object.entries(numbers)) {
    if (given !== undefined && readNumber(given) === undefined) return fail(describeNumber(option, given));
  }
  const [noted, repicked, moved, place] = [step, repick, move, to].map((one) => readNumber(one ?? ""));
  if (noted !== undefined && note !== undefined) changes.push((demo) => noteStep(demo, noted, note));
  if (repicked !== undefined) changes.push((demo) => repickBy(demo, repicked, pointed));
  if (sure !== undefined) {
    const settled = readNumbers(sure);
    if (settled === undefined) return fail(describeNumber("sure", sure));
    changes.push((demo) => settleDoubts(demo, settled));
  }
  if (moved !== undefined && place !== undefined) changes.push((demo) => moveStep(demo, moved, place));
  if (deleted !== undefined) {
    const every = readNumbers(deleted);
    if (every === undefined) return fail(describeNumber("delete", deleted));
    changes.push((demo) => deleteSteps(demo, every));
  }
  return succeed(changes);
}

/** Undefined if one of them is none. */
function readNumbers(list: string): readonly number[] | undefined {
  const all = list.split(",").map(readNumber);
  const every = all.filter((n) => n !== undefined);
  return every.length < all.length ? undefined : every;
}

function findMisuse(
  { delete: deleted, move, to, step, note, repick }: EditFlags,
  pointed: readonly string[],
): [message: string, suggestion: string] | undefined {
  if ((move === undefined) !== (to === undefined)) return ["--move and --to belong together", "--move 5 --to 2"];
  if ((step === undefined) !== (note === undefined))
    return ["--step and --note belong together", '--step 2 --note "…"'];
  if (repick === undefined && pointed.length > 0)
    return ["a control is pointed at for --repick only", "--repick 4 --id 12"];
  if (repick !== undefined && pointed.length === 0) {
    return ["--repick needs the control that the step is to have", "--repick 4 --id 12, or words, or --at X,Y"];
  }
  if (move !== undefined && deleted !== undefined) {
    return ["--move and --delete both renumber the steps", "one after the other."];
  }
  return undefined;
}

async function applyAll(demo: Demo, changes: readonly Change[]): Promise<Result<Edited>> {
  let edited: Edited = { demo, places: (n) => n };
  for (const change of changes) {
    const next = await change(edited.demo);
    if (!next.ok) return next;
    edited = next.value;
  }
  return succeed(edited);
}

async function repickBy(demo: Demo, n: number, where: Readonly<Record<string, unknown>>): Promise<Result<Edited>> {
  const target = await withHost((host) => pickTarget(host, where));
  return target.ok ? repickStep(demo, n, target.value, Date.now()) : target;
}

function readPair(given: string): [string, string] | undefined {
  const [, left = "", right = ""] = /^([^=]+)=([^=]+)$/.exec(given) ?? [];
  return left === "" ? undefined : [left.trim(), right.trim()];
}

function readNumber(given: string): number | undefined {
  return /^\s*[1-9]\d{0,4}\s*$/.test(given) ? Number(given) : undefined;
}

function describeNumber(option: string, given: string) {
  return describeUsage(
    `--${option} ${JSON.stringify(given)} is no number of a step`,
    "deskmap demo show lists the steps.",
  );
}
