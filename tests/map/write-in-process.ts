import { writeSync } from "node:fs";
import { makeCrowd, takeIn } from "./crowd.ts";
import { openStore } from "./desk.ts";

// A process of its own that takes in random windows, and says what each got as soon as that is stored, until it is killed.

const [path = "", seed = "1"] = process.argv.slice(2);
let random = (Number(seed) * 7_919_999) % 2_147_483_647;
const pick = (below: number): number => {
  random = (random * 48_271) % 2_147_483_647;
  return random % below;
};
const crowd = makeCrowd(100);
const store = openStore(path);
writeSync(1, "begun\n");
while (true) {
  const [app, window] = [pick(200), pick(3)];
  const marks = [...takeIn(store, crowd.makeLook(app, window)).values()];
  store.countAct(marks[pick(marks.length)] ?? 0, pick(2) === 0);
  writeSync(1, `${JSON.stringify([`${app} ${window}`, marks])}\n`);
}
