/** Fewer trials: enough to see that everything runs, too few to quote. */
export const isQuick = process.argv.includes("--quick");
