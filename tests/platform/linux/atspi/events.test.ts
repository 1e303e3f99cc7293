import { expect, test } from "bun:test";
import { SpokenNames } from "../../../../src/platform/linux/atspi/events.ts";
import { decodeSignal, encodeSignal } from "../../../../src/platform/linux/dbus/message.ts";

function makeEvent(detail: string, path: string, value: { signature: string; value: string | number }) {
  const where = { destination: ":1.1", path, interface: "org.a11y.atspi.Event.Object", member: "PropertyChange" };
  return decodeSignal(encodeSignal({ ...where, signature: "siiv", args: [detail, 0, 0, value] }, 1));
}

function makeName(name: string, path = "/view", detail = "accessible-name") {
  return makeEvent(detail, path, { signature: "s", value: name });
}

test("a name or description that is said again unchanged is no event", () => {
  const spoken = new SpokenNames();
  expect(spoken.isNew(makeName("Icon view"))).toBe(true);
  expect(spoken.isNew(makeName("Directory", "/view", "accessible-description"))).toBe(true);
  expect(spoken.isNew(makeName("Icon view"))).toBe(false);
  expect(spoken.isNew(makeName("Directory", "/view", "accessible-description"))).toBe(false);
});

test("another name, the first one again, and the same name of another object are events", () => {
  const spoken = new SpokenNames();
  const names = [makeName("Play"), makeName("Pause"), makeName("Play"), makeName("Play", "/other")];
  expect(names.map((name) => spoken.isNew(name))).toEqual([true, true, true, true]);
});

test("an event that does not contain the new text, or is about something else, is never left out", () => {
  const spoken = new SpokenNames();
  const empty = makeEvent("accessible-name", "/view", { signature: "i", value: 0 });
  const value = makeEvent("accessible-value", "/view", { signature: "s", value: "3" });
  expect([empty, empty, value, value].map((event) => spoken.isNew(event))).toEqual([true, true, true, true]);
});
