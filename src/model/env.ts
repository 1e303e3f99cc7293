/** Environment variables of a process, as `process.env` has them. */
export type Env = Readonly<Record<string, string | undefined>>;
