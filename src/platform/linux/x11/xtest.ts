import { processes } from "../../../os/index.ts";
import type { XConnection } from "./connection.ts";
import { eventType, fakeInput, markOwn } from "./fake-input.ts";
import type { XExtension } from "./transport.ts";
import { grabServer, ungrabServer } from "./wire.ts";

/** The XTEST extension: input that the server treats as a person's. */
export class XTest {
  constructor(
    private readonly extension: XExtension,
    private readonly root: number,
  ) {}

  pressKey(keycode: number): Buffer {
    return this.fake(eventType.keyPress, keycode);
  }

  releaseKey(keycode: number): Buffer {
    return this.fake(eventType.keyRelease, keycode);
  }

  /** The server waits before the press and does nothing else for this client meanwhile. */
  pressButton(button: number, waitMs = 0): Buffer {
    const bytes = this.fake(eventType.buttonPress, button);
    bytes.writeUInt32LE(waitMs, 8);
    return bytes;
  }

  releaseButton(button: number): Buffer {
    return this.fake(eventType.buttonRelease, button);
  }

  moveTo(point: { readonly x: number; readonly y: number }): Buffer {
    const bytes = this.fake(eventType.motion, 0);
    bytes.writeUInt32LE(this.root, 12);
    bytes.writeInt16LE(point.x, 24);
    bytes.writeInt16LE(point.y, 26);
    return bytes;
  }

  private fake(type: number, detail: number): Buffer {
    const bytes = Buffer.alloc(36);
    bytes[0] = this.extension.opcode;
    bytes[1] = fakeInput;
    bytes[4] = type;
    bytes[5] = detail;
    markOwn(bytes);
    return bytes;
  }
}

const longestAnswerMs = 10_000;

/** Sends requests without reply in one write, and waits until the server has processed them. */
export function sendTogether(x: XConnection, requests: readonly Buffer[]): Promise<void> {
  return x.within(longestAnswerMs, () => x.sendAll(requests));
}

/** A grab takes milliseconds. While it lasts, everybody else waits, so nobody may suspend this process for longer. */
const longestMs = 250;

/** Sends requests if the answer to a question is yes. The server serves nobody else from the question to the last request. */
export async function sendIf(
  x: XConnection,
  ask: () => Promise<boolean>,
  requests: readonly Buffer[],
): Promise<boolean> {
  const endLimit = processes.limitSuspension(longestMs);
  try {
    const grabbed = x.send(grabServer());
    let isSo = false;
    try {
      isSo = await ask();
    } finally {
      await Promise.all([grabbed, sendTogether(x, [...(isSo ? requests : []), ungrabServer()])]);
    }
    return isSo;
  } finally {
    endLimit();
  }
}
