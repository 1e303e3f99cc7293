import {
  type GetPromptResult,
  type Prompt,
  type PromptArgument,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import { cleanLines } from "../../model/plain-text.ts";

type Given = Readonly<Record<string, string>>;

interface Job {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  say(given: Given): string;
}

const app: PromptArgument = { name: "app", description: "application by name; the window in front if left out" };
const inApp = ({ app: name }: Given): string =>
  name === undefined ? "the window in front" : `the application ${name}`;

/** What people ask for most often, each as the way to do it that reads least and proves most. */
const jobs: readonly Job[] = [
  {
    name: "fill_form",
    description: "Fill in a form and check what it holds, without sending it.",
    arguments: [
      { name: "values", description: "what goes into which field", required: true },
      app,
      { name: "send", description: "the button that sends it, if it is to be sent" },
    ],
    say: (given) =>
      `Fill in the form in ${inApp(given)} with these values: ${given.values}\n\n` +
      "Read it once (read, interactive). Set fields with set_value, boxes and choices with set_state, " +
      "by their marks; several at once with do. Never type a password: use fill_secret with the name under which it is " +
      "kept. Every answer says what changed; do again only what was not confirmed. At last read the form again and " +
      `report what each field holds. ${given.send === undefined ? "Do not send it." : `Then press ${given.send} and report what happened.`}`,
  },
  {
    name: "find_and_press",
    description: "Find a control by words and press it once.",
    arguments: [{ name: "what", description: "the control in your words", required: true }, app],
    say: (given) =>
      `Find "${given.what}" in ${inApp(given)} with find and press the best match by its mark with click. If several fit ` +
      "equally well, say which there are and ask. Report the effect in the words of the answer; if it was not confirmed, " +
      "read before you try again.",
  },
  {
    name: "explain_screen",
    description: "Say what is on the screen and what can be done there.",
    arguments: [app],
    say: (given) =>
      `Explain what ${given.app === undefined ? "is on the screen" : `the application ${given.app} shows`}: use list, then read. ` +
      "Say what each window is for, what state it is in, and what can be done next. Press nothing and type nothing.",
  },
  {
    name: "teach_name",
    description: "Teach a control a name that find and click know from then on.",
    arguments: [
      { name: "name", description: "what to call it", required: true },
      { name: "what", description: "the control in other words, or its mark", required: true },
      app,
    ],
    say: (given) =>
      `Find "${given.what}" in ${inApp(given)} with find, make sure that it is the one that is meant, and give it the name ` +
      `"${given.name}" with teach (a tool of --tools all) by its mark. Then find "${given.name}" and report what is found.`,
  },
];

export function listPrompts(): Prompt[] {
  return jobs.map(({ name, description, arguments: given }) => ({ name, description, arguments: [...given] }));
}

export function getPrompt(name: string, given: Given): GetPromptResult {
  const job = jobs.find((one) => one.name === name);
  if (job === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
  const missing = job.arguments.find((one) => one.required === true && (given[one.name] ?? "") === "");
  if (missing !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${missing.name} is missing`);
  const cleaned = Object.entries(given).flatMap(([key, value]) => (value === "" ? [] : [[key, cleanLines(value)]]));
  const text = job.say(Object.fromEntries(cleaned));
  return { description: job.description, messages: [{ role: "user", content: { type: "text", text } }] };
}
