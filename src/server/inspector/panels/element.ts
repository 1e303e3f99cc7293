import * as z from "zod/mini";
import type { CallReply, Host } from "../../../client/host.ts";
import type { ElementDetail, ElementPicture, Evidence, Tried } from "../../../inspector/element.ts";
import { trialTools } from "../../../inspector/trials.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import { defineMethod, type Method } from "../panel.ts";
import { takeShot } from "./element-shot.ts";

const mark = z.int().check(z.minimum(1));
const maxText = 10_000;

/** Everything about one control, what it would be found by, its picture, and trying what can be done with it. */
export const elementMethods: readonly Method[] = [
  defineMethod({
    name: "element.detail",
    params: z.object({ mark }),
    run: (params, { host }, signal) => ask<ElementDetail>(host, signal, "element", { id: params.mark }),
  }),
  defineMethod({
    name: "element.evidence",
    params: z.object({ mark }),
    async run(params, { host }, signal): Promise<Result<Evidence>> {
      const input = { id: params.mark, evidence: true };
      const answer = await ask<{ readonly again: Evidence }>(host, signal, "element", input);
      return answer.ok ? succeed(answer.value.again) : answer;
    },
  }),
  defineMethod({
    name: "element.picture",
    params: z.object({ mark, scale: z.number().check(z.minimum(0.1), z.maximum(1)) }),
    async run(params, { host, sendPicture }, signal): Promise<Result<ElementPicture>> {
      const shot = await takeShot((tool, input) => ask(host, signal, tool, input), params.mark, params.scale);
      if (!shot.ok) return shot;
      const { data, width, height } = shot.value;
      return succeed({ picture: sendPicture(Buffer.from(data, "base64")), width, height });
    },
  }),
  defineMethod({
    name: "element.try",
    params: z.object({
      mark,
      tool: z.enum(trialTools),
      text: z.optional(z.string().check(z.maxLength(maxText))),
      direction: z.optional(z.enum(["up", "down"])),
      name: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    }),
    async run({ tool, mark: id, ...given }, { host }, signal): Promise<Result<Tried>> {
      const input = Object.fromEntries(Object.entries({ id, ...given }).filter(([, value]) => value !== undefined));
      const reply = await host.call({ tool, input, formats: ["json", "text"] }, { signal });
      return reply.failure === undefined ? succeed(readTried(tool, reply)) : fail(reply.failure);
    },
  }),
];

/** The answer of a tool as data, whose shape its declaration promises. */
async function ask<Answer>(
  host: Host,
  signal: AbortSignal,
  tool: string,
  input: Readonly<Record<string, unknown>>,
): Promise<Result<Answer>> {
  const reply = await host.call({ tool, input, formats: ["json"] }, { signal });
  if (reply.failure !== undefined) return fail(reply.failure);
  if (reply.outputs.json === undefined) return fail(describeNothing(tool));
  return succeed(JSON.parse(reply.outputs.json));
}

function describeNothing(tool: string): Failure {
  return { code: "FAILED", message: `${tool} gave no answer`, done: nothingDone };
}

function readTried(tool: string, { outputs, exitCode }: CallReply): Tried {
  const { effect = "read", did = tool, way = "", evidence = [] }: Partial<Tried> = JSON.parse(outputs.json ?? "{}");
  return { effect, did, way, evidence, lines: withoutEnvelope(outputs.text ?? ""), exitCode };
}

/** The page itself is the border between words of ours and of applications. What only looks like the border is theirs. */
export function withoutEnvelope(text: string): string {
  const lines = text.trimEnd().split("\n");
  const [, number] = /^--- .* ([0-9a-f]{16}) ---$/.exec(lines[0] ?? "") ?? [];
  if (number === undefined || lines.at(-1) !== `--- end ${number} ---`) return text;
  return lines.slice(1, -1).join("\n").trim();
}
