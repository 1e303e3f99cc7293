import * as z from "zod/mini";
import { type CallReply, isAnswer } from "../../../host/port.ts";
import type { ElementDetail, ElementPicture, Evidence, Tried } from "../../../inspector/element.ts";
import { trialTools } from "../../../inspector/trials.ts";
import { type Failure, fail, nothingDone, type Result, succeed } from "../../../model/failure.ts";
import type { EffectData } from "../../../show/effect.ts";
import { Asker } from "../ask.ts";
import { defineMethod, type Method } from "../panel.ts";
import { takeShot } from "./element-shot.ts";

const mark = z.int().check(z.minimum(1));
const maxText = 10_000;

/** Everything about one control, what it would be found by, its picture, and trying what can be done with it. */
export const elementMethods: readonly Method[] = [
  defineMethod({
    name: "element.detail",
    params: z.object({ mark }),
    run: (params, { host }, signal): Promise<Result<ElementDetail>> =>
      new Asker(host, signal).element({ id: params.mark }),
  }),
  defineMethod({
    name: "element.evidence",
    params: z.object({ mark }),
    async run(params, { host }, signal): Promise<Result<Evidence>> {
      const answer = await new Asker(host, signal).element({ id: params.mark, evidence: true });
      if (!answer.ok) return answer;
      return answer.value.again === undefined ? fail(describeNothing()) : succeed(answer.value.again);
    },
  }),
  defineMethod({
    name: "element.picture",
    params: z.object({ mark, scale: z.number().check(z.minimum(0.1), z.maximum(1)) }),
    async run(params, { host, sendPicture }, signal): Promise<Result<ElementPicture>> {
      const shot = await takeShot(new Asker(host, signal), params.mark, params.scale);
      if (!shot.ok) return shot;
      const { data = "", width, height } = shot.value;
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
      const reply = await host.call({ tool, input, formats: ["data", "text"] }, { signal });
      return reply.failure === undefined ? succeed(readTried(tool, reply)) : fail(reply.failure);
    },
  }),
];

function describeNothing(): Failure {
  return { code: "FAILED", message: "element gave no evidence", done: nothingDone };
}

function readTried(tool: string, { outputs, data, exitCode }: CallReply): Tried {
  const acted = isAnswer<Partial<EffectData>>(data) ? data : {};
  const { effect = "read", did = tool, way = "", evidence = [] } = acted;
  return { effect, did, way, evidence, lines: withoutEnvelope(outputs.text ?? ""), exitCode };
}

/** The page itself is the border between words of ours and of applications. What only looks like the border is theirs. */
export function withoutEnvelope(text: string): string {
  const lines = text.trimEnd().split("\n");
  const [, number] = /^--- .* ([0-9a-f]{16}) ---$/.exec(lines[0] ?? "") ?? [];
  if (number === undefined || lines.at(-1) !== `--- end ${number} ---`) return text;
  return lines.slice(1, -1).join("\n").trim();
}
