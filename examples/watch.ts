// Prints the changes in an application until it is closed.
//   bun examples/watch.ts mousepad
import { openDesktop } from "deskmap";

const [app = "mousepad"] = process.argv.slice(2);

await using desk = await openDesktop({ client: "example" });
for await (const line of desk.app(app).watch()) {
  if (line.kind === "appeared" || line.kind === "gone")
    console.log(`${line.kind} ${line.id} ${line.role} ${line.name}`);
  if (line.kind === "changed") console.log(`changed ${line.id} ${line.role} ${line.name} ${line.value ?? ""}`);
  if (line.kind === "window" && line.what === "closed") break;
}
console.log("closed");
