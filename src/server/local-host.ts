import type { CallOptions, CallReply, CallRequest } from "../client/host.ts";
import type { Ground } from "../ground.ts";
import { exitCodeOf, type Failure, nothingDone } from "../model/failure.ts";
import { defaultTimeoutMs, openSession } from "../session.ts";
import { toolEntries } from "../tools/index.ts";
import { performTool } from "../tools/perform.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** How long a call that was cancelled has to end by itself; after that its answer is not waited for. */
const endingMs = 300;

/** Runs tools in this process. Every call has a session of its own on the common ground. */
export class LocalHost {
  constructor(
    private readonly env: Env,
    private readonly ground: Ground,
  ) {}

  async call(request: CallRequest, options: CallOptions = {}): Promise<CallReply> {
    const { tool: name, input, formats, isPretty = false, timeoutMs } = request;
    const entry = toolEntries.find((one) => one.name === name);
    if (entry === undefined) return refuse(describeUnknown(name));
    const tool = await entry.load();
    const parsed = tool.input.safeParse(input);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return refuse(describeIssue(name, String(issue?.path[0] ?? ""), issue?.message ?? "not accepted"));
    }
    const session = openSession(this.env, timeoutMs ?? defaultTimeoutMs, this.ground, options);
    const performing = performTool(tool, parsed.data, session, { formats, isPretty }).finally(() => session.close());
    const { signal } = options;
    return signal === undefined ? performing : Promise.race([performing, awaitCancel(signal, performing)]);
  }
}

/** Never ends while nobody cancels. */
async function awaitCancel(signal: AbortSignal, performing: Promise<CallReply>): Promise<CallReply> {
  if (!signal.aborted) {
    const isAborted = await new Promise<boolean>((resolve) => {
      signal.addEventListener("abort", () => resolve(true), { once: true });
      performing.then(
        () => resolve(false),
        () => resolve(false),
      );
    });
    if (!isAborted) return performing;
  }
  await Bun.sleep(endingMs);
  return refuse({ code: "CANCELLED", message: "it was cancelled", done: "nothing more is done." });
}

function refuse(failure: Failure): CallReply {
  return { outputs: {}, failure, exitCode: exitCodeOf(failure.code), warnings: [] };
}

function describeUnknown(name: string): Failure {
  return { code: "USAGE", message: `no tool is called "${name}"`, done: nothingDone };
}

function describeIssue(tool: string, field: string, message: string): Failure {
  return { code: "USAGE", message: `${tool}: ${field}: ${message}`, done: nothingDone };
}
