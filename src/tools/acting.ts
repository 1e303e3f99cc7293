import type * as z from "zod/mini";
import { type ActRequest, act } from "../desktop/index.ts";
import type { Effect } from "../model/effect.ts";
import type { Result } from "../model/failure.ts";
import type { Order } from "../model/order.ts";
import { effectForms, effectOutput } from "../show/effect.ts";
import { flag } from "./fields.ts";
import { chooseAim, pointing } from "./pointing.ts";
import { visionOption, windowQueryOf, windowSelection } from "./selection.ts";
import type { Session } from "./session.ts";

export const dryRun = flag("only tell what would be done to what, and by which way");

export const verifying = flag("look for the effect (true); --no-verify answers unverified at once");

/** The answer of every tool that acts: the observed effect. */
export const actingOutput = { output: effectOutput, forms: effectForms, effectOf: (effect: Effect) => effect };

/** The fields that choose a control, the same in every tool that acts on one. */
export const targetSelection = {
  ...pointing,
  ...windowSelection,
  ...visionOption,
  dryRun,
  verify: verifying,
};

/** The same fields in MCP's short descriptions. */
export const dailyTarget = { id: "mark", words: "or words", app: "", window: "part of its title" } as const;
export const dailyOn = { id: "mark", on: "or control by words", app: "", window: "" } as const;

type ActingInput = z.infer<z.ZodMiniObject<typeof targetSelection>>;

export async function actOn(
  session: Session,
  input: ActingInput,
  { tool, words, order }: { readonly tool: string; readonly words?: string | undefined; readonly order: Order },
): Promise<Result<Effect>> {
  const aim = chooseAim(input, words);
  return aim.ok ? carryOut(session, { ...input, tool, aim: aim.value, order }) : aim;
}

type Ordered = ActingInput & Pick<ActRequest, "tool" | "aim" | "order">;

export async function carryOut(session: Session, ordered: Ordered): Promise<Result<Effect>> {
  const desktop = await session.openToAct();
  if (!desktop.ok) return desktop;
  const { tool, aim, order, vision, dryRun: isDryRun = false } = ordered;
  const { timeoutMs, foretold } = session;
  const how = { isDryRun, isUnverified: ordered.verify === false, foretold, timeoutMs, vision };
  return act(desktop.value, { tool, aim, order, ...windowQueryOf(ordered), ...how });
}
