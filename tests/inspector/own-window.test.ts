import { expect, test } from "bun:test";
import type { ChangeLine, WindowChange } from "../../src/model/change-line.ts";
import { OwnWindow } from "../../src/server/inspector/panels/tree.ts";

const title = "Deskmap inspector ab12";
const window = (what: WindowChange["what"], id: number, name: string): ChangeLine => {
  return { kind: "window", what, window: id, app: "Chromium", title: name };
};
const appeared = (id: number, home: number): ChangeLine => {
  return { kind: "appeared", id, role: "button", name: "", window: home };
};

test("the browser window that shows the page is not reported, nor is anything in it", () => {
  const own = new OwnWindow(title);
  const lines = [
    window("opened", 1, `${title} – Chromium`),
    appeared(5, 1),
    window("opened", 2, "Notes"),
    appeared(6, 2),
  ];
  expect(own.take(lines)).toEqual({ lines: lines.slice(2), isMissingSome: false });
  expect(own.take([appeared(7, 1), window("changed", 1, `${title} – Chromium`)]).lines).toEqual([]);
  expect(own.take([window("closed", 1, `${title} – Chromium`)])).toEqual({ lines: [], isMissingSome: false });
  // The window system may reuse the id.
  expect(own.take([window("opened", 1, "Other"), appeared(8, 1)]).lines).toHaveLength(2);
});

test("a window that becomes the page's is reported as closed; one that stops being it is reported again", () => {
  const own = new OwnWindow(title);
  own.take([window("opened", 1, "New tab"), appeared(5, 1)]);
  const became = own.take([window("changed", 1, title), appeared(6, 1)]);
  expect(became).toEqual({ lines: [window("closed", 1, title)], isMissingSome: false });
  expect(own.take([window("changed", 1, "News")]).isMissingSome).toBe(true);
});
