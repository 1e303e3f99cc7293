import { spawn } from "node:child_process";
import { once } from "node:events";

export interface ForeignDisplay {
  /** As in DISPLAY. */
  readonly display: string;
  close(): Promise<void>;
}

/** A display that Deskmap has not opened, which lets every program of this user in, by its file and its abstract name. */
export async function openForeignDisplay(): Promise<ForeignDisplay> {
  const options = ["-displayfd", "1", "-screen", "0", "640x480x24", "-noreset", "-nolisten", "tcp"];
  const server = spawn("Xvfb", options, { stdio: ["ignore", "pipe", "ignore"] });
  const [number] = await once(server.stdout, "data");
  return {
    display: `:${String(number).trim()}`,
    async close() {
      server.kill();
      if (server.exitCode === null) await once(server, "exit");
    },
  };
}
