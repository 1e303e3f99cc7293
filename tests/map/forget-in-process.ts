import { forgetApplications } from "../../src/map/store/forget.ts";
import { mapPath } from "../../src/map/store/places.ts";

// A process of its own that forgets an application, and prints what came of it.

const [home = "", app = ""] = process.argv.slice(2);
console.log(JSON.stringify(forgetApplications(mapPath({ XDG_DATA_HOME: home }), [app], "everywhere")));
