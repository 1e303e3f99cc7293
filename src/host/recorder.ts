import { closeSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { makePrivateFolder, openRecordFile, type Places, readIfThere } from "../guard/places.ts";
import { messageOf, parseJson } from "../model/caught.ts";
import type { RecordedAction, StepPicture, TakenPicture } from "../model/demo.ts";
import type { DoneAction } from "../tools/session.ts";
import { Journal } from "./journal.ts";
import { describeAction, listNames } from "./recorded-action.ts";

/** Records the actions of one client: in the journal, and in the steps of a recording while there is one. */
export class Recorder {
  constructor(
    private readonly places: Pick<Places, "recording" | "steps" | "pictures">,
    private readonly client: string,
    private readonly journal = new Journal(),
  ) {}

  /** Whether a recording of this client's actions takes pictures. */
  get wantsPictures(): boolean {
    const text = readIfThere(this.places.recording);
    const given = parseJson(text ?? "");
    const hasNone = typeof given === "object" && given !== null && "pictures" in given && given.pictures === false;
    return text !== undefined && !hasNone && isMeant(text, this.client);
  }

  /** Returns why it could not be written down; the action itself was done. */
  record(done: DoneAction, takePicture?: () => TakenPicture | undefined): string | undefined {
    const action = this.journal.add(describeAction(done, this.client), listNames(done.effect));
    try {
      const text = readIfThere(this.places.recording);
      if (text === undefined || !isMeant(text, this.client)) return undefined;
      // A step without a place has nothing to show.
      const isPlaced = action.ref !== undefined || action.point !== undefined;
      const taken = isPlaced ? takePicture?.() : undefined;
      const picture = taken && writePicture(this.places.pictures, `${process.pid}-${action.n}`, taken);
      append(this.places.steps, picture === undefined ? action : { ...action, picture });
      return undefined;
    } catch (error) {
      return `the action was done, and is not in the recording: ${messageOf(error)}`;
    }
  }
}

/** The picture, and the list of what is in it under the same name. */
function writePicture(folder: string, name: string, { png, bbox, elements }: TakenPicture): StepPicture {
  makePrivateFolder(folder);
  const write = (file: string, data: string | Buffer): void =>
    writeFileSync(join(folder, file), data, { mode: 0o600, flag: "wx" });
  write(`${name}.png`, Buffer.from(png, "base64"));
  write(`${name}.json`, `${JSON.stringify({ elements })}\n`);
  return { file: `${name}.png`, bbox };
}

/** A recording may be that of one client, or of a person. Whoever wrote it, a file that is none records nothing. */
function isMeant(text: string, client: string): boolean {
  const given = parseJson(text);
  if (typeof given !== "object" || given === null || !("name" in given)) throw new Error("recording.json is damaged");
  if ("kind" in given && given.kind === "person") return false;
  return !("client" in given) || given.client === undefined || given.client === client;
}

/** One write for each line: lines of several processes do not mix, and a killed process leaves no half line. */
function append(path: string, action: RecordedAction): void {
  makePrivateFolder(dirname(path));
  const file = openRecordFile(path);
  try {
    const line = Buffer.from(`${JSON.stringify(action)}\n`);
    if (writeSync(file, line) < line.length) throw new Error("the disk is full");
  } finally {
    closeSync(file);
  }
}
