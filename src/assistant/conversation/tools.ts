import type { ModelTool, ToolCall } from "../model/port.ts";

type Values = Readonly<Record<string, unknown>>;

interface Offered extends ModelTool {
  /** The host's tool, and its input. */
  toCall(values: Values): { readonly tool: string; readonly input: Values };
  readonly acts: boolean;
}

const mark = { type: "integer", description: "the number after # in the UI structure" } as const;
const text = { type: "string" } as const;

function offer(
  name: string,
  description: string,
  properties: Values,
  required: readonly string[],
  acts: boolean,
  toCall: Offered["toCall"],
): Offered {
  return { name, description, parameters: { type: "object", properties, required }, acts, toCall };
}

const events = ["click", "double_click", "right_click", "check", "uncheck", "expand", "collapse", "focus"] as const;
const inputOf: Readonly<Record<(typeof events)[number], readonly [tool: string, more: Values]>> = {
  click: ["click", {}],
  double_click: ["click", { double: true }],
  right_click: ["click", { button: "right" }],
  check: ["check", {}],
  uncheck: ["uncheck", {}],
  expand: ["expand", {}],
  collapse: ["collapse", {}],
  focus: ["focus", {}],
};

/** Few, and short: each of them is in every request. docs/assistant.md has the table of the seed's events. */
const offered: readonly Offered[] = [
  offer(
    "send_event",
    "Act on a control. The answer says what was seen to change.",
    { mark, event: { type: "string", enum: events } },
    ["mark", "event"],
    true,
    ({ mark: id, event, ...rest }) => {
      const [tool, more] = Object.entries(inputOf).find(([name]) => name === event)?.[1] ?? ["click", { event }];
      return { tool, input: { ...rest, id, ...more } };
    },
  ),
  offer(
    "set_value",
    "Set the value of a field, a list, a slider; replaces what it holds.",
    { mark, value: text },
    ["mark", "value"],
    true,
    ({ mark: id, value, ...rest }) => ({ tool: "set-value", input: { ...rest, id, text: value } }),
  ),
  offer(
    "press_key",
    "Press a key or combination, such as Enter, Ctrl+S or Down, in the control with the mark or in the window.",
    { key: text, mark, window: { type: "integer" } },
    ["key"],
    true,
    ({ key, mark: id, window, ...rest }) => ({
      tool: "type",
      input: { ...rest, key, ...(id === undefined ? { windowId: window } : { id }) },
    }),
  ),
  offer(
    "click_at",
    "Click a point within a control that shows a picture, in pixels from its upper left corner.",
    { mark, x: { type: "integer" }, y: { type: "integer" } },
    ["mark", "x", "y"],
    true,
    ({ mark: id, x, y, ...rest }) => ({ tool: "click", input: { ...rest, id, at: `${String(x)},${String(y)}` } }),
  ),
  offer(
    "scroll",
    "Scroll the window, or until the control with the mark is in view.",
    { direction: { type: "string", enum: ["up", "down", "left", "right"] }, mark, window: { type: "integer" } },
    [],
    true,
    ({ direction, mark: toId, window: windowId, ...rest }) => ({
      tool: "scroll",
      input: { ...rest, ...(toId === undefined ? { direction, windowId } : { toId }) },
    }),
  ),
  offer("read_element", "Read the whole text of an element.", { mark }, ["mark"], false, ({ mark: id, ...rest }) => ({
    tool: "text",
    input: { ...rest, id },
  })),
  offer(
    "find_element",
    "Find controls by words, also those that are not shown above.",
    { words: text, window: { type: "integer" } },
    ["words"],
    false,
    ({ words, window: windowId, ...rest }) => ({ tool: "find", input: { ...rest, words, windowId } }),
  ),
  offer("list_windows", "List the windows and their numbers.", {}, [], false, (input) => ({ tool: "list", input })),
  offer(
    "read_window",
    "Read another window.",
    { window: { type: "integer" } },
    ["window"],
    false,
    ({ window: windowId, ...rest }) => ({ tool: "read", input: { ...rest, windowId, max: 300 } }),
  ),
  offer(
    "focus_window",
    "Bring a window to the front.",
    { window: { type: "integer" } },
    ["window"],
    true,
    ({ window: windowId, ...rest }) => ({ tool: "focus", input: { ...rest, windowId } }),
  ),
  offer("open", "Open an application, a file or an address.", { what: text }, ["what"], true, (input) => ({
    tool: "open",
    input,
  })),
  offer(
    "exit_program",
    "Close a window of an application. A person is asked.",
    { window: { type: "integer" } },
    ["window"],
    true,
    ({ window: windowId, ...rest }) => ({ tool: "window", input: { ...rest, operation: "close", windowId } }),
  ),
];

export const modelTools: readonly ModelTool[] = offered.map(({ name, description, parameters }) => ({
  name,
  description,
  parameters,
}));

export interface HostCall {
  readonly tool: string;
  readonly input: Values;
  readonly acts: boolean;
}

/** What a model's call means; a text if it means nothing, to be told to the model. */
export function readCall({ tool, input }: ToolCall): HostCall | string {
  const found = offered.find(({ name }) => name === tool);
  if (found === undefined) return `there is no tool "${tool}"; there are ${offered.map(({ name }) => name).join(", ")}`;
  const values = readArguments(input);
  if (values === undefined) return `the arguments are no JSON object: ${JSON.stringify(input.slice(0, 200))}`;
  const plain = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, readNumber(name, value)]));
  return { ...found.toCall(plain), acts: found.acts };
}

const numbers: ReadonlySet<string> = new Set(["mark", "window", "x", "y"]);

/** Small models write "12" or "#12" for 12. */
function readNumber(name: string, value: unknown): unknown {
  const digits = numbers.has(name) && typeof value === "string" ? /^#?(\d+)$/.exec(value.trim())?.[1] : undefined;
  return digits === undefined ? value : Number(digits);
}

/** Repairs what models get wrong most: code fences, single quotes, commas at the end, brackets that are not closed. */
export function readArguments(input: string): Values | undefined {
  const plain = input.trim().replace(/^```(?:json)?\s*|\s*```$/g, "");
  if (plain === "") return {};
  const noCommas = plain.replace(/,\s*([}\]])/g, "$1");
  const tries = [plain, noCommas, closeBrackets(noCommas), noCommas.replaceAll("'", '"')];
  for (const one of tries) {
    const value = parse(one);
    if (value !== undefined) return value;
  }
  return undefined;
}

function parse(json: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function closeBrackets(json: string): string {
  const open: string[] = [];
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const one = json[at];
    if (isInText && one === "\\") at += 1;
    else if (one === '"') isInText = !isInText;
    else if (!isInText && (one === "{" || one === "[")) open.push(one === "{" ? "}" : "]");
    else if (!isInText && (one === "}" || one === "]")) open.pop();
  }
  // A text that was cut off could mean anything: only brackets are closed.
  return isInText ? json : `${json.replace(/,\s*$/, "")}${open.reverse().join("")}`;
}
