/** The compiler options of the executable. Benchmarks use them to compile what they compare it with. */
export const COMPILE: readonly string[];
export function run(args: readonly string[]): Promise<number>;
