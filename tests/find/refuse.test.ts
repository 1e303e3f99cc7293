import { expect, test } from "bun:test";
import { describeNoMatch } from "../../src/find/refuse.ts";
import type { Role } from "../../src/model/role.ts";
import { makeElement, makeWindow } from "../fixtures/elements.ts";

test("a refusal by role names a control of another role that has exactly these words first", () => {
  const children = [
    makeElement({ role: "button", name: "16" }),
    makeElement({ role: "button", name: "61" }),
    makeElement({ role: "button", name: "66" }),
    makeElement({ role: "toggle", name: "6" }),
    makeElement({ role: "checkbox", name: "Show 6" }),
  ];
  const root = makeElement({ role: "window", children });
  const read = { window: makeWindow(), root, notes: [], appKey: "galculator" };
  const { nearest } = describeNoMatch({ words: "6", roles: new Set<Role>(["button"]) }, [read]);
  expect(nearest).toEqual(["toggle 6", "btn 16", "btn 61"]);
});
