import { setTimeout as pause } from "node:timers/promises";
import { showPages } from "../../guard/approval/content.ts";
import { onceQuestion, readVerdict, showQuestion } from "../../guard/approval/describe.ts";
import { describeNoTerminal } from "../../guard/approval/pin.ts";
import type { Shown, Surface } from "../../guard/approval/surface.ts";
import { Terminal } from "../../guard/approval/terminal.ts";
import { findPlaces, type Places } from "../../guard/places.ts";
import { fail, type Result, succeed } from "../../model/failure.ts";
import { defineCommand } from "../define.ts";

const lookAgainMs = 60;
const closingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const notes = `Leave it open in a terminal of its own. Whenever a program wants to do something sensitive (delete, send, pay, overwrite,
log out, shut down, install, grant, run or end a program), it is shown here, with 60 seconds to answer: y allows that one
action once; n, Ctrl-C and silence do not. While it waits, Deskmap does nothing else on this desktop, so nothing can be
typed or clicked here by it. Where this is open nowhere, such actions are refused at once.`;

export const approve = defineCommand({
  name: "approve",
  summary: "Allow or refuse sensitive actions: shows each that a program wants to do.",
  notes,
  run: () => ask(findPlaces(process.env)),
});

async function ask(places: Places): Promise<Result<undefined>> {
  const terminal = Terminal.open();
  if (terminal === undefined) return fail(describeNoTerminal());
  const surface = await openSurface(places, terminal);
  if (!surface.ok) return surface;
  let isClosing = false;
  const close = (): void => {
    isClosing = true;
  };
  for (const signal of closingSignals) process.on(signal, close);
  try {
    terminal.write("Deskmap asks here before sensitive actions. Ctrl-C closes it; then they are refused.\n");
    while (!isClosing) {
      for (const shown of surface.value.listPending()) {
        if (!isClosing) await answer(surface.value, terminal, shown, () => isClosing);
      }
      await pause(lookAgainMs);
    }
    return succeed(undefined);
  } finally {
    surface.value.close();
    terminal.close();
  }
}

/** If a PIN is set, a surface needs it. */
async function openSurface(places: Places, terminal: Terminal): Promise<Result<Surface>> {
  const [{ Surface: Opened }, { askForPin, describeDamaged, readPin, vouch }] = await Promise.all([
    import("../../guard/approval/surface.ts"),
    import("../../guard/approval/pin.ts"),
  ]);
  const pin = readPin(places);
  if (pin === "damaged") return fail(describeDamaged(places));
  if (pin === undefined) return succeed(Opened.open(places));
  terminal.write("To answer here, ");
  const key = await askForPin(places, pin, terminal, () => false);
  return key.ok ? succeed(Opened.open(places, (publicKey) => vouch(key.value, publicKey))) : key;
}

async function answer(surface: Surface, terminal: Terminal, shown: Shown, isClosing: () => boolean): Promise<void> {
  const seconds = Math.max(0, Math.round((shown.request.untilMs - Date.now()) / 1000));
  terminal.write(showQuestion(shown.request, shown.code, seconds));
  const isOver = (): boolean => isClosing() || !surface.isPending(shown);
  const read = await showPages(terminal, shown.request.content, isOver);
  for (;;) {
    const typed = read === "shown" ? await terminal.ask(onceQuestion, isOver) : read === "no" ? "n" : undefined;
    if (typed === undefined && isOver()) {
      surface.ignore(shown);
      return terminal.write(`\nRequest ${shown.code} is over: nobody waits for an answer any more.\n`);
    }
    const verdict = typed === undefined ? "no" : readVerdict(typed);
    if (verdict === undefined) continue;
    surface.answer(shown, verdict);
    return terminal.write(verdict === "yes" ? `Allowed once: ${shown.code}.\n` : `Not allowed: ${shown.code}.\n`);
  }
}
