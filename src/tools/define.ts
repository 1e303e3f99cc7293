import type * as z from "zod/mini";
import type { Failure, Result } from "../model/failure.ts";
import type { Session } from "../session.ts";

/** One result in every form that somebody may ask for; only the form asked for is made. */
export interface Shown {
  text(): string;
  json(isPretty: boolean): string;
  csv(): string;
  /** 0 unless the answer itself is that something is not as it should be. */
  readonly exitCode?: number;
}

/** What a client may rely on that decides by itself whether a person is to be asked; what a tool is not, it does not say. */
interface Hints {
  /** It changes nothing. Left out, it is as the list of tools says. */
  readonly isReadOnly?: boolean;
  /** It can take away what is there. */
  readonly isDestructive?: boolean;
  /** Done twice it does no more than once. */
  readonly isIdempotent?: boolean;
}

/** A tool in few words, for a client that pays for each of them all day. */
interface Daily<Field extends string = string> {
  readonly says: string;
  /** The fields that are told, each in few words; where its name is enough, in none. The others are taken all the same. */
  readonly fields: Readonly<Partial<Record<Field, string>>>;
}

/** One declaration, from which the command line, the tools of MCP and the documentation are derived. */
export interface Tool<Input extends z.ZodMiniObject = z.ZodMiniObject> {
  readonly name: string;
  readonly summary: string;
  /** What a newcomer must know besides the options; a paragraph. */
  readonly description: string;
  readonly examples: readonly string[];
  /** A field called format is the tool's own: then the output is JSON when piped and text on a terminal, nothing else. */
  readonly input: Input;
  /** Fields that are given as plain words on a command line, in their order; the last takes all the words that are left. */
  readonly words?: readonly (keyof Input["shape"] & string)[];
  /** The field that a command line takes from its standard input when it is given as a dash. */
  readonly piped?: keyof Input["shape"] & string;
  /** Fields whose content no answer repeats: a text that is typed may be a secret. */
  readonly unspoken?: readonly (keyof Input["shape"] & string)[];
  /** For tools that an agent needs every day: how they stand in MCP's default profile. */
  readonly daily?: Daily<keyof Input["shape"] & string>;
  readonly hints?: Hints;
  /** Why a terminal is no place for the result; told before anything is done. */
  refuseOnTerminal?(input: z.infer<Input>): Failure | undefined;
  /** Whether a command line goes on with it, telling what changes (src/tools/watch.ts takes the same input): with --watch where asked. */
  readonly goesOn?: "always" | "asked";
  /** Answers once. */
  run(input: z.infer<Input>, session: Session): Promise<Result<Shown>>;
}

/** Keeps the schema's type for the handler, and forgets it for the list of tools. */
export function defineTool<Input extends z.ZodMiniObject>(tool: Tool<Input>): Tool {
  return {
    ...tool,
    refuseOnTerminal: (input) => tool.refuseOnTerminal?.(tool.input.parse(input)),
    run: (input, session) => tool.run(tool.input.parse(input), session),
  };
}
