import { FileRecords } from "../../src/guard/audit/file-records.ts";
import { findPlaces } from "../../src/guard/places.ts";

// A separate process that writes this many lines; its parent kills it at any point.

const [client = "", count = "0", maxBytes = "67108864"] = process.argv.slice(2);
const records = new FileRecords(findPlaces(process.env), Number(maxBytes));
for (let index = 1; index <= Number(count); index += 1) {
  const written = records.write({ what: "look", client, tool: "read", apps: [`app ${index}`] });
  if (!written.ok) throw new Error(written.failure.message);
}
