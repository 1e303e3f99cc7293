import type { Command } from "../../model/command.ts";
import { shortRole } from "../../model/role.ts";
import type { Request } from "../gate.ts";
import type { Matter } from "../rules.ts";
import type { Question } from "./approver.ts";
import { quote } from "./quote.ts";

/** A command as a person is asked about it: everything that an application wrote stands in quotes. */
export function describeQuestion(matter: Matter, tool: string): Question {
  const { request, receivers, warnings, client, command } = matter;
  const window = request.window ?? receivers[0];
  return {
    client,
    tool,
    app: command.kind === "open" ? (command.opener.names[0] ?? "") : (receivers[0]?.app ?? window?.app ?? ""),
    window: window?.title ?? "",
    words: describeCommand(command, request),
    why: warnings.map(({ danger, because }) => `${danger}: ${because}`).join("; ") || "the policy says to ask",
    dangers: warnings.map(({ danger }) => danger),
  };
}

function describeCommand(command: Command, request: Request): string {
  const { element, mark, window } = request;
  const { what, before = "" } = describeWay(command, request);
  const name = element === undefined ? "" : `${before} ${shortRole(element.role)} ${quote(element.name)}`;
  const number = mark === undefined ? "" : ` (${mark})`;
  const where = window === undefined ? "" : ` in ${quote(window.app)}`;
  return `${what}${name}${number}${where}`;
}

/** What is done, and how the control is joined to it where one is known. */
function describeWay(command: Command, { tool, onto }: Request): { readonly what: string; readonly before?: string } {
  switch (command.kind) {
    case "open":
      return {
        what: `open ${quote(command.opener.what)}, which starts ${command.opener.command.map(quote).join(" ")}`,
      };
    case "invoke":
      return { what: `${tool}, by its action ${quote(command.action)}`, before: ":" };
    case "click":
      return { what: [...listManner(command), tool].join(" ") };
    case "keys": {
      const { modifiers, key } = command.combo;
      return { what: `press ${[...modifiers, key === " " ? "space" : key].join("+")}`, before: " on" };
    }
    case "type": {
      const breaks = (command.text.match(/\r\n|[\n\r]/g) ?? []).length;
      return { what: `type ${[...command.text].length} characters with ${breaks} line breaks`, before: " into" };
    }
    case "drag":
      return onto === undefined ? { what: "drag" } : { what: `drag onto ${quote(onto.name)}`, before: ":" };
    case "fill-secret":
      return { what: `fill in the secret ${quote(command.secret)}`, before: ":" };
    case "terminate":
      return { what: `end process ${command.window.pid} of ${quote(command.window.title)}` };
    default:
      return { what: tool };
  }
}

/** A click that is not the usual one is not to be taken for it. */
function listManner({ button, count }: Extract<Command, { readonly kind: "click" }>): readonly string[] {
  const times = ["", "double", "triple"][count - 1] ?? "";
  return [button === "left" ? "" : button, times].filter((word) => word !== "");
}
