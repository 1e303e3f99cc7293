import type { ModelReply } from "../../assistant/reply.ts";
import { cleanAnswer } from "../../model/plain-text.ts";

const everyMs = 50;

/** Shows an answer as it comes: its first part at once, then what has come in every 50 ms. */
export class StreamWriter {
  private waiting = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  hasWritten = false;

  constructor(private readonly write: (text: string) => void) {}

  add(text: string): void {
    this.waiting += text;
    if (!this.hasWritten) this.flush();
    this.timer ??= setTimeout(() => this.flush(), everyMs);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting === "") return;
    this.hasWritten = true;
    this.write(cleanAnswer(this.waiting));
    this.waiting = "";
  }
}

/** What an answer of a model has cost, in one line. */
export function showUsage({ name, usage, calls, isCached }: ModelReply): string {
  if (isCached) return `(${name}: said before; nothing was sent)`;
  const { inputTokens, outputTokens, cost } = usage;
  const price = cost === undefined ? "" : `, $${cost.toFixed(4)}`;
  const actions = calls.length === 0 ? "" : `, ${calls.length} ${calls.length === 1 ? "call" : "calls"}`;
  return `(${name}: ${inputTokens} tokens in, ${outputTokens} out${price}${actions})`;
}
