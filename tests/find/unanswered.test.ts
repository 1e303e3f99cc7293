import { expect, test } from "bun:test";
import type { Order } from "../../src/model/order.ts";
import { useWindows } from "../act/open-window.ts";
import { button } from "../map/desk.ts";

const open = useWindows();
const click: Order = { kind: "click", button: "left", count: 1 };

test("an application that does not answer in time is asked once for a control, not for hidden ones too", async () => {
  const form = open(button("Go"));
  const read = form.platform.readWindows.bind(form.platform);
  let asked = 0;
  form.platform.readWindows = async (request) => {
    asked += 1;
    const reads = await read(request);
    if (!reads.ok) return reads;
    const notes = [{ code: "TIMEOUT" as const, text: "the application does not answer" }];
    return { ok: true, value: reads.value.map((one) => ({ ...one, root: undefined, notes })) };
  };
  expect(await form.refuse("go", click)).toMatchObject({
    code: "TIMEOUT",
    message: expect.stringContaining("does not answer): whether it is there is unknown"),
  });
  expect(asked).toBe(1);
});
