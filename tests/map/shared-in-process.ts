import { SharedStore } from "../../src/map/store/shared/store.ts";
import { openBar, readMarks } from "./tool-bar.ts";

// A separate process that works with the shared map named in its environment.
//   read NAME…   reads bars of buttons with these names, five at a time, syncs after each, and prints their marks
//   act PREFIX   sees a new control, acts on it and syncs, again and again until it is killed; each action is recorded in
//                the same transaction, in a table of the test's own

const [task = "", ...names] = process.argv.slice(2);
const opened = await SharedStore.join(process.env);
if (!opened.ok) throw new Error(opened.failure.message);
const store = opened.value;

if (task === "read") {
  const marks: Record<string, number> = {};
  for (let at = 0; at < names.length; at += 5) {
    Object.assign(marks, await readMarks(openBar(...names.slice(at, at + 5)), store));
    await store.settle();
  }
  store.close();
  console.log(JSON.stringify(marks));
} else {
  store.file.run("CREATE TABLE IF NOT EXISTS journal (number INTEGER PRIMARY KEY, name TEXT, mark INTEGER)");
  for (;;) {
    const number = Number(store.file.get("SELECT coalesce(max(number), 0) + 1 AS number FROM journal")?.number);
    const name = `${names[0]} ${number % 7}`;
    const mark = (await readMarks(openBar(name), store))[name] ?? 0;
    store.inTransaction(() => {
      store.countAct(mark, true);
      store.file.run("INSERT INTO journal (number, name, mark) VALUES (?, ?, ?)", number, name, mark);
    });
    process.stdout.write(".");
    await store.settle();
  }
}
