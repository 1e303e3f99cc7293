// Several steps without interruption: other clients wait, or fail with the name of the client that has the turn.
//   bun examples/hold.ts
import { openDesktop } from "deskmap";

await using desk = await openDesktop({ client: "example" });
await desk.hold(async (held) => {
  const page = held.app("mousepad").only("input");
  await page.fill("one ");
  await page.press("ctrl+end", { allowUnconfirmed: true });
  await page.type("after the other");
}, 10_000);
console.log(await desk.app("mousepad").only("input").value());
