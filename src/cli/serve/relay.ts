import { connectHost, introduce } from "../../client/connect.ts";
import { findBuild, findDaemonPlace } from "../../client/connect-place.ts";
import { Outbox } from "../../client/connection-outbox.ts";
import { encodeFrame } from "../../client/protocol.ts";
import type { Env } from "../../model/env.ts";
import { reportFailure } from "../report.ts";

/**
 * Makes sure that the daemon of this desktop runs, and passes on what it and standard input say to each other: for libraries in
 * other runtimes, which so need to know neither where it is nor how it is started.
 */
export async function relay(env: Env): Promise<void> {
  const host = await connectHost(env, { start: true });
  if (!host.ok) return reportFailure(host.failure, true);
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
        // What nobody takes here is not taken from there either.
        own.pause();
        written.then(() => own.resume()).catch(() => ended.resolve());
      },
      drain: () => outbox.flush(),
      close: () => ended.resolve(),
      error: () => ended.resolve(),
    },
  });
  outbox.attach(socket);
  outbox.write(encodeFrame({ t: "hello", ...introduce(env, findBuild()) }));
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
  // Standard input may stay open for ever; whoever holds it is told by the end of the output.
  process.exit(0);
}
