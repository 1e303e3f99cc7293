import type * as z from "zod/mini";
import type { Point } from "../model/bounds.ts";
import { farthest } from "../model/coordinates.ts";
import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";
import type { Aim } from "../model/order.ts";
import { anyText, text, wholeNumber } from "./fields.ts";
import { parseRoles } from "./selection.ts";

/** Among the controls that words or a role fit, also in `find`. */
export const narrowing = {
  within: wholeNumber(1, "only inside the control with this mark"),
  nth: wholeNumber(
    -9999,
    "which of those that fit equally well, in the order of read: 1, 2, …, or -1 for the last",
    9999,
  ),
};

/** How a control is pointed at, the same in every tool. */
export const pointing = {
  id: wholeNumber(1, "the control with this mark"),
  on: text("the control by words, as find takes them; words that fit several are refused"),
  at: text("X,Y: what is at this point of the screen, in physical pixels"),
  x: wholeNumber(-farthest, "with --y: the same as --at X,Y", farthest),
  y: wholeNumber(-farthest, "with --x", farthest),
  role: anyText("only these roles, separated by commas; without words, the only control of that role"),
  ...narrowing,
};

export type Pointing = z.infer<z.ZodMiniObject<typeof pointing>>;

/** The aim that the options name; undefined if they name none. More than one is refused. */
export function chooseAim(input: Pointing, plainWords?: string | undefined): Result<Aim | undefined> {
  const { id, on, at, x, y, role, within, nth } = input;
  const roles = parseRoles(role);
  if (!roles.ok) return roles;
  const isPoint = x !== undefined || y !== undefined;
  const isNamed = [id !== undefined, at !== undefined, isPoint, on !== undefined, plainWords !== undefined];
  if (isNamed.filter(Boolean).length > 1) {
    return fail(describeUsage("--id, words (or --on) and --at name a control each", "give one of them."));
  }
  if (isPoint && (x === undefined || y === undefined)) {
    return fail(describeUsage("--x and --y belong together", "--at 640,400"));
  }
  if (nth === 0) return fail(describeUsage("--nth counts from 1", "--nth 1 is the first, --nth -1 the last."));
  const point = at === undefined ? succeed(undefined) : parsePoint(at);
  if (!point.ok) return point;
  const words =
    plainWords ?? on ?? (role === undefined || id !== undefined || at !== undefined || isPoint ? undefined : "");
  if (words === undefined && [role, within, nth].some((one) => one !== undefined)) {
    const message = "--role, --within and --nth choose among what words fit, or among the controls of a role";
    return fail(describeUsage(message, "add --on WORDS or --role NAME; a mark or a point needs none of them."));
  }
  if (id !== undefined) return succeed({ by: "mark", mark: id });
  if (point.value !== undefined) return succeed({ by: "point", point: point.value });
  if (x !== undefined && y !== undefined) return succeed({ by: "point", point: { x, y } });
  return succeed(words === undefined ? undefined : { by: "words", words, roles: roles.value, within, nth });
}

/** One end of two, whose options begin with its name: --from-id, --to-on. */
export function chooseEnd(end: string, given: Pointing, words?: string | undefined): Result<Aim | undefined> {
  const aim = chooseAim(given, words);
  if (aim.ok) return aim;
  const message = aim.failure.message.replaceAll(/--(id|on|at|x|y|role|within|nth)\b/g, `--${end}-$1`);
  return fail({ ...aim.failure, message, suggestion: `--${end}-id N, --${end}-on WORDS or --${end}-at X,Y` });
}

export function parsePoint(given: string): Result<Point> {
  const match = /^\s*(-?\d{1,5})\s*,\s*(-?\d{1,5})\s*$/.exec(given);
  if (match === null) return fail(describeUsage(`--at "${given}" is not a point`, "two whole numbers: --at 640,400"));
  return succeed({ x: Number(match[1]), y: Number(match[2]) });
}
