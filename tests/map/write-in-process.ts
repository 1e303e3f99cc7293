import { writeSync } from "node:fs";
import { SqliteStore } from "../../src/map/store/sqlite.ts";
import { takeInSmall } from "./small-window.ts";

// A separate process that takes in random windows, and prints each one's marks as soon as they are stored, until it is killed.

const [path = "", seed = "1"] = process.argv.slice(2);
let random = (Number(seed) * 7_919_999) % 2_147_483_647;
const pick = (below: number): number => {
  random = (random * 48_271) % 2_147_483_647;
  return random % below;
};
const opened = SqliteStore.open(path);
if (!opened.ok) throw new Error(opened.failure.message);
const store = opened.value;
writeSync(1, "begun\n");
while (true) {
  const [app, window] = [pick(200), pick(3)];
  const marks = takeInSmall(store, app, window);
  store.countAct(marks[pick(marks.length)] ?? 0, pick(2) === 0);
  writeSync(1, `${JSON.stringify([`${app} ${window}`, marks])}\n`);
}
