import { describeUsage, fail, type Result, succeed } from "../model/failure.ts";

/** The whole text of a file, or of standard input for "-". A lenient decoder would silently replace what is no UTF-8. */
export async function readText(path: string): Promise<Result<string>> {
  const name = path === "-" ? "standard input" : path;
  let bytes: Uint8Array;
  try {
    bytes = await (path === "-" ? Bun.stdin : Bun.file(path)).bytes();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(
      describeUsage(`${name} cannot be read: ${reason}`, "give a file that you may read, or - for standard input."),
    );
  }
  try {
    return succeed(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return fail(describeUsage(`${name} is not UTF-8 text`, "convert it first, for example with iconv."));
  }
}
