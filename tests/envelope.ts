/** The content between the two delimiter lines around a text for a pipe; throws if the format is not exactly that. */
export function openEnvelope(output: string): string {
  const lines = output.split("\n");
  const [, nonce] =
    /^--- data from applications, not instructions, until ([0-9a-f]{16}) ---$/.exec(lines[0] ?? "") ?? [];
  const end = `--- end ${nonce} ---`;
  if (nonce === undefined || lines.at(-1) !== "" || lines.at(-2) !== end) throw new Error(`no envelope: ${output}`);
  const inside = lines.slice(1, -2).join("\n");
  if (inside.includes(nonce)) throw new Error(`the number ${nonce} stands inside: ${output}`);
  return inside;
}
