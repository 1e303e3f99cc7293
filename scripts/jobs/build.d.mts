/** The options with which the executable is compiled, for whoever compiles something to compare it with. */
export const COMPILE: readonly string[];
export function run(args: readonly string[]): Promise<number>;
