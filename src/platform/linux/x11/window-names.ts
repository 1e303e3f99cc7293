import { cleanText } from "../../../model/plain-text.ts";
import { readProgramNames } from "../program-names.ts";

export const maxTitleLength = 300;

/** What a window says of itself, and what the server knows of it. */
export interface NameFacts {
  readonly instance: string;
  readonly className: string;
  readonly saidPid: number;
  /** Of the process that really made the window. */
  readonly knownPid: number | undefined;
}

/**
 * By which names an application is called. A window may bear any class and any process id: the program that the server
 * knows is a name too, so that what is said of it holds whatever the window says.
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
    // The last one names the application in the map.
    aliases: [...known, instance, className, ...said].map(clean).filter((name) => name !== ""),
  };
}
