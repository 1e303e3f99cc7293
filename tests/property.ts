import fc from "fast-check";

/** The same examples in every run, so that a failure comes from the code and not from chance; `npm run soak` tries others. */
const seed = Number(process.env.DESKMAP_TEST_SEED ?? 4713);
fc.configureGlobal({ seed });

export { fc };
