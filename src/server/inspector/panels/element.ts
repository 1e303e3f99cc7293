import { type CallReply, isAnswer } from "../../../host/port.ts";
import {
  type ElementDetail,
  type ElementPicture,
  type Evidence,
  markParams,
  pictureParams,
  type Tried,
  tryParams,
} from "../../../inspector/element.ts";
import { intersect } from "../../../model/bounds.ts";
import { fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import type { EffectData } from "../../../show/effect.ts";
import type { ElementDescriptionData } from "../../../show/element-description.ts";
import type { FrameData } from "../../../show/frame.ts";
import type { WindowData } from "../../../show/list.ts";
import { Asker, type Method, method, toBounds } from "../panel.ts";

/** Everything about one control, how it would be found again, its picture, and trying what can be done with it. */
export const elementMethods: readonly Method[] = [
  method(
    "element.detail",
    markParams,
    (params, { host }, signal): Promise<Result<ElementDetail>> => new Asker(host, signal).element({ id: params.mark }),
  ),
  method("element.evidence", markParams, async (params, { host }, signal): Promise<Result<Evidence>> => {
    const answer = await new Asker(host, signal).element({ id: params.mark, evidence: true });
    if (!answer.ok) return answer;
    const { again } = answer.value;
    return again === undefined ? fail(makeFailure("FAILED", "element gave no evidence")) : succeed(again);
  }),
  method(
    "element.picture",
    pictureParams,
    async (params, { host, sendPicture }, signal): Promise<Result<ElementPicture>> => {
      const shot = await takeShot(new Asker(host, signal), params.mark, params.scale);
      if (!shot.ok) return shot;
      const { data = "", width, height } = shot.value;
      return succeed({ picture: sendPicture(Buffer.from(data, "base64")), width, height });
    },
  ),
  method("element.try", tryParams, async ({ tool, mark: id, ...given }, { host }, signal): Promise<Result<Tried>> => {
    const input = Object.fromEntries(Object.entries({ id, ...given }).filter(([, value]) => value !== undefined));
    const reply = await host.call({ tool, input, formats: ["data", "text"] }, { signal });
    return reply.failure === undefined ? succeed(readTried(tool, reply)) : fail(reply.failure);
  }),
];

function readTried(tool: string, { outputs, data, exitCode }: CallReply): Tried {
  const acted = isAnswer<Partial<EffectData>>(data) ? data : {};
  const { effect = "read", did = tool, way = "", evidence = [] } = acted;
  return { effect, did, way, evidence, lines: withoutEnvelope(outputs.text ?? ""), exitCode };
}

/** Removes the two lines around an answer: the page itself separates our words from those of applications. */
export function withoutEnvelope(text: string): string {
  const lines = text.trimEnd().split("\n");
  const [, number] = /^--- .* ([0-9a-f]{16}) ---$/.exec(lines[0] ?? "") ?? [];
  if (number === undefined || lines.at(-1) !== `--- end ${number} ---`) return text;
  return lines.slice(1, -1).join("\n").trim();
}

/** From the screen if nothing covers it: for a picture of its window, the application must draw and be read again. */
export async function takeShot(asker: Asker, mark: number, scale: number): Promise<Result<FrameData>> {
  const [detail, windows] = await Promise.all([asker.element({ id: mark }), asker.windows()]);
  const region = detail.ok && windows.ok ? findRegion(detail.value, windows.value) : undefined;
  const shot = region === undefined ? undefined : await asker.frame({ region, scale });
  return shot?.ok === true ? shot : asker.frame({ id: mark, scale });
}

/** Windows come front to back. */
function findRegion({ now }: ElementDescriptionData, windows: readonly WindowData[]): string | undefined {
  const place = windows.findIndex(({ id }) => id === now?.windowId);
  const own = windows[place];
  if (now?.bounds === undefined || own === undefined || now.states.includes("hidden")) return undefined;
  if (own.state.includes("minimised")) return undefined;
  const { bounds } = now;
  const isCovered = windows
    .slice(0, place)
    .some((one) => !one.state.includes("minimised") && intersect(toBounds(one.bounds), bounds) !== undefined);
  const { x, y, width, height } = bounds;
  return isCovered ? undefined : [x, y, width, height].map(Math.round).join();
}
