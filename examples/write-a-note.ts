// Writes a note in Mousepad, reads it back, and opens the File menu.
//   bun examples/write-a-note.ts "Grüße, мир"
import { DeskmapError, openDesktop } from "deskmap";

const [note = "A note"] = process.argv.slice(2);

await using desk = await openDesktop({ client: "example" });
const pad = desk.app("mousepad");
if ((await desk.apps()).every(({ app }) => app.toLowerCase() !== "mousepad")) await desk.open("mousepad");

// Each call waits until the control is ready, and succeeds only if its effect was observed.
const page = pad.only("input");
await page.fill(note);
console.log(`the page holds: ${await page.value()}`);

try {
  await pad.button("Launch the rocket").click({ timeoutMs: 500 });
} catch (error) {
  if (!(error instanceof DeskmapError)) throw error;
  console.log(`refused: ${error.code}`);
}

const { changes } = await pad.menuItem("File").click();
console.log(`the menu has: ${changes?.appeared?.map(({ t }) => t).join(", ")}`);
await pad.press("escape");
