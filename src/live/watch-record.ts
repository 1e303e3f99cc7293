import { type Result, succeed } from "../model/failure.ts";
import type { View } from "../model/view.ts";

interface Recorder {
  recordLasting(tool: string, apps: readonly string[], words: string): Result<unknown>;
}

const everyMs = 60_000;

/** The audit records of a watch: its start, new applications, once a minute, and its end. */
export class WatchRecord {
  private readonly apps = new Set<string>();
  private looks = 0;
  private lastAtMs: number | undefined;

  constructor(
    private readonly recorder: Recorder,
    private readonly now: () => number = () => performance.now(),
    private readonly tool = "watch",
  ) {}

  /** Logs a read before it is reported. */
  note({ windows }: View): Result<unknown> {
    this.looks += 1;
    const joined = [...new Set(windows.map(({ window }) => window.app))].filter((app) => !this.apps.has(app));
    for (const app of joined) this.apps.add(app);
    if (this.lastAtMs === undefined) return this.write(joined, "begins");
    for (const app of joined) {
      const written = this.write([app], "joins");
      if (!written.ok) return written;
    }
    return this.goOn();
  }

  goOn(): Result<unknown> {
    if (this.lastAtMs === undefined || this.now() - this.lastAtMs < everyMs) return succeed(undefined);
    return this.write([...this.apps], `goes on, ${this.countLooks()}`);
  }

  end(): void {
    if (this.lastAtMs !== undefined) this.write([...this.apps], `ends, ${this.countLooks()}`);
  }

  private countLooks(): string {
    return `${this.looks} ${this.looks === 1 ? "look" : "looks"} so far`;
  }

  private write(apps: readonly string[], words: string): Result<unknown> {
    this.lastAtMs = this.now();
    return this.recorder.recordLasting(this.tool, apps, words);
  }
}
