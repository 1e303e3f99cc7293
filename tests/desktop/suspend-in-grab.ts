import { XConnection } from "../../src/platform/linux/x11/connection.ts";
import { readPressedKeys } from "../../src/platform/linux/x11/undo.ts";
import { sendIf } from "../../src/platform/linux/x11/xtest.ts";

/** A process that is suspended while the server serves nobody else, as in the middle of a part of a text. */
const x = await XConnection.connect(process.env, 10_000);
await sendIf(x, async () => {
  // The answer shows that the grab has begun.
  await readPressedKeys(x);
  process.stdout.write("grabbed\n");
  process.kill(process.pid, "SIGSTOP");
  return false;
}, []);
x.close();
process.exit(0);
