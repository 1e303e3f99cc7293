import { cleanLine } from "../model/plain-text.ts";
import { joinRows } from "./csv.ts";
import type { Forms } from "./output.ts";

/** A file for a report of a bug, and what is in it. */
export interface Bundle {
  readonly file: string;
  readonly parts: readonly { readonly name: string; readonly holds: string; readonly bytes: number }[];
}

export const bundleForms: Forms<Bundle, Bundle> = {
  data: (bundle) => bundle,
  text: ({ file, parts }) =>
    [
      `wrote ${cleanLine(file)}, which only you can read:`,
      ...parts.map(({ name, holds, bytes }) => `  ${name.padEnd(12)} ${String(bytes).padStart(8)} bytes  ${holds}`),
      "It holds no titles, no text of applications and no secrets of the environment. Look at it before you send it.",
    ].join("\n"),
  csv: ({ parts }) =>
    joinRows(
      "part,bytes,holds",
      parts.map(({ name, holds, bytes }) => [name, String(bytes), holds]),
    ),
};
