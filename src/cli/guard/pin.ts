import {
  askForPin,
  describeDamaged,
  describeNoTerminal,
  leastPinLength,
  readPin,
  removePin,
  savePin,
} from "../../guard/approval/pin.ts";
import { Terminal } from "../../guard/approval/terminal.ts";
import { FileRecords } from "../../guard/audit/file-records.ts";
import { findPlaces, type Places } from "../../guard/places.ts";
import { describeUsage, type Failure, fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import { defineCommand } from "../define.ts";

const notes = `With a PIN, whoever answers in deskmap approve, runs deskmap allow or deskmap resume, or changes the policy must know it.
After three wrong ones there is a wait, which grows. It is kept as a key made with scrypt, never as it is.`;

export const pin = defineCommand({
  name: "pin",
  summary: "Sets or removes the PIN that approvals need.",
  words: [["<set|clear>", ""]],
  notes,
  examples: ["deskmap pin set", "deskmap pin clear"],
  run: (_flags, [word = ""]) => run(word, findPlaces(process.env)),
});

async function run(word: string, places: Places): Promise<Result<string>> {
  if (word !== "set" && word !== "clear") {
    return fail(
      describeUsage(`pin has no part called ${JSON.stringify(word)}`, "deskmap pin set, or deskmap pin clear"),
    );
  }
  const terminal = Terminal.open();
  if (terminal === undefined) return fail(describeNoTerminal());
  try {
    const known = await askForOld(places, terminal);
    if (!known.ok) return known;
    const changed = word === "set" ? await set(places, terminal) : clear(places, known.value);
    if (!changed.ok) return changed;
    const entry = { what: "policy", client: "a person at a terminal", words: changed.value } as const;
    const written = new FileRecords(places).write(entry);
    return written.ok ? changed : written;
  } finally {
    terminal.close();
  }
}

/** Asks for the current PIN; the result says whether there was one. */
async function askForOld(places: Places, terminal: Terminal): Promise<Result<boolean>> {
  const old = readPin(places);
  if (old === undefined) return succeed(false);
  if (old === "damaged") return fail(describeDamaged(places));
  terminal.write("First, ");
  const key = await askForPin(places, old, terminal, () => false);
  return key.ok ? succeed(true) : key;
}

async function set(places: Places, terminal: Terminal): Promise<Result<string>> {
  const first = await terminal.askHidden(`Type the new PIN, at least ${leastPinLength} characters: `, () => false);
  if (first === undefined || first.length < leastPinLength) return fail(refuse("it is too short"));
  const second = await terminal.askHidden("Once more: ", () => false);
  if (first !== second) return fail(refuse("they are not the same"));
  savePin(places, first);
  return succeed("the PIN is set");
}

function clear(places: Places, wasSet: boolean): Result<string> {
  removePin(places);
  return succeed(wasSet ? "the PIN is gone" : "no PIN was set");
}

function refuse(why: string): Failure {
  return { ...makeFailure("REFUSED", `no PIN was set: ${why}`, "deskmap pin set"), reason: "denied" };
}
