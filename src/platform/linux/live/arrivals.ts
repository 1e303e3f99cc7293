import { registry } from "../atspi/cache.ts";
import { rootPath } from "../atspi/peer.ts";
import { type Bus, ConnectionLost, ErrorReply } from "../dbus/bus.ts";
import { ignore } from "../ignore.ts";

/** Applications come and go in bursts. */
const burstMs = 20;

/** Watches applications register on the accessibility bus and leave it. The content of signals is not read. */
export class Arrivals {
  private bus: Bus | undefined;
  private stop: (() => void) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onArrival: (bus: Bus) => Promise<void>) {}

  async attend(bus: Bus): Promise<void> {
    if (this.bus === bus) return;
    this.close();
    this.bus = bus;
    this.stop = bus.listen(({ path, member }) => {
      const isOfRegistry = path === rootPath && member === "ChildrenChanged";
      if (isOfRegistry || member === "NameOwnerChanged") this.wake(bus);
    });
    const rule = `type='signal',sender='${registry}',path='${rootPath}',member='ChildrenChanged'`;
    await bus.addMatch(rule);
  }

  /** Watches the end of these from now on. */
  async watchEnd(bus: Bus, names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => bus.addMatch(ruleOf(name))));
  }

  /** A bus limits the number of match rules per user. */
  unwatchEnd(bus: Bus, names: readonly string[]): void {
    if (bus.isOpen) for (const name of names) bus.removeMatch(ruleOf(name));
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.stop?.();
    this.stop = undefined;
    this.bus = undefined;
  }

  private wake(bus: Bus): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.onArrival(bus).catch(ignore(ConnectionLost, ErrorReply));
    }, burstMs);
  }
}

function ruleOf(name: string): string {
  return `type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${name}'`;
}
