import { expect, test } from "bun:test";
import { SerialTask } from "../../src/overlay/serial-task.ts";

test("a round requested within a round comes after it, however many callers wait", async () => {
  for (const waiting of [1, 2, 3, 5]) {
    let count = 0;
    const again = Promise.withResolvers<void>();
    const rounds: SerialTask = new SerialTask(async () => {
      count += 1;
      if (count > waiting + 2) return again.resolve();
      rounds.request(5);
      await Bun.sleep(2);
    });
    rounds.request();
    await Promise.all(Array.from({ length: waiting }, () => rounds.runNow()));
    await again.promise;
    rounds.close();
  }
});

test("each waiter gets a round that began after the request, and two never run at once", async () => {
  let [running, begun, most] = [0, 0, 0];
  const rounds = new SerialTask(async () => {
    running += 1;
    begun += 1;
    most = Math.max(most, running);
    await Bun.sleep(2);
    running -= 1;
  });
  rounds.request();
  await Bun.sleep(1);
  for (let turn = 0; turn < 5; turn += 1) {
    const before = begun;
    await Promise.all([rounds.runNow(), rounds.runNow(), rounds.runNow()]);
    expect(begun).toBeGreaterThan(before);
  }
  expect(most).toBe(1);
  rounds.close();
});
