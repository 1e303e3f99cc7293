import type * as z from "zod/mini";
import { type Failure, type InputIssue, type Result, succeed } from "../model/failure.ts";
import type { Forms } from "../show/output.ts";
import type { Session } from "./session.ts";

/** An answer as JSON has it. */
export type Data = Readonly<Record<string, unknown>>;

/** What a tool answered, rendered on demand. */
export interface Answer {
  /** As the tool's `output` declares it. */
  data(): Data;
  text(): string;
  csv(): string;
  readonly exitCode: number;
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

/** What is told of a tool, without what it does. */
export interface ToolDescription<Input extends z.ZodMiniObject = z.ZodMiniObject> {
  readonly name: string;
  readonly summary: string;
  /** What a newcomer must know besides the options; a paragraph. */
  readonly description: string;
  readonly examples: readonly string[];
  /** A field called format is the tool's own: then the output is JSON when piped and text on a terminal, nothing else. */
  readonly input: Input;
  /** Builds the schema of its data. */
  output(): z.ZodMiniType;
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
  refuseOnTerminal?(input: Readonly<Partial<Record<keyof Input["shape"], unknown>>>): Failure | undefined;
  /** Whether a command line goes on with it, telling what changes (src/tools/watch.ts takes the same input): with --watch where asked. */
  readonly goesOn?: "always" | "asked";
}

/** One declaration, from which the command line, the tools of MCP, the library's types and the documentation are derived. */
interface Declaration<Input extends z.ZodMiniObject, Value, Output extends Data> extends ToolDescription<Input> {
  output(): z.ZodMiniType<Output>;
  /** From src/show: how the value of `run` becomes data, text and CSV. */
  readonly forms: Forms<Value, Output>;
  /** Answers once, with plain values: rendering them is for whoever asked. */
  run(input: z.infer<Input>, session: Session): Promise<Result<Value>>;
}

/** A tool as the list has it: its types are known to nobody but itself. */
export interface Tool extends ToolDescription {
  /** Parses the input: nobody else does. */
  prepare(input: Readonly<Record<string, unknown>>): Prepared;
}

type Prepared = { readonly ok: true; readonly call: ToolCall } | { readonly ok: false; readonly issue: InputIssue };

/** A tool with the input that it is called with. */
export interface ToolCall {
  readonly tool: ToolDescription;
  readonly input: Readonly<Record<string, unknown>>;
  run(session: Session): Promise<Result<Answer>>;
}

/** Keeps the types of a declaration for its handler, and forgets them for the list of tools. */
export function defineTool<Input extends z.ZodMiniObject, Value, Output extends Data>(
  declared: Declaration<Input, Value, Output>,
): Tool {
  const { run, forms, ...tool } = declared;
  return {
    ...tool,
    prepare(given) {
      const parsed = tool.input.safeParse(given);
      if (!parsed.success) return { ok: false, issue: findIssue(parsed.error) };
      const input = parsed.data;
      return { ok: true, call: { tool, input, run: async (session) => bind(forms, await run(input, session)) } };
    },
  };
}

/** The first thing that is wrong with an input, by its field. */
export function findIssue({ issues: [issue] }: z.core.$ZodError): InputIssue {
  return { field: String(issue?.path[0] ?? ""), message: issue?.message ?? "not accepted" };
}

function bind<Value>(forms: Forms<Value, Data>, result: Result<Value>): Result<Answer> {
  if (!result.ok) return result;
  const { value } = result;
  return succeed({
    data: () => forms.data(value),
    text: () => forms.text(value),
    csv: () => forms.csv(value),
    exitCode: forms.exitCode?.(value) ?? 0,
  });
}
