import { beforeAll, describe, expect, test } from "bun:test";
import { firstPassingMark } from "../../src/model/passing-mark.ts";
import { runOnSmallDisk } from "./small-disk.ts";

// A real file system of two megabytes that fills up and is freed again. Only the processes of this test see its mount.

interface ProcessOutput {
  readonly marks: readonly (readonly number[])[];
  readonly again: readonly (readonly number[])[];
  readonly warnings: readonly string[];
  readonly failure: string | null;
}

interface Checked {
  readonly integrity: string;
  readonly targets: number;
}

const many = Array.from({ length: 150 }, (_, index) => String(index + 1)).join(" ");
let steps: readonly string[] = [];
beforeAll(() => {
  steps = runOnSmallDisk(
    2,
    `fill ballast 512
    take ${many}
    check
    fill rest 4096
    take 1 501
    check
    rm "$THERE/ballast" "$THERE/rest"
    take 1 501
    take 1 501
    check`,
  );
});

const readStep = <T>(at: number): T => JSON.parse(steps[at] ?? "null");
const isLasting = (mark: number): boolean => mark < firstPassingMark;

describe("a file system that fills up", () => {
  test("fails no read: from then on new marks hold for the process only, which is reported once", () => {
    const told = readStep<ProcessOutput>(0);
    const all = told.marks.flat();
    expect(told.failure).toBeNull();
    expect(told.warnings).toEqual([expect.stringMatching(/full.*are valid only in this process/)]);
    // The first were written, the rest were not.
    const firstPassing = all.findIndex((mark) => !isLasting(mark));
    expect(firstPassing).toBeGreaterThan(0);
    expect(all.slice(firstPassing).filter(isLasting)).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
    expect(told.again).toEqual(told.marks);
  });

  test("leaves an intact map with every stored snapshot, and nothing of the others", () => {
    const lasting = readStep<ProcessOutput>(0).marks.flat().filter(isLasting);
    expect(readStep<Checked>(1)).toEqual({ integrity: "ok", targets: lasting.length });
  });

  test("and one without a byte left is no error either", () => {
    const told = readStep<ProcessOutput>(2);
    expect([told.failure, told.warnings.length, told.again]).toEqual([null, 1, told.marks]);
    expect((told.marks[1] ?? []).filter(isLasting)).toEqual([]);
    expect(readStep<Checked>(3)).toEqual(readStep<Checked>(1));
  });

  test("works again once there is room: known marks are kept, and new ones last", () => {
    const [before, now, next] = [readStep<ProcessOutput>(0), readStep<ProcessOutput>(4), readStep<ProcessOutput>(5)];
    expect([now.failure, now.warnings]).toEqual([null, []]);
    expect(now.marks[0]).toEqual(before.marks[0]);
    expect((now.marks[1] ?? []).every(isLasting)).toBe(true);
    expect(before.marks.flat()).not.toContain(now.marks[1]?.[0]);
    expect(next).toEqual(now);
    expect(readStep<Checked>(6)).toEqual({ integrity: "ok", targets: readStep<Checked>(1).targets + 40 });
  });
});

test("forgetting without room to rewrite the file still forgets, and says what may be left", () => {
  const few = Array.from({ length: 60 }, (_, index) => String(index + 1)).join(" ");
  const [taken = "", before = "", forgotten = "", after = "", again = "", end = ""] = runOnSmallDisk(
    8,
    `take ${few}
    check
    leave 500
    forget app-7
    check
    rm "$THERE/rest"
    forget app-7
    check`,
  );
  const marks: ProcessOutput = JSON.parse(taken);
  expect(marks.warnings).toEqual([]);
  expect(JSON.parse(forgotten)).toMatchObject({
    ok: false,
    failure: {
      message: expect.stringContaining("full"),
      suggestion: expect.stringContaining("make room on the disk, then repeat the command"),
      done: "it is forgotten, but its bytes may still be in the file.",
    },
  });
  const [was, now]: Checked[] = [JSON.parse(before), JSON.parse(after)];
  expect(now).toEqual({ integrity: "ok", targets: (was?.targets ?? 0) - (marks.marks[6]?.length ?? 0) });
  expect([JSON.parse(again), JSON.parse(end)]).toEqual([{ ok: true, value: 0 }, now]);
});
