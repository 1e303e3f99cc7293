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
  right: 460,
  wrong: 1,
  refused: 19,
  bins: [
    { from: 0, right: 4, all: 7 },
    { from: 0.5, right: 4, all: 4 },
    { from: 0.9, right: 18, all: 19 },
    { from: 0.99, right: 15, all: 15 },
    { from: 0.999, right: 435, all: 435 },
  ],
};
export const driftTable: DriftTable = {
  right: 6515,
  wrong: 9,
  refused: 316,
  bins: [
    { from: 0, right: 30, all: 236 },
    { from: 0.5, right: 110, all: 142 },
    { from: 0.9, right: 260, all: 285 },
    { from: 0.99, right: 288, all: 290 },
    { from: 0.999, right: 5886, all: 5887 },
  ],
};
