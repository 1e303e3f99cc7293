import type * as z from "zod/mini";
import { type ActRequest, act } from "../desktop/index.ts";
import { farthest } from "../model/coordinates.ts";
import type { Effect } from "../model/effect.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import type { Aim, Order } from "../model/order.ts";
import { effectForms, effectOutput } from "../show/effect.ts";
import { anyText, flag, text, wholeNumber } from "./fields.ts";
import { parseRoles, visionOption, windowQueryOf, windowSelection } from "./selection.ts";
import type { Session } from "./session.ts";

export const dryRun = flag("only tell what would be done to what, and by which way");

export const verifying = flag("look for the effect (true); --no-verify answers unverified at once");

/** The answer of every tool that acts: the observed effect. */
export const actingOutput = { output: effectOutput, forms: effectForms };

/** The fields that choose a control, the same in every tool that acts on one. */
export const targetSelection = {
  id: wholeNumber(1, "the control with this mark"),
  x: wholeNumber(-farthest, "what is at this point of the screen, in physical pixels", farthest),
  y: wholeNumber(-farthest, "with --x", farthest),
  role: anyText("with words: only these roles, separated by commas"),
  ...windowSelection,
  ...visionOption,
  dryRun,
  verify: verifying,
};

/** The same fields in MCP's short descriptions. */
export const dailyTarget = { id: "mark", words: "or words", app: "", window: "part of its title" } as const;
export const dailyOn = { id: "mark", on: "or control by words", app: "", window: "" } as const;

/** The control by words, in tools whose plain words mean something else. */
export const onWords = text("the control by words, as find takes them");

type ActingInput = z.infer<z.ZodMiniObject<typeof targetSelection>>;
type TargetInput = Pick<ActingInput, "id" | "x" | "y" | "role">;

/** The aim that the options name; undefined if they name none. More than one is refused. */
export function chooseAim({ id, x, y, role }: TargetInput, words: string | undefined): Result<Aim | undefined> {
  const roles = parseRoles(role);
  if (!roles.ok) return roles;
  const point = x !== undefined || y !== undefined;
  const count = [id !== undefined, point, words !== undefined].filter(Boolean).length;
  if (count > 1) return fail(describeUsage("--id, --x with --y and words name a control each", "give one of them."));
  if (point && (x === undefined || y === undefined)) {
    return fail(describeUsage("--x and --y belong together", "--x 640 --y 400"));
  }
  if (id !== undefined) return succeed({ by: "mark", mark: id });
  if (x !== undefined && y !== undefined) return succeed({ by: "point", point: { x, y } });
  return succeed(words === undefined ? undefined : { by: "words", words, roles: roles.value });
}

export async function actOn(
  session: Session,
  input: ActingInput,
  { tool, words, order }: { readonly tool: string; readonly words: string | undefined; readonly order: Order },
): Promise<Result<Effect>> {
  const aim = chooseAim(input, words);
  return aim.ok ? carryOut(session, { ...input, tool, aim: aim.value, order }) : aim;
}

type Ordered = ActingInput & Pick<ActRequest, "tool" | "aim" | "order">;

export async function carryOut(session: Session, ordered: Ordered): Promise<Result<Effect>> {
  const desktop = await session.openToAct();
  if (!desktop.ok) return desktop;
  const { tool, aim, order, vision, dryRun: isDryRun = false } = ordered;
  const [{ timeoutMs }, isUnverified] = [session, ordered.verify === false];
  return act(desktop.value, { tool, aim, order, ...windowQueryOf(ordered), isDryRun, isUnverified, timeoutMs, vision });
}
