import type { Command } from "../model/command.ts";
import type { Result } from "../model/failure.ts";
import type { Window } from "../model/window.ts";
import type { LoggedTarget } from "./audit/chain.ts";
import type { Request } from "./gate.ts";
import { namesOf } from "./policy/policy.ts";
import type { Matter } from "./rules.ts";

/** The applications that a command reaches, each with all its names. */
export function partiesOf({ receivers, command }: Matter): readonly (readonly string[])[] {
  return command.kind === "open" ? [command.opener.names] : receivers.map(namesOf);
}

/** The planned window: enough for the log where the policy allows every application. */
export function nameReceiver({ window }: Request): Result<readonly Window[]> {
  return { ok: true, value: window === undefined ? [] : [window] };
}

export function appOf({ receivers, command }: Matter): string {
  if (command.kind === "open") return command.opener.names[0] ?? "";
  const [first] = receivers;
  return first === undefined ? "" : (namesOf(first)[0] ?? "");
}

export function targetOf({ request, receivers, command }: Matter): LoggedTarget {
  const { element, mark } = request;
  const window = request.window ?? receivers[0];
  return {
    app: window?.app,
    window: window?.title,
    mark,
    role: element?.role,
    name: element?.name,
    words: wordsOf(command),
  };
}

/** What a command is about besides its target: a program, or a secret by its name. */
function wordsOf(command: Command): string | undefined {
  if (command.kind === "open") return command.opener.words;
  return command.kind === "fill-secret" ? command.secret : undefined;
}
