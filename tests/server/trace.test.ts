import { afterEach, expect, test } from "bun:test";
import { traceCall } from "../../src/host/trace-call.ts";
import { fail, succeed } from "../../src/model/failure.ts";
import { findTrace, type Span, Trace, traced, traceProcess } from "../../src/model/trace.ts";

afterEach(() => traceProcess(undefined));

test("untraced work is not described", async () => {
  const describe = (): never => {
    throw new Error("described");
  };
  expect(await traced("dbus", describe, async () => 7)).toBe(7);
});

test("a span has its peer, operation and duration, and whether it failed, as a value or by throwing", async () => {
  const trace = new Trace();
  traceProcess(trace);
  await traced(
    "dbus",
    () => ["A.b", "app"],
    () => Bun.sleep(3),
  );
  await traced(
    "read",
    () => ["c"],
    async () => fail({ code: "FAILED", message: "no", done: "nothing." }),
  );
  await traced(
    "read",
    () => ["d"],
    async () => succeed(1),
  );
  await traced(
    "x11",
    () => ["e"],
    () => Promise.reject(new Error("gone")),
  ).catch(() => undefined);
  const spans = trace.take();
  expect(spans.map(({ lane, name, detail, isFailed }) => [lane, name, detail, isFailed ?? false])).toEqual([
    ["dbus", "A.b", "app", false],
    ["read", "c", "", true],
    ["read", "d", "", false],
    ["x11", "e", "", true],
  ]);
  expect(spans[0]?.tookUs).toBeGreaterThanOrEqual(2500);
  expect(Math.abs((spans[0]?.startUs ?? 0) / 1000 - Date.now())).toBeLessThan(60_000);
  expect(trace.take()).toEqual([]);
});

test("concurrent calls each have their own spans, and none of untraced ones", async () => {
  const call = (name: string) =>
    traceCall(async () => {
      for (const step of [1, 2, 3])
        await traced(
          "dbus",
          () => [`${name}${step}`],
          () => Bun.sleep(step),
        );
      return { exitCode: 0 };
    });
  const untraced = traced(
    "dbus",
    () => ["nobody's"],
    () => Bun.sleep(1),
  );
  const [a, b] = await Promise.all([call("a"), call("b"), untraced]);
  expect(a.spans.map(({ name }: Span) => name)).toEqual(["a1", "a2", "a3"]);
  expect(b.spans.map(({ name }: Span) => name)).toEqual(["b1", "b2", "b3"]);
  expect(a.exitCode).toBe(0);
  expect(findTrace()).toBeUndefined();
});

test("a trace of endless work is truncated, and says by how much", () => {
  const trace = new Trace();
  for (let at = 0; at < 50_003; at += 1) trace.begin("map", "query")();
  const spans = trace.take();
  expect(spans).toHaveLength(50_001);
  expect(spans.at(-1)).toMatchObject({ name: "more spans", detail: "3" });
});
