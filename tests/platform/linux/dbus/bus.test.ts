import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Socket } from "bun";
import { Bus, ConnectionLost, ErrorReply, shape } from "../../../../src/platform/linux/dbus/bus.ts";
import { encodeSignal, measureMessage, type Signal } from "../../../../src/platform/linux/dbus/message.ts";
import { makeReply, marshal } from "./wire.ts";

// A test bus behind a socket, with scripted answers.

const call = { destination: "org.a.B", path: "/a", interface: "org.a.C", member: "Ask" };
let folder: string;
let path: string;
let stop: () => void = () => {};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deskmap-bus-"));
  path = join(folder, "bus");
});
afterEach(() => {
  stop();
  stop = () => {};
  rmSync(folder, { recursive: true, force: true });
});

type Answer = (socket: Socket, serial: number) => void;

/** Authenticates, answers Hello, and then passes each call to `answer`. */
function serve(answer: Answer, greeting = "OK 0123456789abcdef\r\n"): void {
  let isGreeted = false;
  const server = Bun.listen({
    unix: path,
    socket: {
      data: (socket, bytes) => {
        let rest: Uint8Array = bytes;
        if (!isGreeted) {
          if (!bytes.includes(0x0a)) return;
          isGreeted = true;
          socket.write(greeting);
          return;
        }
        if (Buffer.from(rest.subarray(0, 7)).toString() === "BEGIN\r\n") rest = rest.subarray(7);
        for (let length = measureMessage(rest); length !== undefined; length = measureMessage(rest)) {
          const message = Buffer.from(rest.subarray(0, length));
          const serial = message.readUInt32LE(8);
          rest = rest.subarray(length);
          if (message.includes("Hello")) socket.write(makeReply("s", [":1.7"], true, serial));
          else answer(socket, serial);
        }
      },
    },
  });
  stop = () => server.stop(true);
}

async function openBus(timeoutMs = 1000): Promise<Bus> {
  return Bus.connect(`unix:path=${path}`, timeoutMs);
}

async function withDeadline<T>(work: Promise<T>): Promise<T> {
  const deadline = Bun.sleep(30_000).then(() => {
    throw new Error("it hangs");
  });
  return Promise.race([work, deadline]);
}

/** The error with which a promise rejects; fails the test if it resolves. */
async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => {
      throw new Error("it ended well");
    },
    (error) => error,
  );
}

describe("a signal", () => {
  test("is passed to listeners, with its sender and its object, between replies", async () => {
    serve((socket, serial) => {
      const from = { destination: ":1.7", path: "/object/9", interface: "org.a.Event", member: "Changed" };
      socket.write(encodeSignal({ ...from, signature: "s", args: ["content"] }, 1));
      socket.write(makeReply("u", [serial], true, serial));
    });
    const bus = await openBus();
    const heard: Signal[] = [];
    const stop = bus.listen((signal) => heard.push(signal));
    await bus.call(call, shape<number>("u"));
    expect(heard).toMatchObject([{ sender: "", path: "/object/9", interface: "org.a.Event", member: "Changed" }]);
    stop();
    await bus.call(call, shape<number>("u"));
    expect(heard).toHaveLength(1);
    bus.close();
  });
});

describe("a peer connection without a bus", () => {
  test("sends no Hello, and gets answers", async () => {
    serve((socket, serial) => socket.write(makeReply("u", [serial], true, serial)));
    const direct = await Bus.connect(`unix:path=${path}`, 1000, true);
    expect(direct.name).toBe("");
    expect(await direct.call(call, shape<number>("u"))).toBe(1);
    direct.close();
  });
});

describe("a call over the bus", () => {
  test("returns the reply, in either byte order, and knows the bus by its id", async () => {
    serve((socket, serial) => socket.write(makeReply("as", [["one", "two"]], serial % 2 === 0, serial)));
    const bus = await openBus();
    expect(await bus.call(call, shape<string[]>("as"))).toEqual(["one", "two"]);
    expect(await bus.call(call, shape<string[]>("as"))).toEqual(["one", "two"]);
    expect(bus.guid).toBe("0123456789abcdef");
    bus.close();
  });

  test("gets its own reply when many are pending and answers come in another order", async () => {
    const serials: number[] = [];
    serve((socket, serial) => {
      serials.push(serial);
      if (serials.length < 50) return;
      for (const one of serials.reverse()) socket.write(makeReply("u", [one], true, one));
    });
    const bus = await openBus();
    const sent = Array.from({ length: 50 }, () => bus.send(call, shape<number>("u")));
    for (const { serial, reply } of sent) expect(await reply).toBe(serial);
    bus.close();
  });

  test("returns several values as a list", async () => {
    serve((socket, serial) => socket.write(makeReply("iiii", [1, 2, 3, 4], true, serial)));
    const bus = await Bus.connect(`unix:path=${path}`, 5000);
    expect(await bus.call(call, shape<readonly number[]>("iiii"))).toEqual([1, 2, 3, 4]);
    bus.close();
  });

  test("gets a reply that comes one byte at a time", async () => {
    serve((socket, serial) => {
      const bytes = [...makeReply("s", ["slow but whole"], true, serial)];
      const sendNext = (): void => {
        const byte = bytes.shift();
        if (byte === undefined) return;
        socket.write(Uint8Array.of(byte));
        setImmediate(sendNext);
      };
      sendNext();
    });
    const bus = await openBus();
    expect(await bus.call(call, shape<string>("s"))).toBe("slow but whole");
    bus.close();
  });

  test("rejects with the peer's error, and if the reply has another signature", async () => {
    let count = 0;
    serve((socket, serial) => {
      count += 1;
      socket.write(count === 1 ? makeError("org.a.Error.No", "not today", serial) : makeReply("u", [5], true, serial));
    });
    const bus = await openBus();
    const refusal = await errorOf(bus.call(call, shape<string>("s")));
    expect(refusal).toBeInstanceOf(ErrorReply);
    expect(refusal).toMatchObject({ code: "org.a.Error.No", message: "not today" });
    expect(await errorOf(bus.call(call, shape<string>("s")))).toBeInstanceOf(ErrorReply);
    expect(bus.isOpen).toBe(true);
    bus.close();
  });

  test.each([
    ["goes away", (socket) => void socket.end()],
    ["sends what is no message", (socket) => void socket.write("this is not a message at all, not even nearly")],
    [
      "sends a reply whose content is malformed",
      (socket, serial) => void socket.write(breakBody(makeReply("s", ["x"], true, serial))),
    ],
    [
      "sends an error whose text is malformed",
      (socket, serial) => void socket.write(breakBody(makeError("org.a.No", "x", serial))),
    ],
  ] as [string, Answer][])("ends, as does every later one, when the bus %s", async (_what, answer) => {
    serve(answer);
    const bus = await openBus();
    const both = [bus.call(call, shape<string>("s")), bus.call(call, shape<string>("s"))];
    const errors = await Promise.all(both.map((one) => errorOf(withDeadline(one))));
    expect(errors.map(String)).not.toContain("Error: it hangs");
    for (const error of errors) expect(error).toBeInstanceOf(ConnectionLost);
    expect(bus.isOpen).toBe(false);
    expect(await errorOf(bus.call(call, shape<string>("s")))).toBeInstanceOf(ConnectionLost);
    bus.close();
  });

  test("rejects when we close the bus, and closing it twice is harmless", async () => {
    serve(() => {});
    const bus = await openBus();
    const waiting = errorOf(bus.call(call, shape<string>("s")));
    bus.close();
    bus.close();
    expect(await waiting).toBeInstanceOf(ConnectionLost);
  });
});

describe("an unavailable bus is a lost connection, with a message:", () => {
  test("there is no socket", async () => {
    expect(await errorOf(openBus())).toBeInstanceOf(ConnectionLost);
  });

  test("there is a file in its place", async () => {
    writeFileSync(path, "");
    expect(await errorOf(openBus())).toBeInstanceOf(ConnectionLost);
  });

  test("the address names no socket", async () => {
    expect(await errorOf(Bus.connect("tcp:host=localhost,port=1", 100))).toBeInstanceOf(ConnectionLost);
    expect(await errorOf(Bus.connect("", 100))).toBeInstanceOf(ConnectionLost);
  });

  test("it refuses the user, or its greeting never ends", async () => {
    serve(() => {}, "REJECTED EXTERNAL\r\n");
    expect(await errorOf(openBus())).toBeInstanceOf(ConnectionLost);
    stop();
    serve(() => {}, "x".repeat(10_000));
    expect(await errorOf(openBus())).toBeInstanceOf(ConnectionLost);
  });

  test("it accepts and sends nothing, within the time allowed", async () => {
    const server = Bun.listen({ unix: path, socket: { data: () => {} } });
    stop = () => server.stop(true);
    const started = performance.now();
    expect(await errorOf(openBus(100))).toBeInstanceOf(ConnectionLost);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

function makeError(name: string, text: string, replySerial: number): Uint8Array {
  const body = marshal("s", [text], true);
  const fields = [
    [4, { signature: "s", value: name }],
    [5, { signature: "u", value: replySerial }],
    [8, { signature: "g", value: "s" }],
  ] as const;
  const header = marshal("yyyyuua(yv)", [0x6c, 3, 0, 1, body.length, 99, fields], true);
  return Buffer.concat([header, new Uint8Array((8 - (header.length % 8)) % 8), body]);
}

/** Replaces the terminating zero of the last string with a letter. */
function breakBody(message: Uint8Array): Uint8Array {
  message[message.length - 1] = 0x41;
  return message;
}
