// Prints what is on the screen, as an agent reads it.
//   bun examples/read.ts
import { openDesktop } from "deskmap";

await using desk = await openDesktop({ client: "example" });
for (const { app, title, focused } of await desk.windows()) console.log(`${focused ? "*" : " "} ${app}: ${title}`);
console.log(await desk.read({ interactive: true, max: 20 }));
