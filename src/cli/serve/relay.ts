import { connectHost, makeHello } from "../../client/connect.ts";
import { findBuild, findDaemonPlace } from "../../client/connect-place.ts";
import { Outbox } from "../../client/connection-outbox.ts";
import { encodeFrame } from "../../client/protocol.ts";
import type { Env } from "../../model/env.ts";
import type { Result } from "../../model/failure.ts";
import { defineCommand } from "../define.ts";

/** For libraries in other runtimes, which need not know where the socket is or how the daemon is started. */
export const relay = defineCommand({
  name: "relay",
  summary: "",
  isHidden: true,
  run: () => connect(process.env),
});

async function connect(env: Env): Promise<Result<undefined>> {
  const host = await connectHost(env, { start: true });
  if (!host.ok) return host;
  const ended = Promise.withResolvers<void>();
  const outbox = new Outbox();
  const output = Bun.stdout.writer();
  const socket = await Bun.connect({
    unix: findDaemonPlace(env).socket,
    socket: {
      data: (own, bytes) => {
        output.write(bytes);
        const written = output.flush();
        if (!(written instanceof Promise)) return;
        // Back pressure: no more is read from the daemon until this is written.
        own.pause();
        written.then(() => own.resume()).catch(() => ended.resolve());
      },
      drain: () => outbox.flush(),
      close: () => ended.resolve(),
      error: () => ended.resolve(),
    },
  });
  outbox.attach(socket);
  outbox.write(encodeFrame({ t: "hello", ...makeHello(env, findBuild()) }));
  await host.value.close();
  const input = async (): Promise<void> => {
    for await (const bytes of Bun.stdin.stream()) {
      outbox.write(bytes);
      await outbox.drain();
    }
    outbox.end();
  };
  await Promise.race([input(), ended.promise]);
  await output.end();
  // Standard input may stay open for ever; its writer sees the end of the output.
  process.exit(0);
}
