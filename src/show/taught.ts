import * as z from "zod/mini";
import type { Point } from "../model/bounds.ts";
import { quoteText } from "../model/plain-text.ts";
import { type LearnerRole, learnerRoles } from "../model/role.ts";
import { joinRows } from "./csv.ts";
import { type DataOf, type Forms, titled } from "./output.ts";

/** A control that has a name of a person's own now. */
export interface TaughtControl {
  readonly mark: number;
  readonly name: string;
  readonly role: LearnerRole;
  readonly ownName: string;
  /** Whether only its place is known, since its application tells nothing of it. */
  readonly isPlace: boolean;
  /** Where a person pointed; undefined where it was named by its mark. */
  readonly point?: Point | undefined;
}

export const taughtOutput = () =>
  z.strictObject({
    success: z.literal(true),
    message: z.string(),
    targetId: z.string(),
    role: titled("LearnerRole", z.enum(learnerRoles)),
    place: z.boolean(),
  });

export const taughtForms: Forms<TaughtControl, DataOf<typeof taughtOutput>> = {
  data({ mark, name, role, isPlace, point }) {
    const where = point === undefined ? ` as ${mark}` : ` at (${point.x}, ${point.y})`;
    const message = `Learned "${name}"${where}. I'll remember this for future sessions.`;
    return { success: true, message, targetId: String(mark), role, place: isPlace };
  },
  text({ mark, name, role, ownName, isPlace }) {
    const own = ownName === "" ? "" : ` ${quoteText(ownName)}`;
    const bound = isPlace ? "a place in its window, since nothing is told of it" : `${role}${own}`;
    return `${mark} is called ${quoteText(name)} now: ${bound}`;
  },
  csv: ({ mark, name, role, isPlace }) => joinRows("id,name,role,place", [[String(mark), name, role, String(isPlace)]]),
};
