import { confirmAtTerminal } from "../../guard/approval/pin.ts";
import { FileRecords } from "../../guard/audit/file-records.ts";
import { findPlaces, type Places } from "../../guard/places.ts";
import { type Change, listChanges } from "../../guard/policy/changes.ts";
import { acceptPolicy } from "../../guard/policy/edit.ts";
import { readPolicyFile } from "../../guard/policy/file.ts";
import { readPolicyText } from "../../guard/policy/schema.ts";
import { readSeal } from "../../guard/policy/seal.ts";
import type { Env } from "../../model/env.ts";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { showLocalTime } from "../../model/local-time.ts";
import { isInsideSandbox } from "../../sandbox/inside.ts";
import { count } from "../../show/remembered.ts";

export interface Acceptance {
  readonly path: string;
  readonly accepted: boolean;
  readonly words: string;
}

/** Shows a person what would change. What is accepted is the text that was shown, even if the file changes meanwhile. */
export async function acceptAtTerminal(env: Env): Promise<Result<Acceptance>> {
  const places = findPlaces(env);
  const { policy: path } = places;
  if (isInsideSandbox(env)) return keep(path, "on a private desktop a policy needs no person to accept it");
  const read = await readPolicyFile(places);
  if (!read.ok) return read;
  const { text, written } = read.value;
  const seal = readSeal(places);
  if (seal === undefined && text === undefined) return keep(path, `${path} does not exist: the defaults apply`);
  const known = seal === undefined || "problem" in seal ? undefined : seal;
  if (known !== undefined && known.text === text) return keep(path, `${path} was accepted before, and has not changed`);
  const accepted = known?.text === undefined ? undefined : readPolicyText(known.text);
  const changes = listChanges(accepted !== undefined && "value" in accepted ? accepted.value : undefined, written);
  const against = known === undefined ? "the defaults, since none was accepted before" : showLocalTime(known.atMs);
  const looser = changes.filter(({ isLooser }) => isLooser).length;
  const question = [
    text === undefined ? `${path} is gone: the defaults would apply.` : `${path} would take effect as it is now.`,
    `What changes against ${against}:`,
    ...changes.map(showChange),
    changes.length === 0
      ? `  ${nothingElse}`
      : `${count(changes.length, "change")}, of which ${looser} may let programs see or do more.`,
  ].join("\n");
  const yes = await confirmAtTerminal(question, { places });
  const words = changes.map(showChange).join("; ").slice(0, longestNote) || nothingElse;
  const done = record(places, words, yes);
  if (!done.ok) return done;
  const sealed = acceptPolicy(places, text);
  if (!sealed.ok) return sealed;
  const told = text === undefined ? "the defaults are in effect" : `${path} is in effect`;
  return succeed({ path, accepted: true, words: told });
}

const longestNote = 2000;
const nothingElse = "nothing but comments and layout";

function keep(path: string, words: string): Result<Acceptance> {
  return succeed({ path, accepted: false, words });
}

/** Logs the answer, a no as well, before anything is changed. */
function record(places: Places, words: string, yes: Result<void>): Result<void> {
  const entry = { client: "a person at a terminal", tool: "policy accept", words } as const;
  const written = new FileRecords(places).write(
    yes.ok
      ? { what: "policy", ...entry, effect: "accepted", approval: "terminal" }
      : { what: "refused", ...entry, effect: yes.failure.reason ?? "no" },
  );
  if (!yes.ok) return yes;
  return written.ok ? succeed(undefined) : fail(written.failure);
}

function showChange({ words, isLooser }: Change): string {
  return `  ${isLooser ? "looser? " : "        "}${words}`;
}
