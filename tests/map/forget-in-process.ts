import { forgetApplications } from "../../src/map/store/forget.ts";
import { mapPath } from "../../src/map/store/places.ts";

// A separate process that forgets an application, and prints the result.

const [home = "", app = ""] = process.argv.slice(2);
console.log(JSON.stringify(forgetApplications(mapPath({ XDG_DATA_HOME: home }), [app], "everywhere")));
