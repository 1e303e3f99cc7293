import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hello } from "../../src/client/client-frame.ts";
import { findBuild, findDaemonPlace } from "../../src/client/connect-place.ts";
import { DaemonConnection } from "../../src/client/connection.ts";
import { protocolVersion } from "../../src/client/protocol.ts";
import type { CallRequest } from "../../src/host/port.ts";
import type { Runtime } from "../../src/host/runtime.ts";
import { FakeDesktop } from "../../src/platform/fake/open.ts";
import { Daemon, type DaemonOptions } from "../../src/server/daemon/daemon.ts";
import { openFrozenRuntime } from "./frozen-runtime.ts";

export const readPad: CallRequest = { tool: "read", input: { app: "pad" }, formats: ["json"] };

export interface DaemonScene {
  readonly env: Readonly<Record<string, string>>;
  readonly socket: string;
  readonly desktop: FakeDesktop;
  readonly runtime: ReturnType<typeof openFrozenRuntime>;
  readonly daemon: Daemon;
  connect(hello?: Partial<Hello>): Promise<DaemonConnection>;
  close(): Promise<void>;
}

export function makeHome(): { readonly env: Readonly<Record<string, string>>; remove(): void } {
  const home = mkdtempSync(join(tmpdir(), "deskmap-daemon-"));
  const { PATH = "" } = process.env;
  const env = { HOME: home, XDG_RUNTIME_DIR: home, DISPLAY: ":4711", PATH };
  return { env, remove: () => rmSync(home, { recursive: true, force: true }) };
}

export function introduce(hello: Partial<Hello> = {}): Omit<Hello, "t"> {
  return { protocol: protocolVersion, build: findBuild(), client: "test", isReadOnly: false, settings: {}, ...hello };
}

/** A daemon in this process over an in-memory desktop. */
export function openDaemonScene(
  options: Partial<DaemonOptions> = {},
  mapPath?: string,
  check?: Runtime["check"],
): DaemonScene {
  const { env, remove } = makeHome();
  const children = Array.from({ length: 20 }, (_, at) => ({ role: "button" as const, name: `Button ${at}` }));
  const desktop = new FakeDesktop({
    applications: [
      { name: "pad", windows: [{ title: "Pad", children }] },
      { name: "keepassxc", windows: [{ title: "Passwords", children: [{ role: "button", name: "Reveal" }] }] },
    ],
  });
  const runtime = openFrozenRuntime(desktop, mapPath);
  if (check !== undefined) runtime.check = check;
  const daemon = Daemon.start({ env, idleMs: 60_000, runtime, ...options });
  if (daemon === undefined) throw new Error("another daemon is there");
  const { socket } = findDaemonPlace(env);
  return {
    env,
    socket,
    desktop,
    runtime,
    daemon,
    connect: (hello) => DaemonConnection.open(socket, introduce(hello)),
    async close() {
      daemon.leave("the test is over");
      await daemon.left;
      remove();
    },
  };
}

/** Sends arbitrary data to a socket, and returns what came back by the time it was closed. */
export async function talk(socket: string, bytes: Uint8Array | string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let heard = "";
  await Bun.connect({
    unix: socket,
    socket: {
      open: (own) => {
        let rest = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
        const send = (): void => {
          const sent = own.write(rest);
          rest = rest.subarray(Math.max(sent, 0));
          if (rest.length > 0) setTimeout(send, 1);
        };
        send();
      },
      data: (_own, piece) => {
        heard += new TextDecoder().decode(piece);
      },
      close: () => resolve(heard),
      error: () => resolve(heard),
    },
  });
  return promise;
}
