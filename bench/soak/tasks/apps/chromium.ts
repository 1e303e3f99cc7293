import { readFileSync } from "node:fs";
import { join } from "node:path";
import { all, hasWindow, not, shows, showsCount } from "../checks.ts";
import type { Data } from "../data.ts";
import { type Application, type Check, cmd, markOf, type Plan, refused, sees } from "../task.ts";

const orders = readFileSync(join(import.meta.dir, "../../../../tests/fixtures/apps/orders.html"), "utf8");
const terms =
  "<!doctype html><meta charset='utf-8'><title>Terms</title><h1>Terms of trade</h1><p>Nothing is for sale.</p>";

function onPage(data: Data): Pick<Plan, "files" | "open" | "title"> {
  return {
    files: { "orders.html": orders, "second.html": terms },
    open: [
      "chromium",
      ...["--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
      ...["--disable-component-update", "--password-store=basic", "--force-renderer-accessibility"],
      `--user-data-dir=${data.path("profile")}`,
      `file://${data.path("orders.html")}`,
    ],
    title: "Orders",
  };
}

interface Order {
  readonly name?: string;
  readonly town?: string;
  readonly country?: string;
  readonly letter?: boolean;
  readonly speed?: string;
  readonly items?: readonly string[];
  readonly boxes?: number;
  readonly remarks?: string;
  readonly from?: string;
}

/** The page tells an order that was placed by its title, which X reports. */
function isPlaced(order: Order): Check {
  const { name = "", town = "", country = "Austria", letter = false, speed = "slow", items = [] } = order;
  const { boxes = 1, remarks = "", from = "" } = order;
  const told = [name, town, country, letter, speed, items.join("+"), boxes, remarks, from];
  return hasWindow(`Placed: ${told.join(", ")}.`);
}

const place = [
  sees(cmd`click "place order" --window Orders`, shows({ role: "push button", name: "Yes, place it" })),
  cmd`click "yes, place it" --window Orders`,
];
const holds = (name: string, text: string): Check => shows({ role: "entry", name, text });
const never = (what: string): Check => ({ what, holds: () => false });

export const chromium: Application = {
  name: "chromium",
  package: "chromium",
  program: "chromium",
  tasks: [
    {
      name: "fill in a form and place the order",
      plan: (data) => {
        const [name, town] = [data.phrase(2), data.word()];
        const country = data.pick(["Brazil", "Chile", "Denmark"]);
        return {
          ...onPage(data),
          steps: [
            cmd`read --window Orders --interactive`,
            sees(cmd`type ${name} --id ${markOf("input", "Full name")}`, holds("Full name", name)),
            sees(cmd`set-value ${town} --on town --role input --window Orders`, holds("Town", town)),
            cmd`set-value ${country} --on country --role select --window Orders`,
            sees(cmd`check newsletter --window Orders`, shows({ role: "check box", state: "checked" })),
            cmd`select "by plane" --window Orders`,
            ...place,
          ],
          check: isPlaced({ name, town, country, letter: true, speed: "fast" }),
        };
      },
    },
    {
      name: "remove one of three items",
      plan: (data) => {
        const items = [data.word(), data.word(), data.word()];
        const gone = data.pick([0, 1, 2]);
        const left = items.filter((_, index) => index !== gone);
        return {
          ...onPage(data),
          steps: [
            cmd`click items --role tab --window Orders`,
            ...items.flatMap((item) => [
              cmd`set-value ${item} --on "new item" --role input --window Orders`,
              sees(cmd`click "add item" --window Orders`, shows({ name: item })),
            ]),
            sees(cmd`click ${`remove ${items[gone]}`} --window Orders`, not(shows({ name: items[gone] ?? "" }))),
            ...place,
          ],
          check: isPlaced({ items: left }),
        };
      },
    },
    {
      name: "use a context menu of the page",
      plan: (data) => {
        const [first, second] = [data.word(), data.word()];
        return {
          ...onPage(data),
          steps: [
            cmd`select items --role tab --window Orders`,
            cmd`type ${first} --on "new item" --role input --window Orders`,
            cmd`type --key enter --window Orders`,
            cmd`type ${second} --on "new item" --role input --window Orders`,
            sees(cmd`type --key enter --window Orders`, shows({ name: second })),
            cmd`find ${second} --window Orders`,
            sees(cmd`click ${second} --button right --role text --window Orders`, shows({ name: "Duplicate" })),
            sees(cmd`click "move to the top" --window Orders`, not(shows({ name: "Duplicate" }))),
            ...place,
          ],
          check: isPlaced({ items: [second, first] }),
        };
      },
    },
    {
      name: "leave a dialog, then answer it",
      plan: (data) => {
        const name = data.phrase(2);
        return {
          ...onPage(data),
          steps: [
            cmd`set-value ${name} --on "full name" --window Orders`,
            cmd`click "place order" --window Orders`,
            // A page's modal dialog takes everything else out of the tree.
            refused(cmd`check newsletter --window Orders`, "NOT_FOUND"),
            sees(cmd`click "not yet" --window Orders`, not(shows({ role: "push button", name: "Not yet" }))),
            sees(cmd`click "refresh prices" --window Orders`, never("a dead button has an effect")),
            sees(cmd`check newsletter --window Orders`, shows({ role: "check box", state: "checked" })),
            ...place,
          ],
          check: isPlaced({ name, letter: true }),
        };
      },
    },
    {
      name: "set a slider, open details, write remarks",
      plan: (data) => {
        const [remarks, boxes, from] = [data.lines(2).join(" "), data.number(2, 20), data.word()];
        return {
          ...onPage(data),
          steps: [
            cmd`click items --role tab --window Orders`,
            sees(cmd`set-value ${String(boxes)} --on boxes --role slider --window Orders`, shows({ value: boxes })),
            cmd`click notes --role tab --window Orders`,
            sees(cmd`type ${remarks} --on remarks --window Orders`, holds("Remarks", remarks)),
            cmd`expand "delivery hours" --window Orders`,
            cmd`type ${from} --on from --role input --window Orders`,
            ...place,
          ],
          check: isPlaced({ boxes, remarks, from }),
        };
      },
    },
    {
      name: "follow a link and come back by the browser",
      plan: (data) => {
        const name = data.word();
        return {
          ...onPage(data),
          steps: [
            sees(cmd`click "terms of trade" --role link --window Orders`, hasWindow("Terms")),
            cmd`expect ${'"Terms of trade" appears'} --window Terms`,
            sees(cmd`click back --role button --window Terms`, hasWindow("Orders")),
            cmd`wait --for ${'input "Full name" appears'} --window Orders`,
            cmd`set-value ${name} --on "full name" --window Orders`,
            ...place,
          ],
          check: isPlaced({ name }),
        };
      },
    },
    {
      name: "open a second tab and find a word in it",
      plan: (data) => ({
        ...onPage(data),
        steps: [
          sees(cmd`type --key ctrl+t --app chromium`, hasWindow("New Tab")),
          cmd`type ${`file://${data.path("second.html")}`} --replace --on "address and search bar" --app chromium`,
          sees(cmd`type --key enter --app chromium`, hasWindow("Terms")),
          cmd`type --key ctrl+f --app chromium`,
          cmd`type sale --app chromium`,
          cmd`type --key escape --app chromium`,
          sees(cmd`select Orders --role tab --app chromium`, hasWindow("Orders")),
        ],
        check: all(hasWindow("Orders"), showsCount({ role: "page tab", name: /Terms|Orders/ }, 2)),
      }),
    },
  ],
};
