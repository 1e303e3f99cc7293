import type { Host } from "../host/port.ts";
import { Assistant } from "./assistant.ts";
import { type Answer, Conversation, type Listener } from "./conversation/conversation.ts";
import { Desk } from "./desk.ts";
import { findMeantWindow } from "./meant.ts";
import { openConfiguredModel } from "./model/open.ts";
import { assumeModel, hasModel, readModelSettings, type Variables } from "./model/settings.ts";
import type { AssistantOptions, Reply } from "./reply.ts";

interface HelperOptions extends AssistantOptions {
  /** The environment, as it is now. */
  readonly variables: () => Variables;
  /** How long a model may say nothing. */
  readonly silenceMs?: number | undefined;
}

/**
 * Answers a person: what is surely understood without a model, and the rest with one, if one is configured. Of the first,
 * nothing is sent, also not as the history of a conversation.
 */
export class Helper {
  private readonly plain: Assistant;
  private readonly conversation: Conversation;

  constructor(
    private readonly host: Pick<Host, "call" | "send">,
    private readonly options: HelperOptions,
  ) {
    this.plain = new Assistant(host, options);
    this.conversation = this.open(options.variables);
  }

  private open(variables: () => Variables): Conversation {
    const { host, options } = this;
    const desk = new Desk(host, options);
    return new Conversation({
      host,
      openModel: () => openConfiguredModel(variables(), host, options.silenceMs),
      // Not what the model may see: the window in use is meant, also if that must not be sent.
      findWindow: () => findMeantWindow(desk, options),
    });
  }

  async answer(text: string, listener: Listener = {}): Promise<Reply> {
    const reply = await this.plain.answer(text);
    const variables = this.options.variables();
    if (!needsModel(reply) || !hasModel(variables)) return reply;
    this.plain.dropQuestion();
    const answer = await this.conversation.ask(text, listener, this.options.signal?.());
    const settings = readModelSettings(variables);
    return toReply(answer, settings.ok ? settings.value.model : "");
  }

  /** What would be sent for a request, and is not; to the usual address if no model is configured. */
  preview(text: string): ReturnType<Conversation["preview"]> {
    const { variables } = this.options;
    return this.open(() => (hasModel(variables()) ? variables() : assumeModel(variables()))).preview(text);
  }
}

/** Whether nothing was understood, or what was understood is not there under that name. */
function needsModel({ understood, choices, failure, isGuess }: Reply): boolean {
  if (choices !== undefined) return isGuess === true;
  return understood === undefined || failure?.code === "NOT_FOUND";
}

function toReply({ text, calls, usage, isCached, failure }: Answer, name: string): Reply {
  const last = calls.findLast(({ effect }) => effect !== undefined)?.effect;
  const told = failure === undefined ? [] : [`${failure.message}; ${failure.suggestion ?? ""}`];
  return {
    text: [text, ...told].filter((part) => part !== "").join("\n\n"),
    ...(last === undefined ? {} : { effect: last }),
    ...(failure === undefined ? {} : { failure }),
    model: { name, usage, calls, isCached },
  };
}
