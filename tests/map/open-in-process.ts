import { openMapStore } from "../../src/map/store/open.ts";
import { takeInSmall } from "./small-window.ts";

// A separate process, perhaps of a user without write access: takes in windows, and prints their marks and the warnings.

const warnings: string[] = [];
const store = await openMapStore({ DESKMAP_MAP: process.env.DESKMAP_MAP, XDG_DATA_HOME: process.argv[2] }, (why) =>
  warnings.push(why),
);
const apps = process.argv.slice(3).map(Number);
const marks = store.ok ? apps.map((app) => takeInSmall(store.value, app, 1)) : [];
const again = store.ok ? apps.map((app) => takeInSmall(store.value, app, 1)) : [];
if (store.ok) store.value.close();
console.log(JSON.stringify({ marks, again, warnings, failure: store.ok ? null : store.failure.message }));
