import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type App, apps } from "./apps.ts";

const title = "Counts its presses";
const pageRows = 300;
const typed = "hello";
const fixture = fileURLToPath(new URL("../../tests/fixtures/apps/counter.py", import.meta.url));

/** One instance of an application, and what is to be done in it. */
export interface Subject {
  readonly app: App;
  /** The control to act on. */
  readonly label: string;
  readonly role: "button" | "input";
  /** How often it was done, counted by the application itself. */
  countDone(): number;
  /** A text of the window after it was done so often. */
  expect(count: number): string;
  /** The command of Deskmap that does it, without the mark. */
  readonly command: readonly [string, ...string[]];
  /** Whether it does nothing. */
  readonly isDead: boolean;
  /** Where the browser's debugging port is found, if it has one. */
  findPort?(): number;
  close(): void;
}

const pressing = {
  label: "Count",
  role: "button",
  command: ["click"],
  isDead: false,
  expect: (count: number) => `${count} presses`,
} as const;

let instances = 0;

type Extra = "countdown" | "field";

function makeToolkit(folder: string, name: "gtk3" | "gtk4" | "qt5", toolkit: string, extra?: Extra): Subject {
  instances += 1;
  const state = join(folder, `${name}-${instances}.json`);
  const read = (): { readonly presses: readonly string[]; readonly text?: string } =>
    JSON.parse(readFileSync(state, "utf8"));
  const isField = extra === "field";
  return {
    ...pressing,
    ...(isField ? { label: "Field", role: "input", command: ["type", typed], expect: () => typed } : {}),
    app: {
      name,
      toolkit,
      title: new RegExp(`^${title}$`),
      prepare: () => ["/usr/bin/python3", fixture, state, title, name, ...(extra === undefined ? [] : [extra])],
    },
    countDone: () => (isField ? (read().text ?? "").split(typed).length - 1 : read().presses.length),
    close: () => undefined,
  };
}

/** A page of 600 controls, of which one counts its presses in a text beside it and reports each to a server. */
function makePage(name: "chromium" | "firefox", isTicking = false): Subject {
  let presses = 0;
  let profile = "";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => {
      presses += 1;
      return new Response("", { headers: { "access-control-allow-origin": "*" } });
    },
  });
  const count = `n++; shown.textContent = n + " presses"; fetch("http://127.0.0.1:${server.port}/")`;
  const rows = Array.from(
    { length: pageRows },
    (_, row) => `<p><a href="#${row}">Link ${row}</a> <button>Other ${row}</button></p>`,
  );
  const clock = `<p id=left>9999 s left</p><script>let s = 9999; setInterval(() => left.textContent = --s + " s left", 1000)</script>`;
  const page = `<!doctype html><meta charset=utf-8><title>${title}</title><script>let n = 0</script>
<button onclick='${count}'>${pressing.label}</button> <span id=shown>0 presses</span>${isTicking ? clock : ""}${rows.join("\n")}`;
  const base: App = apps[name];
  return {
    ...pressing,
    app: {
      ...base,
      toolkit: isTicking ? `${base.toolkit}, beside a countdown` : base.toolkit,
      title: new RegExp(title),
      prepare: (own) => {
        const [program, ...args] = base.prepare(own);
        writeFileSync(join(own, "page.html"), page);
        profile = join(own, "profile");
        return [program, ...(name === "chromium" ? ["--remote-debugging-port=0"] : []), ...args];
      },
    },
    countDone: () => presses,
    ...(name === "chromium" ? { findPort: () => readPort(profile) } : {}),
    close: () => server.stop(true),
  };
}

/** Chromium writes the port that it was given into its profile. */
function readPort(profile: string): number {
  return Number(readFileSync(join(profile, "DevToolsActivePort"), "utf8").split("\n")[0]);
}

export interface Row {
  readonly name: string;
  make(folder: string): Subject;
  /** The most milliseconds with a daemon running. */
  readonly ms: number;
  /** How many times as fast as before it is to be; 1: not slower. */
  readonly ratio: number;
  /** The most milliseconds without looking for the effect. */
  readonly unverifiedMs: number;
}

const usual = { ratio: 2.5, unverifiedMs: 100 };
const gtk3 = "GTK 3";

export const rows: readonly Row[] = [
  { ...usual, name: "gtk3", ms: 100, make: (folder) => makeToolkit(folder, "gtk3", gtk3) },
  { ...usual, name: "gtk4", ms: 150, make: (folder) => makeToolkit(folder, "gtk4", "GTK 4") },
  { ...usual, name: "qt5", ms: 220, ratio: 1, make: (folder) => makeToolkit(folder, "qt5", "Qt 5") },
  { ...usual, name: "chromium", ms: 300, make: () => makePage("chromium") },
  { ...usual, name: "firefox", ms: 300, make: () => makePage("firefox") },
  {
    ...usual,
    name: "gtk3-countdown",
    ms: 400,
    make: (folder) => makeToolkit(folder, "gtk3", `${gtk3}, beside a countdown`, "countdown"),
  },
  { ...usual, name: "chromium-countdown", ms: 400, make: () => makePage("chromium", true) },
  {
    ...usual,
    name: "gtk3-dead",
    ms: 700,
    make: (folder) => ({
      ...makeToolkit(folder, "gtk3", `${gtk3}, a press that does nothing`),
      label: "Other 1",
      isDead: true,
    }),
  },
  {
    ...usual,
    name: "gtk3-type",
    ms: 120,
    unverifiedMs: 50,
    make: (folder) => makeToolkit(folder, "gtk3", `${gtk3}, type ${typed}`, "field"),
  },
];
