import { parseJson } from "../../model/caught.ts";
import type { SentKind } from "../../model/sending.ts";

/** The names that OpenAI's and Anthropic's protocols give to parts of a message. */
const pictureTypes: ReadonlySet<unknown> = new Set(["image_url", "image", "input_image", "file", "document"]);
const soundTypes: ReadonlySet<unknown> = new Set(["input_audio", "audio"]);

/** The kinds of what a request carries, by its own parts; undefined if it is not JSON, and so cannot be judged. */
export function findKinds(body: string): ReadonlySet<SentKind> | undefined {
  const value = parseJson(body);
  if (typeof value !== "object" || value === null) return undefined;
  const kinds = new Set<SentKind>(["text"]);
  const visit = (one: unknown): void => {
    if (typeof one === "string" && /^data:(image|application)\//i.test(one)) kinds.add("picture");
    if (typeof one === "string" && /^data:audio\//i.test(one)) kinds.add("sound");
    if (typeof one !== "object" || one === null) return;
    const type: unknown = Reflect.get(one, "type");
    if (pictureTypes.has(type)) kinds.add("picture");
    if (soundTypes.has(type)) kinds.add("sound");
    for (const inner of Object.values(one)) visit(inner);
  };
  visit(value);
  return kinds;
}
