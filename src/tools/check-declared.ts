import type * as z from "zod/mini";

/** Where the test runner asks for it, every answer must be what its tool or command declares, on real desktops, too. */
export function checkDeclared(name: string, output: () => z.ZodMiniType, readData: () => unknown): void {
  if (process.env.DESKMAP_CHECK_OUTPUTS !== "1") return;
  const checked = output().safeParse(readData());
  if (checked.success) return;
  throw new Error(`${name} answered what its output does not declare: ${JSON.stringify(checked.error.issues)}`);
}
