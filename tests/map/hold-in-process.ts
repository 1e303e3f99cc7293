import { holdAlone } from "../../src/map/store/hold.ts";
import { openStore } from "./desk.ts";
import { takeInSmall } from "./small-window.ts";

// A separate process that has a map open, or holds it exclusively as a rescue does, until its input ends. If it has the map
// open, it then takes in a window and prints the marks.

const [how = "", path = ""] = process.argv.slice(2);
const store = how === "open" ? openStore(path) : undefined;
const hold = how === "alone" ? holdAlone(path) : undefined;
console.log("ready");
for await (const _ of Bun.stdin.stream());
if (store !== undefined) console.log(JSON.stringify(takeInSmall(store, 2, 1)));
store?.close();
hold?.release();
