import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Scene } from "../desktop/scene.ts";

/** A window that grabs the keyboard without a window manager, as launchers do. */
export interface Grabber {
  countKeys(): number;
  close(): Promise<void>;
}

export async function openGrabber({ sandbox }: Scene, className: string): Promise<Grabber> {
  const keys = join(sandbox.env.HOME ?? "", `keys-of-${className}`);
  const command = ["/usr/bin/python3", join(import.meta.dir, "grab-keys.py"), className, keys] as const;
  const child = sandbox.spawn(command, { stdio: ["ignore", "pipe", "inherit"] });
  if (child.stdout === null) throw new Error("it has no output");
  const [told] = await once(child.stdout, "data");
  if (String(told).trim() !== "grabbed") throw new Error(`the keyboard was not grabbed: ${told}`);
  return {
    countKeys: () => readFileSync(keys, "utf8").split("\n").length - 1,
    async close() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
