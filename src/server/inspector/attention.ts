import { dirname } from "node:path";
import { FileRecords } from "../../guard/audit/file-records.ts";
import { findPlaces } from "../../guard/places.ts";
import type { Host } from "../../host/port.ts";
import type { Attention } from "../../inspector/activity.ts";
import { Answering, elsewhereHint } from "./answering.ts";
import { FolderWatch } from "./folder-watch.ts";
import type { PanelContext } from "./panel.ts";

/** One for all pages of a process: they answer in the same place. */
const places = new WeakMap<Host, Answering>();

export function findAnswering({ host, env }: PanelContext): Answering {
  const known = places.get(host) ?? new Answering(findPlaces(env));
  places.set(host, known);
  return known;
}

/** Tells one page, as long as it is there, what waits for a person and whether everything is stopped. */
export async function attend(context: PanelContext): Promise<void> {
  const { signal, env } = context;
  const answering = findAnswering(context);
  const { state, surfaces, pin } = findPlaces(env);
  const records = new FileRecords(findPlaces(env));
  const stirring = new FolderWatch([state, surfaces, dirname(pin)], signal);
  const leave = answering.enter();
  let told = "";
  try {
    while (!signal.aborted) {
      const now = lookSafely(answering, records);
      const text = JSON.stringify(now);
      if (text !== told) await context.push("activity.attention", now);
      told = text;
      await stirring.next();
    }
  } finally {
    leave();
  }
}

/** State that cannot be read is told, and looked for again: nothing can be answered meanwhile. */
function lookSafely(answering: Answering, records: FileRecords): Attention {
  try {
    return look(answering, records);
  } catch (error) {
    const hint = error instanceof Error ? error.message : String(error);
    return { questions: [], place: "elsewhere", hasPin: false, hint };
  }
}

function look(answering: Answering, records: FileRecords): Attention {
  const place = answering.findPlace();
  return {
    questions: answering.list(),
    place,
    hasPin: answering.hasPin,
    hint: place === "elsewhere" ? elsewhereHint : undefined,
    stop: records.findStop(),
  };
}
