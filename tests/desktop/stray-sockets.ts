import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * LibreOffice's named sockets in /tmp, of the processes in a sandbox: it creates them there whatever TMPDIR says, and leaves
 * them behind if it is killed.
 */
export function listStraySockets(sandboxName: string): readonly string[] {
  const named = readFileSync("/proc/net/unix", "utf8").matchAll(/ (\d+) (\/tmp\/OSL_PIPE_\S+)$/gm);
  const paths = new Map([...named].map(([, inode, path = ""]) => [`socket:[${inode}]`, path]));
  if (paths.size === 0) return [];
  const found = readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        const isInside = readFileSync(`/proc/${pid}/environ`, "utf8").includes(`DESKMAP_SANDBOX=${sandboxName}\0`);
        return isInside ? listDescriptors(`/proc/${pid}/fd`) : [];
      } catch {
        // It ended in the meantime.
        return [];
      }
    });
  return [...new Set(found.flatMap((target) => paths.get(target) ?? []))];
}

function listDescriptors(folder: string): readonly string[] {
  return readdirSync(folder).map((name) => readlinkSync(join(folder, name)));
}
