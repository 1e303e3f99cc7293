import * as z from "zod/mini";
import type { Effect } from "../model/effect.ts";
import { type Failure, type InputIssue, type Result, succeed } from "../model/failure.ts";
import type { Forms } from "../show/output.ts";
import { type ToolOption, toKebabCase } from "./arguments.ts";
import type { Session } from "./session.ts";

export type Data = Readonly<Record<string, unknown>>;

/** What a tool answered, rendered on demand. */
export interface ToolAnswer {
  data(): Data;
  text(): string;
  csv(): string;
  readonly exitCode: number;
}

/** Hints for clients that decide by themselves whether to ask a person. */
interface Hints {
  readonly isReadOnly?: boolean;
  readonly isDestructive?: boolean;
  readonly isIdempotent?: boolean;
}

/** The short description of a tool, for clients that pay for it with every request. */
interface Daily<Field extends string = string> {
  readonly says: string;
  /** The fields that are listed, with a short description or "" if the name is enough. The others are accepted, too. */
  readonly fields: Readonly<Partial<Record<Field, string>>>;
}

export interface ToolDescription<Input extends z.ZodMiniObject = z.ZodMiniObject> {
  readonly name: string;
  readonly summary: string;
  /** A paragraph with what the options do not say. */
  readonly description: string;
  readonly examples: readonly string[];
  /** A field `format` shares the command's --format with the output formats. */
  readonly input: Input;
  output(): z.ZodMiniType;
  /** Fields that are plain arguments of the command, in their order; the last takes all that are left. */
  readonly words?: readonly (keyof Input["shape"] & string)[];
  /** The field that the command reads from standard input if it is given as a dash. */
  readonly piped?: keyof Input["shape"] & string;
  /** Fields that no answer repeats: a typed text may be a secret. */
  readonly unspoken?: readonly (keyof Input["shape"] & string)[];
  /** For the tools of MCP's default profile. */
  readonly daily?: Daily<keyof Input["shape"] & string>;
  readonly hints?: Hints;
  /** Whether what it does outlasts the command: only a daemon can keep it. */
  readonly isLasting?: boolean;
  /** Whether it examines the command's own environment: it runs there, not in a daemon. */
  readonly isLocal?: boolean;
  /** Whether it is called for what it prints: a batch shows the whole answer, not only its first line. */
  readonly isReport?: true;
  /** Refuses to print the result on a terminal, before anything is done. */
  refuseOnTerminal?(input: Readonly<Partial<Record<keyof Input["shape"], unknown>>>): Failure | undefined;
  /** Whether the command goes on printing changes (src/tools/watch.ts takes the same input): always, or with --watch. */
  readonly goesOn?: "always" | "asked";
}

/** One declaration, from which the command, the MCP tool, the library's types and the documentation are derived. */
interface Declaration<Input extends z.ZodMiniObject, Value, Output extends Data> extends ToolDescription<Input> {
  output(): z.ZodMiniType<Output>;
  /** From src/show: how the value of `run` becomes data, text and CSV. */
  readonly forms: Forms<Value, Output>;
  /** The effect in what an acting tool returns: it is recorded. */
  effectOf?(value: Value): Effect | undefined;
  /** Returns plain values; the caller renders them. */
  run(input: z.infer<Input>, session: Session): Promise<Result<Value>>;
}

/** A tool without the types of its input and value. */
export interface Tool extends ToolDescription {
  prepare(input: Readonly<Record<string, unknown>>): Prepared;
}

type Prepared = { readonly ok: true; readonly call: ToolCall } | { readonly ok: false; readonly issue: InputIssue };

export interface ToolCall {
  readonly tool: ToolDescription;
  readonly input: Readonly<Record<string, unknown>>;
  run(session: Session): Promise<Result<ToolAnswer>>;
}

/** Checks a declaration's types, which the list of tools does not have. */
export function defineTool<Input extends z.ZodMiniObject, Value, Output extends Data>(
  declared: Declaration<Input, Value, Output>,
): Tool {
  const { run, forms, effectOf, ...tool } = declared;
  return {
    ...tool,
    prepare(given) {
      const fields = Object.keys(tool.input.shape);
      const stray = Object.keys(given).find((field) => !fields.includes(field));
      // An argument that is silently ignored looks as if it had been obeyed.
      if (stray !== undefined)
        return { ok: false, issue: { field: stray, message: `unknown; it takes ${fields.join(", ")}` } };
      const parsed = tool.input.safeParse(given);
      if (!parsed.success) return { ok: false, issue: findIssue(parsed.error) };
      const input = parsed.data;
      const runRecorded = async (session: Session): Promise<Result<ToolAnswer>> => {
        const [atMs, startedMs] = [Date.now(), performance.now()];
        const result = await run(input, session);
        const effect = result.ok ? effectOf?.(result.value) : undefined;
        const tookMs = Math.round(performance.now() - startedMs);
        const isPlan = "dryRun" in input && input.dryRun === true;
        if (effect !== undefined && !isPlan && isDone(effect))
          session.recordAction({ tool, input, effect, atMs, tookMs });
        return bind(forms, result);
      };
      return { ok: true, call: { tool, input, run: runRecorded } };
    },
  };
}

/** Plans and attempts that delivered nothing are no actions; what was as wanted already is one. */
function isDone({ isDelivered, verdict }: Effect): boolean {
  return isDelivered || verdict === "confirmed";
}

/** The first thing that is wrong with an input, by its field. */
export function findIssue({ issues: [issue] }: z.core.$ZodError): InputIssue {
  return { field: String(issue?.path[0] ?? ""), message: issue?.message ?? "not accepted" };
}

function bind<Value>(forms: Forms<Value, Data>, result: Result<Value>): Result<ToolAnswer> {
  if (!result.ok) return result;
  const { value } = result;
  return succeed({
    data: () => forms.data(value),
    text: () => forms.text(value),
    csv: () => forms.csv(value),
    exitCode: forms.exitCode?.(value) ?? 0,
  });
}

export function listOptions(tool: Tool): ToolOption[] {
  return Object.entries(tool.input.shape).map(([field, schema]) => {
    const inner = schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;
    const type = typeOf(inner);
    return {
      field,
      flag: `--${toKebabCase(field)}`,
      type,
      value:
        inner instanceof z.ZodMiniEnum ? inner.options.join("|") : type === "string" || type === "list" ? "text" : "n",
      description: z.globalRegistry.get(schema)?.description ?? "",
      isWord: tool.words?.includes(field) ?? false,
      isRequired: !(schema instanceof z.ZodMiniOptional),
    };
  });
}

function typeOf(schema: unknown): ToolOption["type"] {
  if (schema instanceof z.ZodMiniBoolean) return "boolean";
  if (schema instanceof z.ZodMiniArray) return "list";
  if (schema instanceof z.ZodMiniNumberFormat) return "number";
  return schema instanceof z.ZodMiniNumber ? "decimal" : "string";
}
