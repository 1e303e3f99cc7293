/** What a step can do, with the fields of the tool's input that it may have: none that points at a control or chooses a window. */
export const stepFields = {
  click: ["button", "double", "pointer", "at"],
  type: ["text", "key", "repeat", "replace", "delay"],
  "set-value": ["text"],
  "fill-secret": ["from"],
  toggle: [],
  check: [],
  uncheck: [],
  expand: [],
  collapse: [],
  select: [],
  action: ["name"],
  hover: [],
  scroll: ["direction", "amount", "percent"],
  drag: ["button"],
  focus: [],
  window: ["operation", "x", "y", "width", "height"],
  open: ["what", "args"],
  quit: ["force"],
  clipboard: ["action", "text", "selection"],
  wait: ["for", "timeout"],
  expect: ["condition"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type DemoTool = keyof typeof stepFields;

const isTool = (name: string): name is DemoTool => Object.hasOwn(stepFields, name);

export const demoTools = Object.keys(stepFields).filter(isTool);

export function findTool(name: string): DemoTool | undefined {
  return isTool(name) ? name : undefined;
}

/** Tools that act on one control: without a ref they have nothing but a point, or the keyboard. */
const aimed: ReadonlySet<DemoTool> = new Set([
  ...(["click", "set-value", "fill-secret", "toggle", "check", "uncheck", "expand", "collapse", "select"] as const),
  ...(["action", "hover", "drag"] as const),
]);

export function needsTarget(tool: DemoTool): boolean {
  return aimed.has(tool);
}

/** Tools that take an application or a window, and no control. */
const windowTools: ReadonlySet<DemoTool> = new Set(["window", "quit", "type", "scroll", "focus", "wait", "expect"]);

export function takesWindow(tool: DemoTool): boolean {
  return windowTools.has(tool);
}

/** The fields that hold what somebody typed. */
export function typedFields(tool: DemoTool): readonly string[] {
  return tool === "type" || tool === "set-value" || tool === "clipboard" ? ["text"] : [];
}
