import { nearest } from "../find/nearest.ts";
import { fail, nothingDone, type Result, succeed } from "../model/failure.ts";
import { type Role, roleNames, roles, rolesNamed, shortRole } from "../model/role.ts";

/** Role names separated by commas, in any of their forms; undefined when none were given. */
export function parseRoles(text: string | undefined): Result<ReadonlySet<Role> | undefined> {
  if (text === undefined) return succeed(undefined);
  const wanted = new Set<Role>();
  for (const name of text.split(",")) {
    const named = rolesNamed(name);
    if (named.length === 0) {
      return fail({
        code: "USAGE",
        message: `no role is called "${name.trim()}"`,
        nearest: nearest(name.trim(), roleNames()),
        suggestion: `one of ${roles.map(shortRole).join(", ")}`,
        done: nothingDone,
      });
    }
    for (const role of named) wanted.add(role);
  }
  return succeed(wanted);
}
