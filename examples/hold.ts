// Several steps that nobody else's come between: other clients wait, or are told who has the desktop.
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
