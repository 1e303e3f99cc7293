/** How often controls of changed applications and pages were found again in the drift suite. */
export interface DriftTable {
  readonly right: number;
  readonly wrong: number;
  readonly refused: number;
  /** By score: how often the best candidate was the right one, whether accepted or not. */
  readonly bins: readonly { readonly from: number; readonly right: number; readonly all: number }[];
}

// Generated from here on by `npm run bench -- drift --table`. The suite's cases also run in every test run, which fails
// if the results differ from `suiteTable`; then both tables must be regenerated.
export const suiteTable: DriftTable = {
  right: 463,
  wrong: 1,
  refused: 16,
  bins: [
    { from: 0, right: 2, all: 4 },
    { from: 0.5, right: 3, all: 4 },
    { from: 0.9, right: 15, all: 16 },
    { from: 0.99, right: 12, all: 12 },
    { from: 0.999, right: 444, all: 444 },
  ],
};
export const driftTable: DriftTable = {
  right: 6574,
  wrong: 9,
  refused: 257,
  bins: [
    { from: 0, right: 20, all: 214 },
    { from: 0.5, right: 113, all: 151 },
    { from: 0.9, right: 208, all: 230 },
    { from: 0.99, right: 271, all: 276 },
    { from: 0.999, right: 5968, all: 5969 },
  ],
};
