import { processes, user } from "../os/index.ts";
import { type Building, PartError, readFirstLine, start } from "./desktop-parts.ts";
import { enterOuter, findTool, HOLD, limitRights } from "./enter.ts";
import { type BoundaryRequest, planMounts } from "./mounts.ts";
import type { Bounded } from "./record.ts";

/** Why there is no boundary. */
export class NoBoundary extends Error {}

/**
 * Starts two processes that keep the boundary open. The outer one has the mounts, and the inner one the user namespace in
 * which programs run: no program inside has rights over the mounts, nor over the process that leads to them.
 */
export async function startBoundary(
  building: Building,
  request: BoundaryRequest,
): Promise<Omit<Bounded, "kind" | "inside">> {
  if (request.bwrap === "") throw new NoBoundary("bubblewrap is not installed (sudo apt-get install -y bubblewrap)");
  const missing = ["nsenter", "unshare", "setpriv"].find((tool) => findTool(tool) === undefined);
  if (missing !== undefined) throw new NoBoundary(`${missing} is not installed (sudo apt-get install -y util-linux)`);
  const { args, shown } = planMounts(building.folders, request);
  const outerOptions = [
    ...["--unshare-user", "--uid", "0", "--gid", "0", "--unshare-ipc", "--cap-drop", "ALL", "--die-with-parent"],
    ...(request.hasNetwork ? [] : ["--unshare-net"]),
  ];
  const outer = await hold(building, "boundary-outer", [request.bwrap, ...outerOptions, ...args, "--", ...HOLD]);
  const [uid, gid] = [String(user.id() ?? 0), String(process.getgid?.() ?? 0)];
  const own = [findTool("unshare") ?? "", "--user", `--map-user=${uid}`, `--map-group=${gid}`, "--"];
  const inner = await hold(building, "boundary-inner", [...enterOuter(outer), ...own, ...limitRights("KILL"), ...HOLD]);
  return {
    outer,
    inner,
    memoryScope: processes.describeMemoryScope(outer.pid) ?? "",
    hasNetwork: request.hasNetwork,
    shown,
    given: request.binds.map(({ path, isReadOnly }) => (isReadOnly ? `${path}:ro` : path)),
  };
}

async function hold(building: Building, part: string, command: [string, ...string[]]): Promise<Bounded["outer"]> {
  const started = await start(building, { part, command, signalWithSupervisor: "KILL", output: "read" });
  started.child.once("exit", () => building.onBoundaryLost());
  let pid: number;
  try {
    pid = Number(await readFirstLine(started, building.signal));
  } catch (error) {
    const { log, message } = new PartError(part, error, started.logPath);
    throw new NoBoundary(`bubblewrap cannot open it: ${log.split("\n").at(-1) || message}`);
  }
  const row = processes.read(pid);
  if (row === undefined) throw new NoBoundary(`${part} ended at once`);
  building.onPart(part, { ...started, pid });
  return { pid, startTicks: row.startTicks };
}
