import type { Deed } from "../../model/deed.ts";
import { shortRole } from "../../model/role.ts";
import type { Request } from "../gate.ts";
import type { Matter } from "../rules.ts";
import type { Question } from "./approver.ts";
import { quote } from "./quote.ts";

/** A deed as a person is asked about it: everything that an application wrote stands in quotes. */
export function describeQuestion(matter: Matter, tool: string): Question {
  const { request, receivers, warnings, client, deed } = matter;
  const window = request.window ?? receivers[0];
  return {
    client,
    tool,
    app: deed.kind === "open" ? (deed.opener.names[0] ?? "") : (receivers[0]?.app ?? window?.app ?? ""),
    window: window?.title ?? "",
    words: describeDeed(deed, request),
    why: warnings.map(({ danger, because }) => `${danger}: ${because}`).join("; ") || "the policy says to ask",
    dangers: warnings.map(({ danger }) => danger),
  };
}

function describeDeed(deed: Deed, request: Request): string {
  const { element, mark, window } = request;
  const name = element === undefined ? "" : ` ${shortRole(element.role)} ${quote(element.name)}`;
  const number = mark === undefined ? "" : ` (${mark})`;
  const where = window === undefined ? "" : ` in ${quote(window.app)}`;
  return `${describeWay(deed, request)}${name}${number}${where}`;
}

function describeWay(deed: Deed, { tool, onto }: Request): string {
  switch (deed.kind) {
    case "open":
      return `open ${quote(deed.opener.what)}, which starts ${deed.opener.command.map(quote).join(" ")}`;
    case "invoke":
      return `${tool}, by its action ${quote(deed.action)}:`;
    case "keys":
      return `press ${[...deed.combo.modifiers, deed.combo.key === " " ? "space" : deed.combo.key].join("+")} on`;
    case "type": {
      const breaks = (deed.text.match(/\r\n|[\n\r]/g) ?? []).length;
      return `type ${[...deed.text].length} characters with ${breaks} line breaks into`;
    }
    case "drag":
      return onto === undefined ? "drag" : `drag onto ${quote(onto.name)}:`;
    case "fill-secret":
      return `fill in the secret ${quote(deed.secret)}:`;
    case "terminate":
      return `end process ${deed.window.pid} of ${quote(deed.window.title)}`;
    default:
      return tool;
  }
}
