import { describe, expect, test } from "bun:test";
import type { Bounds } from "../../src/model/bounds.ts";
import type { Detection } from "../../src/model/detection.ts";
import type { Element } from "../../src/model/element.ts";
import { type LearnerRole, learnerRole, rolesNamed } from "../../src/model/role.ts";
import type { Source } from "../../src/model/source.ts";
import { judgeConfidence, type Target } from "../../src/model/target.ts";
import { mergePicture } from "../../src/sources/merge.ts";
import { mergeMemory } from "../../src/sources/merge-memory.ts";
import { describePictured } from "../../src/sources/vision/describe-window.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";
import { fc } from "../property.ts";

const nowMs = 1_000_000;

function target(mark: number, label: string, bounds: Bounds | undefined, more: Partial<Target> = {}): Target {
  const learned = {
    mark,
    source: "a11y" as Source,
    certainty: undefined,
    firstSeenMs: 1000,
    lastSeenMs: 2000,
    same: 0,
    moved: 0,
    missing: 0,
    hits: 0,
    misses: 0,
    taught: "",
    parent: undefined,
    depth: 1,
    visualHash: "",
    layoutVersion: 1,
    ...more,
  };
  return {
    app: "calc",
    window: "Calculator",
    role: "button",
    label,
    bounds,
    clickPoint: bounds && { x: bounds.x + 5, y: bounds.y + 5 },
    isLearned: false,
    isStale: false,
    ...more,
    ...learned,
    confidence: judgeConfidence(learned),
  };
}

function detection(label: string, bounds: Bounds, confidence = 0.9, role: Detection["role"] = "text"): Detection {
  return { role, source: "ocr", label, bounds, confidence };
}

function at(x: number, y: number, width = 30, height = 30): Bounds {
  return { x, y, width, height };
}

interface Reports {
  readonly seen: readonly Target[];
  readonly detections: readonly Detection[];
  readonly remembered: readonly Target[];
}

/** As in production: the picture is merged into the tree, and memory into both. */
function merge(told: Partial<Reports>, scale = 1): Target[] {
  const { seen = [], detections = [], remembered = [] } = told;
  const tree = makeElement({ role: "window", children: seen.map(toElement) });
  const pictured = describePictured(detections, makeWindow()).children;
  const byHandle = new Map(seen.map((one) => [`seen/${one.mark}`, one]));
  const targets = mergePicture(tree, pictured, scale).children.map(({ handle, role, name: label, source, ...rest }) => {
    const { bounds, clickPoint, certainty } = rest;
    const own = byHandle.get(handle);
    if (own !== undefined) return { ...own, label, source };
    return target(0, label, bounds, { role: learnerRole(role), source, certainty, clickPoint });
  });
  return mergeMemory({ seen: targets, remembered }, { scale, nowMs });
}

function toElement({ mark, role, label, bounds, clickPoint, source }: Target): Element {
  const [own = "other"] = role === "textarea" ? ["document" as const] : rolesNamed(role);
  return makeElement({ role: own, name: label, bounds, clickPoint, source, handle: `seen/${mark}` });
}

describe("a picture", () => {
  test("confirms a platform element, and is not listed twice", () => {
    const [save, ...rest] = merge({
      seen: [target(1, "Save", at(100, 100, 80, 30))],
      detections: [detection("Save", at(120, 108, 40, 14))],
    });
    expect(rest).toEqual([]);
    expect(save).toMatchObject({ mark: 1, source: "a11y+vision", confidence: 0.99, bounds: at(100, 100, 80, 30) });
  });

  test("confirms a nameless element, and changes no name", () => {
    const merged = merge({
      seen: [target(1, "", at(100, 100, 80, 30)), target(2, "E-mail", at(100, 150, 80, 30), { role: "input" })],
      detections: [detection("Open", at(120, 108, 40, 14)), detection("bob@example.org", at(104, 158, 70, 14))],
    });
    expect(merged.map(({ mark, label, source }) => [mark, label, source])).toEqual([
      [1, "", "a11y+vision"],
      [2, "E-mail", "a11y+vision"],
    ]);
  });

  test("adds what the platform does not know, at four fifths of its own certainty", () => {
    const [added] = merge({ detections: [detection("Play", at(10, 20, 40, 14), 0.5, "button")] });
    expect(added).toMatchObject({ mark: 0, source: "ocr", role: "button", label: "Play", confidence: 0.4 });
    expect(added).toMatchObject({ app: "calc", window: "Calculator", clickPoint: { x: 30, y: 27 } });
  });

  test("tolerates a misread letter in the same place", () => {
    const merged = merge({
      seen: [target(1, "Discard", at(78, 119, 67, 25))],
      detections: [detection("(Discard)", at(79, 122, 64, 20), 0.6)],
    });
    expect(merged.map(({ label, source }) => [label, source])).toEqual([["Discard", "a11y+vision"]]);
  });

  test("does not name a window by a text in it, but adds the text", () => {
    const merged = merge({
      seen: [target(1, "", at(0, 0, 800, 600), { role: "window" })],
      detections: [detection("Welcome", at(300, 200, 80, 16))],
    });
    expect(merged.map(({ label, source }) => [label, source])).toEqual([
      ["", "a11y"],
      ["Welcome", "ocr"],
    ]);
  });

  test("neither adds nor uses as names the lines of a text that the platform reports as one", () => {
    const lines = [0, 1, 2].map((line) => detection(`line ${line}`, at(10, 10 + 20 * line, 60, 14)));
    const merged = merge({ seen: [target(1, "", at(0, 0, 400, 300), { role: "textarea" })], detections: lines });
    expect(merged.map(({ mark, label }) => [mark, label])).toEqual([[1, ""]]);
  });

  test("does not use a slider's shown value as its name", () => {
    const slider = target(1, "", at(0, 0, 30, 300), { role: "slider" });
    expect(merge({ seen: [slider], detections: [detection("30.0", at(3, 3, 24, 12))] })).toMatchObject([
      { mark: 1, label: "", source: "a11y" },
    ]);
  });

  test("gives a field no name, whatever stands beside it", () => {
    const caption = detection("Your name", at(20, 100, 70, 14));
    const field = target(1, "", at(100, 96, 200, 24), { role: "input" });
    expect(merge({ seen: [field], detections: [caption] }).map(({ label }) => label)).toEqual(["", "Your name"]);
  });

  test("fills gaps of the tree, where a name beside them is another's, and adds nothing elsewhere", () => {
    const [home, list] = [at(10, 100, 90, 20), at(110, 90, 300, 200)];
    const tree = makeElement({
      role: "window",
      children: [
        makeElement({ role: "cell", name: "home", bounds: home, source: "a11y" }),
        makeElement({ role: "cell", name: "", bounds: at(10, 130, 90, 20), source: "a11y" }),
        makeElement({ role: "list", name: "Icon view", bounds: list, source: "a11y" }),
      ],
    });
    const detections = [
      detection("home", at(120, 100, 40, 14), 0.9, "icon"),
      detection("Devices", at(12, 132, 50, 14)),
      detection("a title", at(10, 10, 80, 14)),
    ];
    const pictured = describePictured(detections, makeWindow()).children;
    const { children } = mergePicture(tree, pictured, 1, [list]);
    expect(children.slice(0, 3).map(({ name, bounds }) => ({ name, bounds }))).toEqual(
      tree.children.map(({ name, bounds }) => ({ name, bounds })),
    );
    expect(children.slice(3).map(({ name, role, source }) => [name, role, source])).toEqual([["home", "icon", "ocr"]]);
    expect(mergePicture(tree, pictured, 1, []).children).toHaveLength(3);
  });
});

describe("neighbours 36 pixels apart", () => {
  const keys = Array.from({ length: 9 }, (_, n) => at(100 + 36 * (n % 3), 100 + 36 * Math.floor(n / 3), 34, 34));

  test("are each confirmed by their own label", () => {
    const detections = keys.map((key, n) => detection(String(n + 1), at(key.x + 12, key.y + 10, 9, 13)));
    const seen = keys.map((key, n) => target(n + 1, String(n + 1), key));
    const merged = merge({ seen, detections: detections.toReversed() });
    expect(merged.map(({ source }) => source)).toEqual(keys.map(() => "a11y+vision"));
  });

  test("take no label that lies on another, even if that one was not read", () => {
    const merged = merge({
      seen: [target(1, "1", keys[0]), target(2, "", keys[1]), target(3, "3", keys[2])],
      detections: [detection("1", at(112, 110, 9, 13)), detection("3", at(184, 110, 9, 13))],
    });
    expect(merged.find(({ mark }) => mark === 2)).toMatchObject({ label: "", source: "a11y", confidence: 0.95 });
  });

  test("of one name do not swap what was learned about them", () => {
    const rows = [0, 36, 72].map((y) => detection("Delete", at(200, 100 + y, 50, 14)));
    const remembered = [0, 36, 72].map((y, n) =>
      target(n + 11, "Delete", at(201, 101 + y, 50, 14), { source: "ocr", certainty: 0.9, hits: n + 1 }),
    );
    const merged = merge({ detections: rows, remembered });
    const byPlace = merged.toSorted((a, b) => (a.bounds?.y ?? 0) - (b.bounds?.y ?? 0));
    expect(byPlace.map(({ mark, hits }) => [mark, hits])).toEqual([
      [11, 1],
      [12, 2],
      [13, 3],
    ]);
  });
});

describe("memory", () => {
  test("adds what was learned about a visible control", () => {
    const [save] = merge({
      seen: [target(7, "Save", at(0, 0))],
      remembered: [target(7, "Save", at(500, 500), { hits: 4, misses: 1, taught: "the good one", firstSeenMs: 5 })],
    });
    expect(save).toMatchObject({ hits: 4, misses: 1, taught: "the good one", firstSeenMs: 5, isLearned: true });
    expect(save).toMatchObject({ bounds: at(0, 0), isStale: false, source: "a11y", lastSeenMs: nowMs });
  });

  test("reports reliable controls that are not visible, and says so", () => {
    const reliable = target(7, "Save", at(0, 0), { hits: 4 });
    const others = [target(8, "Once", at(40, 0), { hits: 1 }), target(9, "Gone", at(80, 0), { hits: 9, missing: 3 })];
    expect(merge({ remembered: [reliable, ...others] })).toEqual([
      { ...reliable, source: "learned", isStale: true, isLearned: true },
    ]);
  });

  test("does not merge two controls that the platform distinguished", () => {
    const merged = merge({
      seen: [target(1, "Delete", at(0, 0))],
      remembered: [target(2, "Delete", at(0, 0), { hits: 9 })],
    });
    expect(merged.map(({ mark, hits, isStale }) => [mark, hits, isStale])).toEqual([
      [2, 9, true],
      [1, 0, false],
    ]);
  });

  test("gives its mark to a pictured control at its place, and not to one of another name", () => {
    const before = target(5, "Save", at(100, 100, 40, 14), { source: "ocr", certainty: 0.8, hits: 2 });
    const shown = (label: string, y: number) =>
      merge({ detections: [detection(label, at(104, y, 40, 14))], remembered: [before] })[0];
    expect(shown("Save", 102)).toMatchObject({ mark: 5, hits: 2, source: "ocr", isLearned: true });
    expect(shown("Save", 140)).toMatchObject({ mark: 5 });
    expect(shown("Save", 150)).toMatchObject({ mark: 0 });
    expect(shown("Discard", 102)).toMatchObject({ mark: 0, hits: 0 });
  });

  test("of a pictured control matches its exact words only: the next file of a list has nearly the same", () => {
    const remembered = [target(12, "report-1.pdf", at(100, 100, 90, 16), { source: "ocr", certainty: 0.9 })];
    const next = merge({ remembered, detections: [detection("report-2.pdf", at(100, 100, 90, 16))] });
    expect(next.filter(({ isStale }) => !isStale)).toMatchObject([{ label: "report-2.pdf", mark: 0 }]);
    const same = merge({ remembered, detections: [detection("report-1.pdf", at(100, 104, 90, 16))] });
    expect(same).toMatchObject([{ label: "report-1.pdf", mark: 12 }]);
  });

  test("of a place that a person pointed at goes to what is there, whatever they called it", () => {
    const taught = target(3, "", at(75, 85, 50, 30), { source: "learned", taught: "The way out" });
    const pointed = { ...taught, clickPoint: { x: 100, y: 100 } };
    const [quit] = merge({ seen: [target(1, "Quit", at(60, 90, 90, 24))], remembered: [pointed] });
    expect(quit).toMatchObject({ mark: 1, label: "Quit", taught: "The way out", isLearned: true });
    expect(merge({ remembered: [pointed] })).toMatchObject([{ mark: 3, isStale: true, confidence: 0.8 }]);
  });
});

test("limits scale with the monitor: twice as far at scale 2", () => {
  const seen = [target(1, "Play", at(100, 100, 40, 20))];
  const detections = [detection("Play", at(220, 100, 40, 20))];
  expect(merge({ seen, detections }).map(({ source }) => source)).toEqual(["a11y", "ocr"]);
  expect(merge({ seen, detections }, 2).map(({ source }) => source)).toEqual(["a11y+vision"]);
});

const labels = fc.constantFrom("", "Save", "Save As…", "Delete", "1", "2", "Name", "Größe");
const roles = fc.constantFrom<LearnerRole[]>("button", "text", "input", "window", "menu", "textarea", "checkbox");
const bounds = fc.record({
  x: fc.integer({ min: -20, max: 300 }),
  y: fc.integer({ min: 0, max: 200 }),
  width: fc.integer({ min: 0, max: 120 }),
  height: fc.integer({ min: 0, max: 60 }),
});
const count = fc.integer({ min: 0, max: 12 });

function targets(...sources: Source[]): fc.Arbitrary<Target[]> {
  const one = fc.record({
    label: labels,
    place: fc.option(bounds, { nil: undefined }),
    mark: fc.integer({ min: 1, max: 20 }),
    more: fc.record({
      source: fc.constantFrom(...sources),
      certainty: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      role: roles,
      same: count,
      missing: count,
      hits: count,
      misses: count,
      taught: fc.constantFrom("", "", "mine"),
    }),
  });
  return fc
    .uniqueArray(one, { selector: ({ mark }) => mark, maxLength: 12 })
    .map((list) => list.map(({ mark, label, place, more }) => target(mark, label, place, more)));
}

const anything = fc.record({
  seen: targets("a11y", "dom"),
  remembered: targets("a11y", "ocr", "a11y+vision", "learned", "dom"),
  detections: fc.array(
    fc.record({
      role: fc.constantFrom<Detection["role"][]>("button", "text", "input", "checkbox"),
      source: fc.constant("ocr" as const),
      label: labels,
      bounds,
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { maxLength: 12 },
  ),
});
const scales = fc.constantFrom(1, 1.5, 2);

describe("whatever the sources report", () => {
  test("no platform target is lost or moved, and each is there once", () => {
    fc.assert(
      fc.property(anything, scales, (sources, scale) => {
        const merged = merge(sources, scale);
        for (const { mark, bounds: place, clickPoint, role, label } of sources.seen) {
          const [now, ...more] = merged.filter((one) => one.mark === mark && !one.isStale && one.source !== "ocr");
          expect(more).toEqual([]);
          expect(now).toMatchObject({ role });
          expect(now?.bounds).toEqual(place);
          expect(now?.clickPoint).toEqual(clickPoint);
          if (label !== "") expect(now?.label).toBe(label);
        }
      }),
    );
  });

  test("nothing is used twice: at most as many are confirmed or added as there are detections", () => {
    fc.assert(
      fc.property(anything, scales, (sources, scale) => {
        const merged = merge(sources, scale);
        const [added, confirmed] = ["ocr", "a11y+vision"].map(
          (source) => merged.filter((one) => one.source === source && !one.isStale).length,
        );
        expect((added ?? 0) + (confirmed ?? 0)).toBeLessThanOrEqual(sources.detections.length);
        // Learned counts are neither lost in two places nor counted twice.
        const sum = (list: readonly Target[]): number => list.reduce((total, { hits }) => total + hits, 0);
        expect(sum(merged)).toBeLessThanOrEqual(sum(sources.seen) + sum(sources.remembered));
      }),
    );
  });

  test("the order of their reports changes nothing", () => {
    const shuffled = anything.chain((sources) =>
      fc.record({
        sources: fc.constant(sources),
        other: fc.record({
          seen: fc.shuffledSubarray(sources.seen, { minLength: sources.seen.length }),
          detections: fc.shuffledSubarray(sources.detections, { minLength: sources.detections.length }),
          remembered: fc.shuffledSubarray(sources.remembered, { minLength: sources.remembered.length }),
        }),
      }),
    );
    fc.assert(
      fc.property(shuffled, scales, ({ sources, other }, scale) => {
        expect(merge(other, scale)).toEqual(merge(sources, scale));
      }),
    );
  });

  test("confidence stays between 0.1 and 0.99, and the most confident come first", () => {
    fc.assert(
      fc.property(anything, scales, (sources, scale) => {
        const confidences = merge(sources, scale).map(({ confidence }) => confidence);
        for (const confidence of confidences) {
          expect(confidence).toBeGreaterThanOrEqual(0.1);
          expect(confidence).toBeLessThanOrEqual(0.99);
        }
        expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
      }),
    );
  });

  test("invisible targets are stale, and stale ones were known", () => {
    fc.assert(
      fc.property(anything, scales, (sources, scale) => {
        const known = new Set(sources.remembered.map(({ mark }) => mark));
        for (const one of merge(sources, scale)) {
          expect(one.isStale).toBe(one.source === "learned");
          if (one.isStale) expect(known.has(one.mark)).toBe(true);
        }
      }),
    );
  });
});
