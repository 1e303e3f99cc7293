// Several steps that nobody else's come between: other clients wait, or are told who has the desktop.
//   bun examples/hold.ts
import { openDesktop } from "deskmap";

await using desk = await openDesktop({ client: "example" });
const pad = desk.app("mousepad");
await desk.hold(async () => {
  await pad.press("ctrl+a");
  await pad.type("one after the other");
}, 10_000);
console.log(await pad.only("input").value());
