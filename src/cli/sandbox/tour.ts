import { act, read } from "../../desktop/index.ts";
import { openSession } from "../../host/session.ts";
import { defaultTimeoutMs } from "../../model/default-timeout.ts";
import { flatten } from "../../model/element.ts";
import type { Env } from "../../model/env.ts";
import { exitCodeOf, type Result, succeed } from "../../model/failure.ts";
import type { Order } from "../../model/order.ts";
import { quoteArgument } from "../../model/plain-text.ts";
import type { View } from "../../model/view.ts";
import type { Sandbox } from "../../sandbox/index.ts";
import { showEffect } from "../../show/effect.ts";
import { showFailure } from "../../show/failure.ts";
import { showView } from "../../show/text.ts";
import { defineCommand } from "../define.ts";
import { frame, printNow } from "../output.ts";

const startDeadlineMs = 20_000;
const pollMs = 100;
const shownPerWindow = 25;
const applications = [["mousepad"], ["gnome-calculator"]] as const;

/** `npm start`: shows Deskmap at work on the running desktop, or in a sandbox if there is none. */
export const tour = defineCommand({
  name: "tour",
  summary: "",
  description: "Show Deskmap at work: on this desktop or, where there is none, on a private one.",
  options: [
    ["--timeout-ms <n>", `time allowed for each application to answer (${defaultTimeoutMs})`],
    ["--no-daemon", "do not use a running daemon (there is none yet)"],
  ],
  async run(flags: { readonly timeoutMs?: string }) {
    process.exitCode = await runTour(Number(flags.timeoutMs) || defaultTimeoutMs);
    return succeed(undefined);
  },
});

async function runTour(timeoutMs: number): Promise<number> {
  const own = await readOnce(process.env, timeoutMs);
  if (own.ok && own.value.windows.length > 0) {
    say("This desktop, as Deskmap reads it:\n");
    say(frame(showView(own.value, { withPoints: false, isFlat: false }), 1));
    return showTour(own.value, "./deskmap");
  }
  say(
    "No desktop with open windows answers here, so a private one is opened: its own display, buses and applications.",
  );
  const { tryOpenSandbox } = await import("../../sandbox/index.ts");
  const opened = await tryOpenSandbox({ width: 1280, height: 800 });
  if (!opened.ok) {
    process.stderr.write(`${showFailure(opened.failure)}\n`);
    return exitCodeOf(opened.failure.code);
  }
  const sandbox = opened.value;
  try {
    return await showSandbox(sandbox, timeoutMs);
  } finally {
    await sandbox.close();
  }
}

async function showSandbox(sandbox: Sandbox, timeoutMs: number): Promise<number> {
  for (const words of applications) sandbox.spawn(words, { stdio: "ignore" });
  const ready = await readWhenReady(sandbox.env, applications.length, timeoutMs);
  if (!ready.ok) {
    process.stderr.write(`${frame(showFailure(ready.failure), 2)}\n`);
    return exitCodeOf(ready.failure.code);
  }
  const view = ready.value;
  const { describeBoundary } = await import("../../sandbox/index.ts");
  say(`Private desktop "${sandbox.name}" on display ${sandbox.display}; ${describeBoundary(sandbox.boundary)}.`);
  say("As Deskmap reads it:\n");
  say(frame(showView(view, { withPoints: false, isFlat: false }), 1));
  say("\nIt acts as well, and says what it saw happen:\n");
  await showActs(sandbox.env, timeoutMs);
  if (!process.stdout.isTTY) {
    // This sandbox closes with the command, so the hints open another one.
    return showTour(view, "./deskmap sandbox exec demo -- ./deskmap", [
      "./deskmap sandbox --detach --name demo -- mousepad",
    ]);
  }
  const exitCode = showTour(view, `./deskmap sandbox exec ${sandbox.name} -- ./deskmap`);
  say("The private desktop stays open for you. Press Ctrl-C to close it.");
  await Promise.race([waitForSignal(), sandbox.ended]);
  return exitCode;
}

function showTour(view: View, command: string, first: readonly string[] = []): number {
  const shown = view.windows.find((window) => window.elements.length > 0)?.window.app ?? "NAME";
  const app = first.length > 0 ? "mousepad" : shown;
  const next = [
    ...first,
    `${command} list`,
    `${command} read --app ${quoteArgument(app)} --interactive --points`,
    `${command} click file --app ${quoteArgument(app)} --dry-run`,
    "./deskmap --help",
  ];
  say(`
Each number is a mark: it means that control, and no other, in every later read.

Try next:
${next.map((line) => `  ${line}`).join("\n")}`);
  return 0;
}

/** Only in a sandbox: nothing is pressed on a person's own desktop for show. */
const acts: readonly (readonly [line: string, app: string, words: string, order: Order])[] = [
  ["click 7 --app calculator", "calculator", "7", { kind: "click", button: "left", count: 1 }],
  [
    'type "Grüße, мир 🙂" --on input --app mousepad',
    "mousepad",
    "input",
    { kind: "type", text: "Grüße, мир 🙂", delayMs: 0 },
  ],
];

async function showActs(env: Env, timeoutMs: number): Promise<void> {
  const session = openSession(env, timeoutMs);
  try {
    const desktop = await session.openToAct();
    if (!desktop.ok) return say(frame(showFailure(desktop.failure), 1));
    for (const [line, app, words, order] of acts) {
      const aim = { by: "words" as const, words };
      const effect = await act(desktop.value, { tool: order.kind, app, aim, order, isDryRun: false, timeoutMs });
      say(`$ deskmap ${line}\n${frame(effect.ok ? showEffect(effect.value) : showFailure(effect.failure), 1)}\n`);
    }
  } finally {
    session.close();
  }
}

async function readOnce(env: Env, timeoutMs: number): Promise<Result<View>> {
  const session = openSession(env, timeoutMs);
  try {
    const desktop = await session.openDesktop();
    if (!desktop.ok) return desktop;
    return await read(desktop.value, { includeHidden: false, vision: "off", timeoutMs, max: shownPerWindow });
  } finally {
    session.close();
  }
}

/** Waits until every application shows a window and two reads agree. */
async function readWhenReady(env: Env, windowCount: number, timeoutMs: number): Promise<Result<View>> {
  const deadline = performance.now() + startDeadlineMs;
  let previous = -1;
  for (;;) {
    const view = await readOnce(env, timeoutMs);
    const windows = view.ok ? view.value.windows : [];
    const count = view.ok ? flatten(windows.flatMap((window) => window.elements)).length : -1;
    const isWhole = view.ok && windows.filter((window) => window.elements.length > 0).length >= windowCount;
    if ((isWhole && count === previous) || performance.now() > deadline) return view;
    previous = count;
    await Bun.sleep(pollMs);
  }
}

function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}

function say(text: string): void {
  printNow(`${text}\n`);
}
