import { farthest } from "../model/coordinates.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import type { Aim } from "../model/order.ts";
import type { Role } from "../model/role.ts";
import { dryRun } from "./acting.ts";
import { names, text, wholeNumber } from "./fields.ts";
import { parseRoles } from "./roles.ts";
import { visionOption, windowSelection } from "./selection.ts";

/** The same words choose a control in every tool that acts on one. */
export const targetSelection = {
  id: wholeNumber(1, "the control with this mark"),
  x: wholeNumber(-farthest, "what is at this point of the screen, in physical pixels", farthest),
  y: wholeNumber(-farthest, "with --x", farthest),
  role: names("with words: only these roles, separated by commas"),
  ...windowSelection,
  ...visionOption,
  dryRun,
};

/** How the same is told in few words. */
export const dailyTarget = { id: "mark", words: "or words", app: "", window: "part of its title" } as const;
export const dailyOn = { id: "mark", on: "or control by words", app: "", window: "" } as const;

/** The control by words, where the plain words of a command mean something else. */
export const onWords = text("the control by words, as find takes them");

interface Chosen {
  readonly id?: number | undefined;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly role?: string | undefined;
}

/** What the options of a command aim at; undefined when they name nothing. Two ways at once are refused. */
export function chooseAim({ id, x, y, role }: Chosen, words: string | undefined): Result<Aim | undefined> {
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
  return words === undefined ? succeed(undefined) : succeed(aimByWords(words, roles.value));
}

function aimByWords(words: string, roles: ReadonlySet<Role> | undefined): Aim {
  return { by: "words", words, roles };
}
