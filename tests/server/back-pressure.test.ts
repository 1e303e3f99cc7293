import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { parseClientFrame } from "../../src/client/client-frame.ts";
import { DaemonConnection } from "../../src/client/connection.ts";
import { encodeFrame, LineCutter } from "../../src/client/protocol.ts";
import { waitFor } from "../desktop/scene.ts";
import { introduce, makeHome } from "./daemon-scene.ts";

// A client that does not read is not sent more and more data, however many processes are in between.

const launcher = join(import.meta.dir, "../../deskmap");

/** Returns the number of bytes once it has been stable for a while. */
async function rest(read: () => number): Promise<number> {
  for (let before = -1; before !== read(); await Bun.sleep(300)) before = read();
  return read();
}

test("unread changes are not read from the daemon, and a call in between is still answered", async () => {
  const home = makeHome();
  const text = "x".repeat(10_000);
  let sent = 0;
  let pour: (() => void) | undefined;
  const server = Bun.listen<{ cutter: LineCutter }>({
    unix: join(home.env.HOME ?? "", "socket"),
    socket: {
      open: (own) => {
        own.write(encodeFrame({ t: "hello", protocol: 1, build: introduce().build, pid: 1 }));
        const hear = (line: string): void => {
          const frame = parseClientFrame(line);
          if (frame?.t === "ping") {
            // After the rest of the current batch.
            pings.push(frame.id);
          }
          if (frame?.t !== "watch") return;
          const batch = encodeFrame({
            t: "lines",
            id: frame.id,
            lines: [{ kind: "note", window: 1, code: "FAILED", text }],
          });
          let left: Uint8Array = batch.subarray(batch.length);
          pour = () => {
            for (;;) {
              if (left.length === 0) {
                const ping = pings.shift();
                left = ping === undefined ? batch : encodeFrame({ t: "answer", id: ping, answer: { of: "ping" } });
              }
              const taken = own.write(left);
              if (taken <= 0) return;
              sent += taken;
              left = left.subarray(taken);
            }
          };
          pour();
        };
        const pings: number[] = [];
        own.data = { cutter: new LineCutter(1 << 20, hear) };
      },
      data: (own, bytes) => void own.data.cutter.take(bytes),
      drain: () => pour?.(),
    },
  });
  const client = await DaemonConnection.open(join(home.env.HOME ?? "", "socket"), introduce());
  const batches = client.watch({ input: {} }, new AbortController().signal)[Symbol.asyncIterator]();
  expect((await batches.next()).value).toMatchObject({ ok: true });
  const first = await rest(() => sent);
  // What the sockets and sixteen batches hold.
  expect(first).toBeLessThan(4 << 20);
  await client.ping();
  for (let round = 0; round < 2000; round += 1) expect((await batches.next()).done).toBe(false);
  expect(sent).toBeGreaterThan(2000 * text.length);
  await client.close();
  server.stop(true);
  home.remove();
});

test("a client behind the relay that keeps sending without reading is blocked itself, and answered when it reads", async () => {
  const home = makeHome();
  const relay = spawn(launcher, ["relay"], { env: home.env, stdio: ["pipe", "pipe", "inherit"] });
  const count = 300_000;
  let accepted = 0;
  for (let id = 1; id <= count; id += 1000) {
    const piece = Array.from({ length: 1000 }, (_, at) => `{"t":"ping","id":${id + at}}\n`).join("");
    relay.stdin.write(piece, () => {
      accepted += 1000;
    });
  }
  await waitFor("it to take something", () => accepted > 0);
  expect(await rest(() => accepted)).toBeLessThan(count / 2);
  let answers = 0;
  relay.stdout.on("data", (bytes: Buffer) => {
    for (const byte of bytes) if (byte === 10) answers += 1;
  });
  // The first is the daemon's hello.
  await waitFor("all answers", () => answers === count + 1);
  relay.stdin.end();
  await once(relay, "close");
  const stop = spawn(launcher, ["serve", "stop"], { env: home.env, stdio: "ignore" });
  await once(stop, "close");
  home.remove();
});
