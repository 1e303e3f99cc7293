/** The message of a caught value; anything can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What kind of bug was caught, and where. Without its message, which may quote the screen or a secret. */
export function nameFault(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const { name, message, stack = "" } = error;
  // The stack begins with the message, which may look like a frame.
  const frames = stack.slice(stack.indexOf(message) + message.length).split("\n");
  const frame = frames.find((line) => /^\s+at /.test(line))?.trim() ?? "";
  return `${/^\w+$/.test(name) ? name : "Error"} ${frame}`.trim();
}

/** The code of a system error, such as "ENOENT"; "" for any other value. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
