import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { countEdits } from "../src/find/nearest.ts";
import { type Field, openField } from "../tests/desktop/input-scene.ts";
import { isQuick } from "./lab/options.ts";
import { describeMisses, publish } from "./lab/results.ts";
import { formatTable, showMs, showRange, spreadOf } from "./lab/table.ts";

const rounds = isQuick ? 2 : 7;
const length = 200;
const own = fileURLToPath(new URL("./contestants/typing-own.ts", import.meta.url));

/** German, Russian, Chinese, Japanese, emoji, combining marks; a terminal passes on lines of a few hundred bytes. */
const lines = [
  "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. ÄÖÜß €\n",
  "Съешь же ещё этих мягких французских булок, да выпей чаю. № «ЁЖ»\n",
  "天地玄黃 宇宙洪荒 いろはにほへと 「カナ」 😀🎉👍🏽🚀 e\u0301 a\u0308 n\u0303 o\u0323 語 文 字 é 🙂\n",
  "Fix, Schwyz! quäkt Jürgen blöd vom Paß.\n",
];
const text = cutTo(lines.join(""), length);

function cutTo(whole: string, count: number): string {
  const characters = [...whole];
  if (characters.length < count) throw new Error(`the text has only ${characters.length} characters`);
  return `${characters.slice(0, count - 1).join("")}\n`;
}

const fields = [
  { name: "mousepad", shown: "mousepad (GTK 3)" },
  { name: "gtk4", shown: "text view (GTK 4)" },
  { name: "qt5", shown: "text field (Qt 5)" },
  { name: "xterm", shown: "xterm" },
] as const;
const contestants: Readonly<Record<string, readonly [string, ...string[]]>> = {
  Deskmap: [process.execPath, own, text],
  "xdotool type": ["xdotool", "type", text],
  "xdotool type --delay 0": ["xdotool", "type", "--delay", "0", text],
};

interface Trial {
  readonly errors: number;
  readonly ms: number;
  /** Without the start of the process, if the contestant reports it. */
  readonly insideMs: number | undefined;
}

async function tryOnce(field: Field, [program, ...args]: readonly [string, ...string[]]): Promise<Trial> {
  const before = await readStill(field, "");
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, { env: field.scene.sandbox.env, encoding: "utf8" });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.slice(-500)}`);
  const after = await readStill(field, before + text);
  // Typing at the end does not change earlier text.
  const typed = after.startsWith(before) ? after.slice(before.length) : after;
  return { errors: countEdits(typed, text), ms, insideMs: stdout.trim() === "" ? undefined : Number(stdout) };
}

const stillMs = 1500;

/** The content of the field, once it is as expected or has not changed for a while. */
async function readStill(field: Field, expected: string): Promise<string> {
  let seen = field.read();
  for (let since = performance.now(); seen !== expected && performance.now() - since < stillMs; ) {
    await Bun.sleep(50);
    const now = field.read();
    if (now !== seen) since = performance.now();
    seen = now;
  }
  return seen;
}

const rows: string[][] = [];
const misses: string[] = [];
for (const { name, shown } of fields) {
  const trials = new Map<string, Trial[]>(Object.keys(contestants).map((contestant) => [contestant, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [contestant, command] of Object.entries(contestants)) {
      // A new field each time, so that no contestant is affected by what another one left behind.
      const field = await openField(name);
      try {
        field.scene.run("setxkbmap", "us");
        trials.get(contestant)?.push(await tryOnce(field, command));
      } finally {
        await field.close();
      }
    }
    console.log(`  ${shown} ${round + 1}/${rounds}`);
  }
  for (const [contestant, results] of trials) {
    const [errors, ms] = [spreadOf(results.map((trial) => trial.errors)), spreadOf(results.map((trial) => trial.ms))];
    const inside = results.flatMap(({ insideMs }) => (insideMs === undefined ? [] : [insideMs]));
    const wrong = results.filter((trial) => trial.errors > 0).length;
    rows.push([
      shown,
      contestant,
      String(errors.median),
      `${errors.min}–${errors.max}`,
      `${wrong} of ${results.length}`,
      showMs(ms.median),
      showRange(ms),
      inside.length === 0 ? "—" : showMs(spreadOf(inside).median),
    ]);
    if (contestant === "Deskmap" && wrong > 0) misses.push(`${wrong} of ${results.length} texts wrong in ${shown}`);
  }
}
publish("Typing Unicode text", [
  `${length} characters (${new Set(text).size} different: German, Russian, Chinese, Japanese, emoji, combining marks) typed under the ` +
    "us layout into an empty field of an application of its own for each trial, and read back through pyatspi; of xterm, from " +
    "the file into which `cat` writes. Errors are characters to add, drop or replace. The whole process is counted, from its " +
    "start to its end; Deskmap runs from source, and what the typing alone takes is in the last column. Deskmap returns when " +
    "the application has handled all of it; xdotool when the X server has.",
  formatTable({
    head: ["application", "contestant", "errors", "min–max", "texts wrong", "median ms", "min–max ms", "typing alone"],
    rows,
  }),
  `Bar: no error of Deskmap's. ${describeMisses(misses)}`,
]);
