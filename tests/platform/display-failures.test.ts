import { expect, test } from "bun:test";
import { describeLostDisplay } from "../../src/platform/linux/failures.ts";
import { XSilent, XUnavailable } from "../../src/platform/linux/x11/transport.ts";

test("a limit that is too short is not blamed on the display", () => {
  expect(describeLostDisplay(new XSilent(1))).toMatchObject({
    code: "TIMEOUT",
    message: "1 ms were too short for an answer of the display",
  });
  expect(describeLostDisplay(new XSilent(5000)).code).toBe("UNAVAILABLE");
  expect(describeLostDisplay(new XUnavailable("gone")).code).toBe("UNAVAILABLE");
});
