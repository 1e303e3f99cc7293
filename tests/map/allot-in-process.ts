import { openStore } from "./desk.ts";
import { openBar, readMarks } from "./tool-bar.ts";

// A separate process that reads bars of buttons with the given names, five at a time, and prints their marks by name.

const [path = "", ...names] = process.argv.slice(2);
const store = openStore(path);
const marks: Record<string, number> = {};
for (let at = 0; at < names.length; at += 5) {
  Object.assign(marks, await readMarks(openBar(...names.slice(at, at + 5)), store));
}
store.close();
console.log(JSON.stringify(Object.fromEntries(Object.entries(marks).sort())));
