/** Fewer trials: enough to see that everything runs, too few to quote. */
export const isQuick = process.argv.includes("--quick");

/** Only these applications: --only=chromium,calc. */
const only = process.argv.find((word) => word.startsWith("--only="));
export const onlyApps: readonly string[] | undefined = only?.slice("--only=".length).split(",");

/** What a press is compared with (--before=COMMIT); by default a commit from before actions went through the daemon. */
const before = process.argv.find((word) => word.startsWith("--before="));
export const oldCommit: string = before?.slice("--before=".length) ?? "3a303d8";
