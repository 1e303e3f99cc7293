import { describe, expect, test } from "bun:test";
import type { Description } from "../../src/map/resolve/description.ts";
import { readCase } from "../../src/map/resolve/read-case.ts";
import { resolve } from "../../src/map/resolve/resolve.ts";
import type { Outcome } from "./score.ts";
import { suiteTable } from "./suite-table.ts";
import { playSuite, summarise } from "./table.ts";

const menu: readonly Description[] = ["Open", "Open Recent", "Save", "Save As", "Print", "Close", "Quit"].map(
  (name, place, all) => ({
    role: "menuitem",
    name,
    path: ["menubar", "menu File"],
    sisters: [all[place - 1] ?? "", all[place + 1] ?? ""],
  }),
);
const without = (name: string): Description[] => menu.filter((one) => one.name !== name);
const save = menu[2] ?? {};

function answer(ref: Description, candidates: readonly Description[]): string {
  const { verdict, best } = resolve(ref, candidates);
  return verdict === "match" ? `${candidates[best ?? -1]?.name}` : verdict;
}

describe("a control", () => {
  test("is found among others by its words", () =>
    expect(answer({ role: "menuitem", name: "Save" }, menu)).toBe("Save"));

  test("is found by its id in another language", () => {
    const german = ["Öffnen", "Speichern", "Schließen"].map((name, place) => ({
      role: "button",
      name,
      id: `b${place}`,
    }));
    expect(answer({ role: "button", name: "Save", id: "b1" }, german)).toBe("Speichern");
  });

  test("is found between the same siblings after it was renamed", () => {
    const renamed = menu.map((one) => (one.name === "Print" ? { ...one, name: "Print Preview" } : one));
    expect(answer(menu[4] ?? {}, renamed)).toBe("Print Preview");
  });

  test("that is gone is not confused with one of a similar name", () => {
    expect(answer(save, without("Save"))).toBe("not-found");
    expect(answer({ role: "menuitem", name: "Save" }, without("Save"))).toBe("not-found");
  });

  test("that is gone is not confused with one that was beside it, however similar their names are", () => {
    const list = ["Settings 1", "Settings 2", "Settings 3"].map((text, at, all) => ({
      tag: "a",
      text,
      href: "#",
      xpath: `/body[1]/ul[1]/li[${at + 1}]/a[1]`,
      neighbours: [all[at - 1] ?? "Page", all[at + 1] ?? "Credits"],
    }));
    const [first, ...rest] = list;
    const others = ["Home", "Mail", "Calendar"].map((text) => ({ tag: "a", text, href: `/${text}`, neighbours: [] }));
    expect(resolve(first ?? {}, [...rest, ...others]).verdict).not.toBe("match");
    expect(resolve(first ?? {}, [...list, ...others])).toMatchObject({ verdict: "match", best: 0 });
  });

  test.each([
    ["whose id and class are gone", { tag: "a", text: "Release notes", id: "notes", class: "nav big" }, {}],
    ["that is a heading of another level", { tag: "h2", text: "Release notes" }, { tag: "h3" }],
    ["in other letters", { tag: "a", text: "Release notes" }, { text: "RELEASE NOTES" }],
  ])("with words of its own is found in a later version of its page: %s", (_, ref, change) => {
    const words = ["Home", "Download", "Contact", "Search", "Imprint", "Press", "Forum", "Blog", "Jobs", "Team"];
    const others = [...words, ...words.map((word) => `Our ${word}`)].map((text, at) => ({
      tag: at % 2 === 0 ? ref.tag : "a",
      text,
      href: `/${text}`,
      neighbours: [`Text ${at}`],
    }));
    const neighbours = ["What is new", "In short"];
    const now = { ...ref, id: "", class: "", neighbours: ["Something", "Else"], ...change };
    expect(resolve({ ...ref, neighbours }, [...others, now])).toMatchObject({ verdict: "match", best: others.length });
  });

  test("that is there twice is refused", () => expect(answer(save, [...menu, save])).toBe("ambiguous"));

  test("whose duplicate has taken its place is refused: only the order distinguishes the two", () => {
    const own = { tag: "button", text: "Delete", bounds: { x: 400, y: 100, width: 80, height: 24 } };
    const moved = { ...own, bounds: { ...own.bounds, y: 900 } };
    const others = Array.from({ length: 30 }, (_, at) => ({
      tag: "button",
      text: `Entry ${at}`,
      bounds: moved.bounds,
    }));
    expect(resolve(own, [own, moved, ...others]).verdict).toBe("ambiguous");
  });

  test("whose twin remains is not confused with it", () => {
    const own = { tag: "a", text: "Home", href: "/", xpath: "/body[1]/nav[1]/a[1]", twins: 1 };
    const twin = { ...own, xpath: "/body[1]/footer[1]/div[3]/ul[1]/li[4]/a[1]" };
    const others = Array.from({ length: 30 }, (_, at) => ({
      tag: "a",
      text: `Entry ${at} of many`,
      href: `/entry/${at}`,
    }));
    expect(resolve(own, [own, twin, ...others]).verdict).toBe("match");
    expect(resolve(own, [twin, ...others]).verdict).not.toBe("match");
  });

  test("is not found where nothing is", () => expect(answer(save, [])).toBe("not-found"));
});

test("a property that no candidate has is no evidence", () => {
  const [one] = [resolve({ role: "button", name: "Go" }, [{ role: "button", name: "Go" }])];
  expect(one?.evidence.map(({ feature }) => feature)).toEqual(["name", "role"]);
});

describe("of controls of changed applications and pages", () => {
  const outcomes = playSuite();
  const share = (list: readonly Outcome[], verdict: Outcome["verdict"]): number =>
    list.filter((one) => one.verdict === verdict).length / list.length;

  test("nearly all are found, and hardly any is confused with another", () => {
    expect(outcomes.length).toBeGreaterThan(400);
    expect(share(outcomes, "right")).toBeGreaterThanOrEqual(0.94);
    expect(share(outcomes, "wrong")).toBeLessThanOrEqual(0.005);
  });

  test("the table of `deskmap map stats` is current (npm run bench -- drift --table regenerates it)", () =>
    expect(suiteTable).toEqual(summarise(outcomes)));

  test("more of the confident answers are right", () => {
    const bins = [0, 0.5, 0.9, 0.99].map((from, at, all) =>
      outcomes.filter(({ score }) => score >= from && score < (all[at + 1] ?? 2)),
    );
    const right = bins
      .filter(({ length }) => length >= 20)
      .map((bin) => bin.filter((one) => one.isBestRight).length / bin.length);
    expect(right).toEqual([...right].sort((a, b) => a - b));
    expect(right.at(-1)).toBeGreaterThan(0.99);
  });
});

test("a control named by a symbol is not confused with one of another symbol", () => {
  expect(answer({ role: "button", name: "…" }, [{ role: "button", name: "*" }, ...menu])).toBe("not-found");
});

test("endless texts and paths are compared by their ends", () => {
  const long = { name: `${"*".repeat(200_000)}x`, xpath: "/div[1]".repeat(20_000) };
  expect(resolve(long, [long, { ...long, name: "*".repeat(200_000) }]).best).toBe(0);
});

test.each([
  [{ bounds: null, rect: { x: 1, y: 2, width: 3, height: 4 } }],
  [{ position: "relative", x: 1, y: 2, width: 3, height: 4 }],
  [{ bounds: [1, 2, 4, 6] }],
  [{ bbox: [1, 2, 4, 6] }],
  [{ bbox: { x: 1, y: 2, width: 3, height: 4 } }],
  [{ location: "1,2", width: 3, height: 4 }],
])("a place is read as people write it: %j", (given) => {
  const read = readCase(JSON.stringify({ ref: { ...given, classes: ["a", "b"] }, candidates: [] }));
  if (typeof read === "string") throw new Error(read);
  expect(read.ref.bounds).toEqual({ x: 1, y: 2, width: 3, height: 4 });
  expect(read.ref.class).toBe("a b");
});
