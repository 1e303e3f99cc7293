/** How often controls of changed applications and pages were found again in the drift suite. */
export interface DriftTable {
  readonly right: number;
  readonly wrong: number;
  readonly refused: number;
  /** By score: how often the best candidate was the right one, whether accepted or not. */
  readonly bins: readonly { readonly from: number; readonly right: number; readonly all: number }[];
}

// Generated from here on by `npm run bench -- drift --table`. Some of these cases also run in every test run, which fails
// if the results differ from tests/drift/suite-table.ts; then both tables must be regenerated.
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
