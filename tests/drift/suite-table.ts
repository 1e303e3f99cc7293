import type { DriftTable } from "../../src/map/keep/drift-table.ts";

// Generated from here on by `npm run bench -- drift --table`, with the table of src/map/keep/drift-table.ts.
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
