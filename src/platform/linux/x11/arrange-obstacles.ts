import type { WindowOperation } from "../../../model/command.ts";
import type { FailureCode } from "../../../model/failure.ts";
import { quoteArgument, quoteText } from "../../../model/plain-text.ts";
import type { Atoms, WindowFacts } from "./window-facts.ts";

interface Obstacle {
  readonly code: FailureCode;
  readonly message: string;
  readonly suggestion: string;
}

interface Rule {
  readonly operations: readonly WindowOperation["name"][];
  judge(facts: WindowFacts): Omit<Obstacle, "code"> | undefined;
  readonly code?: FailureCode;
}

/** Reasons against an operation, most obvious first. */
const rules: readonly Rule[] = [
  {
    operations: ["minimize", "restore", "maximize", "fullscreen"],
    code: "UNAVAILABLE",
    judge: ({ manager }) =>
      manager === undefined
        ? { message: "no window manager runs on this display", suggestion: "start one, such as openbox." }
        : undefined,
  },
  {
    operations: ["close"],
    judge: ({ dialog }) =>
      dialog === undefined
        ? undefined
        : {
            message: `its dialog ${quoteText(dialog)} must be answered first`,
            suggestion: `deskmap read --window ${quoteArgument(dialog)}`,
          },
  },
  {
    operations: ["close"],
    judge: ({ takesClose }) =>
      takesClose
        ? undefined
        : {
            message: "its program does not accept close requests",
            suggestion: "deskmap quit --force ends the program.",
          },
  },
  {
    operations: ["move", "resize"],
    judge: ({ atoms, hasState }) => {
      const isFull = hasState(atoms._NET_WM_STATE_FULLSCREEN);
      const isMaximised = hasState(atoms._NET_WM_STATE_MAXIMIZED_HORZ) || hasState(atoms._NET_WM_STATE_MAXIMIZED_VERT);
      if (!isFull && !isMaximised) return undefined;
      const state = isFull ? "fills the screen" : "is maximised";
      return {
        message: `it ${state}, so it cannot be moved or resized`,
        suggestion: "run deskmap window restore first.",
      };
    },
  },
  {
    operations: ["resize"],
    judge: ({ hints: { least, most }, bounds: { width, height } }) =>
      least !== undefined && most !== undefined && least.width === most.width && least.height === most.height
        ? { message: `its size is fixed at ${width}x${height}`, suggestion: "leave its size as it is." }
        : undefined,
  },
  ...(
    [
      ["minimize", "be minimised", "_NET_WM_ACTION_MINIMIZE"],
      ["maximize", "be maximised", "_NET_WM_ACTION_MAXIMIZE_HORZ"],
      ["maximize", "be maximised", "_NET_WM_ACTION_MAXIMIZE_VERT"],
      ["fullscreen", "fill the screen", "_NET_WM_ACTION_FULLSCREEN"],
      ["move", "be moved", "_NET_WM_ACTION_MOVE"],
      ["resize", "be resized", "_NET_WM_ACTION_RESIZE"],
      ["close", "be closed", "_NET_WM_ACTION_CLOSE"],
    ] as const satisfies readonly (readonly [WindowOperation["name"], string, keyof Atoms])[]
  ).map(
    ([operation, words, action]): Rule => ({
      operations: [operation],
      judge: ({ atoms, isAllowed, hasState }) =>
        // A fullscreen window allows nothing else; it leaves fullscreen first.
        isAllowed(atoms[action]) || (operation === "maximize" && hasState(atoms._NET_WM_STATE_FULLSCREEN))
          ? undefined
          : { message: `its window manager does not let it ${words}`, suggestion: "deskmap list shows its state." },
    }),
  ),
];

/** Why an operation is not possible; undefined if nothing is known against it. */
export function findObstacle(facts: WindowFacts, { name }: WindowOperation): Obstacle | undefined {
  for (const { operations, judge, code = "PATTERN_UNSUPPORTED" } of rules) {
    const found = operations.includes(name) ? judge(facts) : undefined;
    if (found !== undefined) return { code, ...found };
  }
  return undefined;
}
