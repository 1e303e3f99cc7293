import type { Pattern } from "../model/pattern.ts";
import type { ElementDescriptionData } from "../show/element-description.ts";

/** The tools that the page offers to try on a control. */
export const trialTools = [
  "click",
  "toggle",
  "expand",
  "collapse",
  "set-value",
  "select",
  "scroll",
  "focus",
  "action",
  "text",
  "element",
] as const;
type TrialTool = (typeof trialTools)[number];

/** A tool to try on a control, with its input beside the mark. */
export interface Trial {
  readonly key: string;
  readonly label: string;
  /** What the control offers, in UI Automation's terms; "own action" for an action by the platform's name. */
  readonly pattern: Pattern | "focus" | "own action" | "look";
  readonly tool: TrialTool;
  /** The scroll's direction or the action's name. */
  readonly word?: string;
  /** Whether the person enters a text or a number first. */
  readonly takes?: "text" | "number";
  /** The value to set, if the person enters none. */
  readonly sets?: string;
  readonly isLook?: true;
}

const byPattern: Readonly<Record<Pattern, readonly Omit<Trial, "pattern">[]>> = {
  invoke: [{ key: "click", label: "Press", tool: "click" }],
  toggle: [{ key: "toggle", label: "Toggle", tool: "toggle" }],
  "expand-collapse": [
    { key: "expand", label: "Expand", tool: "expand" },
    { key: "collapse", label: "Collapse", tool: "collapse" },
  ],
  value: [{ key: "set", label: "Set text", tool: "set-value", takes: "text" }],
  "range-value": [{ key: "set-number", label: "Set number", tool: "set-value", takes: "number" }],
  "selection-item": [{ key: "select", label: "Select", tool: "select" }],
  scroll: [
    { key: "scroll-down", label: "Scroll down", tool: "scroll", word: "down" },
    { key: "scroll-up", label: "Scroll up", tool: "scroll", word: "up" },
  ],
  text: [{ key: "text", label: "Read text", tool: "text", isLook: true }],
};

const look: Trial = { key: "look", label: "Look", pattern: "look", tool: "element", isLook: true };

type Now = NonNullable<ElementDescriptionData["now"]>;

/** What the control offers, then what can be done with every control. */
export function listTrials({
  patterns,
  platformActions,
  states,
}: Pick<Now, "patterns" | "platformActions" | "states">): readonly Trial[] {
  const own = platformActions.map((word): Trial => {
    return { key: `action ${word}`, label: word, pattern: "own action", tool: "action", word };
  });
  const focus: Trial[] = states.includes("focusable")
    ? [{ key: "focus", label: "Focus", pattern: "focus", tool: "focus" }]
    : [];
  return [
    ...patterns.flatMap((pattern) => byPattern[pattern].map((one) => ({ ...one, pattern }))),
    ...focus,
    ...own,
    look,
  ];
}

/** One step up and down from its value, in the last digit; each label has the resulting value. */
export function listSteps({ actions, value }: Pick<Now, "actions" | "value">): readonly Trial[] {
  if (value.trim() === "" || !Number.isFinite(Number(value))) return [];
  const digits = Math.min(6, /\.(\d+)$/.exec(value.trim())?.[1]?.length ?? 0);
  const ways = [
    ["increment", "Increment", 1],
    ["decrement", "Decrement", -1],
  ] as const;
  return ways
    .filter(([action]) => actions.includes(action))
    .map(([key, label, by]) => {
      const sets = (Number(value) + by / 10 ** digits).toFixed(digits);
      return { key, label: `${label} to ${sets}`, pattern: "range-value", tool: "set-value", sets };
    });
}
