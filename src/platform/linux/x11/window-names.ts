import { cleanText } from "../../../model/plain-text.ts";
import { readProgramNames } from "../program-names.ts";

export const maxTitleLength = 300;

/** A window's own claims, and what the server knows. */
export interface NameFacts {
  readonly instance: string;
  readonly className: string;
  readonly saidPid: number;
  /** The process that really created the window. */
  readonly knownPid: number | undefined;
}

/**
 * The names of an application. A window may claim any class and pid: the program known to the server is a name too, so
 * that rules for it apply whatever the window claims.
 */
export function nameApplication({ instance, className, saidPid, knownPid }: NameFacts): {
  readonly app: string;
  readonly aliases: readonly string[];
} {
  const said = readProgramNames(saidPid);
  const known = knownPid === undefined || knownPid === saidPid ? [] : readProgramNames(knownPid);
  const clean = (name: string): string => cleanText(name, maxTitleLength);
  return {
    app: clean(className || instance || said.at(-1) || known.at(-1) || "unknown"),
    // The last one identifies the application in the map.
    aliases: [...known, instance, className, ...said].map(clean).filter((name) => name !== ""),
  };
}
