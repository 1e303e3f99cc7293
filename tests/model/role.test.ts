import { describe, expect, test } from "bun:test";
import {
  kindOfRole,
  learnerRole,
  roleNames as namesForRoles,
  roleFromAtspi,
  roles,
  rolesNamed,
  shortRole,
} from "../../src/model/role.ts";
import { roleNames as atspiNames } from "../../src/platform/linux/atspi/vocabulary.ts";

const learnerNames =
  "button link input textarea checkbox radio select menu menuitem tab slider image text heading toolbar dialog window unknown";
const shortNames =
  "btn txt lnk img input chk radio menu menuitem tab list row cell group scroll toolbar static web window other";
/** Where AT-SPI itself has no specific role. */
const meaninglessNames = new Set(["invalid", "extended", "unknown", "redundant object", "focus traversable"]);

describe("the table of roles", () => {
  test("knows every role of the AT-SPI specification", () => {
    expect(atspiNames).toHaveLength(new Set(atspiNames).size);
    const unknown = atspiNames.filter((name) => roleFromAtspi(name) === "other" && !meaninglessNames.has(name));
    expect(unknown).toEqual([]);
  });

  test("names no AT-SPI role outside the specification, and maps unknown ones to other", () => {
    expect(roleFromAtspi("flux capacitor")).toBe("other");
    expect(roleFromAtspi("toString")).toBe("other");
  });

  test("has short names that are unique single words and resolve to their role", () => {
    const shorts = roles.map(shortRole);
    expect(new Set(shorts).size).toBe(roles.length);
    for (const role of roles) {
      expect(shortRole(role)).toMatch(/^[a-z]+$/);
      expect(rolesNamed(shortRole(role))).toEqual([role]);
    }
  });

  test("understands each role by its own name", () => {
    for (const role of roles) expect(rolesNamed(role)).toContain(role);
  });

  test("has no name with two meanings as a short and a full name", () => {
    for (const role of roles) {
      const namesake = roles.find((other) => other === shortRole(role));
      expect(namesake ?? role).toBe(role);
    }
  });

  test.each(learnerNames.split(" "))("understands %p, as learners call it", (name) => {
    expect(rolesNamed(name).length).toBeGreaterThan(0);
  });

  test.each(shortNames.split(" "))("understands %p, as the command line prints it", (name) => {
    expect(rolesNamed(name).length).toBeGreaterThan(0);
  });

  test("gives each role one of the learner's names and a kind", () => {
    for (const role of roles) {
      expect(learnerNames.split(" ")).toContain(learnerRole(role));
      expect(["control", "text", "landmark", "container"]).toContain(kindOfRole(role));
    }
  });
});

describe("a role asked for by name", () => {
  test("may be written in any case and with spaces around it", () => {
    expect(rolesNamed(" Button ")).toEqual(rolesNamed("button"));
    expect(rolesNamed("BTN")).toEqual(["button"]);
  });

  test("is undefined for unknown words, including properties that every object has", () => {
    for (const name of ["buttn", "", "constructor", "__proto__", "toString"]) expect(rolesNamed(name)).toEqual([]);
  });

  test("is among the suggestions when it is misspelt", () => {
    for (const name of namesForRoles()) expect(rolesNamed(name).length).toBeGreaterThan(0);
  });
});
