import { type Bus, busCall, shape } from "../dbus/bus.ts";
import { ConnectionLost, ErrorReply } from "../dbus/errors.ts";

const registry = "org.a11y.atspi.Registry";
const registryRoot = "/org/a11y/atspi/accessible/root";
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
      const isOfRegistry = path === registryRoot && member === "ChildrenChanged";
      if (isOfRegistry || member === "NameOwnerChanged") this.wake(bus);
    });
    const rule = `type='signal',sender='${registry}',path='${registryRoot}',member='ChildrenChanged'`;
    await bus.call(busCall("AddMatch", "s", [rule]), shape<undefined>(""));
  }

  /** Watches the end of these from now on. */
  async watchEnd(bus: Bus, names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => bus.call(busCall("AddMatch", "s", [ruleOf(name)]), shape<undefined>(""))));
  }

  /** A bus limits the number of match rules per user. */
  unwatchEnd(bus: Bus, names: readonly string[]): void {
    if (!bus.isOpen) return;
    for (const name of names)
      bus.call(busCall("RemoveMatch", "s", [ruleOf(name)]), shape<undefined>("")).catch(ignoreEnd);
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
      this.onArrival(bus).catch(ignoreEnd);
    }, burstMs);
  }
}

function ruleOf(name: string): string {
  return `type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${name}'`;
}

function ignoreEnd(error: unknown): void {
  if (!(error instanceof ConnectionLost || error instanceof ErrorReply)) throw error;
}
