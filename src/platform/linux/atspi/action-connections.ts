import { Bus, busCall, ConnectionLost, DeadlinePassed, ErrorReply, shape } from "../dbus/bus.ts";
import { ignore } from "../ignore.ts";
import { type Peer, rootPath } from "./peer.ts";

interface Held {
  readonly bus: Bus;
  readonly application: string;
  readonly pid: number;
  /** The windows that the application had before the action. */
  readonly before: ReadonlySet<string>;
}

/**
 * Connections over which actions are sent that at-spi2-atk runs inside the handler of their message. It answers before it
 * runs them. While one waits in a loop of its own (gtk_dialog_run), libdbus has its connection locked; the next key event
 * makes at-spi2-atk serve all connections from another loop, and if this one has anything to deliver by then, be it only
 * its end, the application waits for its own lock for good. So such a connection is kept open, and nothing is sent over
 * it, as long as a window exists that opened with the action; also when this process ends.
 */
export class ActionConnections {
  private held: Held[] = [];

  /** Runs work over a new connection to the application; over the bus if the application offers none. */
  async run<T>(peer: Peer, timeoutMs: number, work: (bus: Bus) => Promise<T>): Promise<T> {
    const [before, direct] = await Promise.all([listWindows(peer), connect(peer, timeoutMs)]);
    this.releaseFinished(peer.name, before);
    if (direct === undefined) return work(peer.bus);
    try {
      return await work(direct);
    } finally {
      await this.hold(peer, direct, before);
    }
  }

  /** Hands what is held over to processes that hold it until the application ends; what has ended is left alone. */
  close(): void {
    for (const { bus, pid } of this.held) if (bus.isOpen) bus.leaveOpen(pid);
    this.held = [];
  }

  /** An application answers this when the action is done, or from inside the loop of a window that it opened. */
  private async hold(peer: Peer, bus: Bus, before: ReadonlySet<string>): Promise<void> {
    const now = await listWindows(peer).catch(ignore(ConnectionLost, DeadlinePassed, ErrorReply));
    const pid = now?.isSubsetOf(before) === true ? undefined : await findProcess(peer);
    if (pid === undefined) bus.close();
    else this.held.push({ bus, application: peer.name, pid, before });
  }

  private releaseFinished(application: string, now: ReadonlySet<string>): void {
    const isFinished = (one: Held): boolean =>
      !one.bus.isOpen || (one.application === application && now.isSubsetOf(one.before));
    for (const { bus } of this.held.filter(isFinished)) bus.close();
    this.held = this.held.filter((one) => !isFinished(one));
  }
}

async function listWindows(peer: Peer): Promise<ReadonlySet<string>> {
  return new Set((await peer.getChildren(rootPath)).map(([, path]) => path));
}

async function findProcess({ bus, name }: Peer): Promise<number | undefined> {
  const known = bus.pids.get(name);
  if (known !== undefined) return known;
  const asked = bus.call(busCall("GetConnectionUnixProcessID", "s", [name]), shape<number>("u"));
  return asked.catch(ignore(ConnectionLost, ErrorReply));
}

function connect(peer: Peer, timeoutMs: number): Promise<Bus | undefined> {
  const opened = peer.getDirectAddress().then((address) => Bus.connect(address, timeoutMs, true));
  return opened.catch(ignore(ErrorReply, ConnectionLost));
}
