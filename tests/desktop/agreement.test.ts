import { afterAll, describe, expect, test } from "bun:test";
import { casesOf } from "../tier.ts";
import { type Case, compare, readFirst, type Seen } from "./agree.ts";
import { prepareChromium } from "./chromium.ts";
import { openScene, prepareFirefox } from "./scene.ts";

const page = `<!doctype html><title>Agreement</title><h1>Heading</h1><p>Some words.</p>
<label>User <input id="user" value="bob"></label><input type="checkbox" checked aria-label="Agree">
<select aria-label="Colour"><option>Red<option>Blue</select><button disabled>Off</button>
<a href="#x">A link</a><input type="range" aria-label="Volume" min="0" max="10" value="4">
<ul>${Array.from({ length: 200 }, (_, index) => `<li><a href="#${index}">Item ${index}</a></li>`).join("")}</ul>`;
const firefox = prepareFirefox(page);
const chromium = prepareChromium(page);
afterAll(() => {
  firefox.remove();
  chromium.remove();
});

const cases: readonly Case[] = [
  { toolkit: "GTK 3 (mousepad)", command: ["mousepad"], title: "Mousepad", walk: [], leastElements: 15 },
  {
    toolkit: "GTK 3 (zenity)",
    command: [
      "zenity",
      "--forms",
      "--text=Form",
      "--add-entry=Name",
      "--add-password=Secret",
      "--add-combo=Size",
      "--combo-values=S|M|L",
    ],
    title: "zenity",
    walk: [],
    leastElements: 12,
  },
  {
    toolkit: "GTK 3 list (zenity)",
    command: ["zenity", "--list", "--column=Fruit", "--column=Count", "Apple", "3", "Pear", "5", "Plum", "8"],
    title: "zenity|Select items",
    walk: [],
    leastElements: 12,
  },
  {
    toolkit: "GTK 4 (gnome-calculator)",
    command: ["gnome-calculator"],
    title: "Calculator",
    walk: ["--visible-is-showing"],
    isMadeUp: (name) => /^[A-Z][a-z]+([A-Z][a-z]+)+$/.test(name),
    measuresFromWindow: true,
    leastElements: 60,
  },
  {
    toolkit: "VTE (xfce4-terminal)",
    command: ["xfce4-terminal", "--disable-server"],
    title: "Terminal",
    walk: [],
    leastElements: 12,
  },
  {
    toolkit: "Qt 5 (featherpad)",
    command: ["featherpad", "--standalone"],
    title: "Untitled",
    walk: [],
    leastElements: 35,
  },
  { toolkit: "Firefox", command: firefox.command, title: "Agreement", walk: [], leastElements: 60 },
  { toolkit: "Chromium", command: chromium.command, title: "Agreement", walk: [], leastElements: 60 },
];

/** One each of GTK 3, GTK 4 and Qt, and a page. */
const once = cases.filter(({ toolkit }) => /\(zenity\)|calculator|featherpad|Firefox/.test(toolkit));
const others = cases.filter((one) => !once.includes(one));

for (const one of casesOf(once, others)) {
  describe(`${one.toolkit}, read by Deskmap before any other client has touched it`, () => {
    test("agrees at the first read with an independent pyatspi walk on every showing element", async () => {
      const scene = await openScene();
      try {
        await scene.start(one.command, one.title);
        await scene.settle();
        const { elements, pid } = await readFirst(scene);
        const seen = scene.ask("walk", String(pid), ...one.walk) as Seen[];
        expect(elements.size).toBeGreaterThanOrEqual(one.leastElements);
        expect(compare(one, elements, seen)).toEqual([]);
      } finally {
        await scene.close();
      }
    });
  });
}
