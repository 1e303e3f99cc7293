/** Environment variables of a process, as `process.env` has them. */
export type Env = Readonly<Record<string, string | undefined>>;

/** Set for a client that reads and acts without writing the map. */
export const memoryVariable = "DESKMAP_MEMORY";

export function isMemoryOff(env: Env): boolean {
  return ["off", "no", "0", "false", "never"].includes((env[memoryVariable] ?? "").toLowerCase());
}
