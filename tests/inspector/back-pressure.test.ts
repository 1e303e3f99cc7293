import { expect, test } from "bun:test";
import { BackPressure } from "../../src/server/inspector/socket.ts";

test("every waiter continues once everything was taken, however many messages were queued", async () => {
  const pressure = new BackPressure();
  const gone: string[] = [];
  const wait = (who: string): Promise<unknown> => pressure.wait().then(() => gone.push(who));
  pressure.note(20);
  await wait("nobody holds it up");
  pressure.note(-1);
  const first = wait("first");
  pressure.note(-1);
  const second = wait("second");
  await Promise.resolve();
  expect(gone).toEqual(["nobody holds it up"]);
  pressure.release();
  await Promise.all([first, second]);
  expect(gone).toEqual(["nobody holds it up", "first", "second"]);
  await pressure.wait();
});
