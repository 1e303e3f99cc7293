import type { Result } from "../../model/failure.ts";

/** A call of a tool as a model wrote it: its input need not be JSON. */
export interface ToolCall {
  readonly id: string;
  readonly tool: string;
  readonly input: string;
}

export type Message =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: "tool"; readonly call: ToolCall; readonly text: string };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
  /** Whether it may call tools now; they are described to it all the same. */
  readonly mayCall: boolean;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In US dollars, where the provider tells it. */
  readonly cost?: number | undefined;
}

export type ModelPart =
  | { readonly of: "text"; readonly text: string }
  | { readonly of: "call"; readonly call: ToolCall }
  | { readonly of: "end"; readonly usage: Usage; readonly isRefused: boolean };

/** A language model, whoever offers it. */
export interface Model {
  readonly name: string;
  /** The origin that everything of a conversation goes to. */
  readonly recipient: string;
  /** Yields the answer as it comes; "end" is last, unless a failure is. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<Result<ModelPart>>;
  /** The address and the body that `stream` would send. */
  preview(request: ModelRequest): Promise<{ readonly url: string; readonly body: string }>;
}
