import { expect, test } from "bun:test";
import { join } from "node:path";

const source = join(import.meta.dir, "../../../src/platform/linux/socket.ts");

test("an exception in a listener reaches the process with its stack, and the other listeners are still notified", () => {
  const script = `import { notifyListeners } from ${JSON.stringify(source)};
    process.on("uncaughtException", (error) => console.log("met", error.message, /faulty/.test(error.stack)));
    function faulty() { throw new TypeError("of ours"); }
    notifyListeners([faulty, (told) => console.log("heard", told)], "word");
    console.log("goes on");`;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", script]);
  expect(stdout.toString()).toBe("heard word\ngoes on\nmet of ours true\n");
});
