import type { ElementCommand } from "../../src/model/command.ts";
import type { Element } from "../../src/model/element.ts";
import { fail, nothingDone, type Result, succeed } from "../../src/model/failure.ts";
import type { WindowRead } from "../../src/model/snapshot.ts";
import { applicationKeyOf, type Window } from "../../src/model/window.ts";
import { addSource } from "../../src/sources/compose.ts";
import type { AddedSource, ElementSource, ReadRequest, Sign, TextRequest, Watch } from "../../src/sources/port.ts";
import { makeElement } from "../fixtures/elements.ts";

/** A page with a shop: a second source that reads and acts, in memory. */
export class PageSource implements ElementSource {
  orders = 0;
  readonly commands: ElementCommand[] = [];
  /** A failure for its next reads. */
  failure = "";
  closedWatches = 0;
  isClosed = false;
  private readonly watchers = new Set<{ signs: Sign[]; wake: () => void }>();

  /** Covers the windows of one title. `placeOf` returns the position of the page. */
  constructor(
    private readonly title: string,
    private readonly placeOf: (window: Window) => NonNullable<Element["bounds"]>,
  ) {}

  get added(): AddedSource {
    const source = { name: "dom" as const, elements: this, close: () => this.close() };
    return addSource(source, { doToElement: (command) => this.perform(command) });
  }

  close(): void {
    this.isClosed = true;
  }

  async covers(windows: readonly Window[]): Promise<Result<ReadonlySet<number>>> {
    return succeed(new Set(windows.filter(({ title }) => title === this.title).map(({ id }) => id)));
  }

  async readWindows({ windows }: ReadRequest): Promise<Result<readonly WindowRead[]>> {
    if (this.failure !== "") return fail({ code: "FAILED", message: this.failure, done: nothingDone });
    return succeed(
      windows.map((window) => ({ window, appKey: applicationKeyOf(window), root: this.build(window), notes: [] })),
    );
  }

  async readText({ element }: TextRequest) {
    const text = `text of ${element.name}`;
    return succeed({ text, start: 0, end: text.length, length: text.length, notes: [] });
  }

  async glimpse({ handle }: Pick<Element, "handle">) {
    const found = this.last.find((one) => one.handle === handle);
    if (found === undefined) return succeed(undefined);
    const { platformRole, ownName, states, bounds } = found;
    return succeed({ platformRole, ownName, states, place: JSON.stringify(bounds), length: undefined });
  }

  async askWhatIsAt({ handle }: Pick<Element, "handle">) {
    return succeed(handle);
  }

  async watch(): Promise<Result<Watch>> {
    const waiting = Promise.withResolvers<void>();
    const watcher = { signs: [] as Sign[], wake: waiting.resolve };
    this.watchers.add(watcher);
    return succeed({
      take: () => watcher.signs.splice(0),
      async waitForSign(timeoutMs) {
        const next = Promise.withResolvers<void>();
        watcher.wake = next.resolve;
        if (watcher.signs.length === 0) await Promise.race([next.promise, Bun.sleep(timeoutMs)]);
        return watcher.signs[0];
      },
      waitForStillness: async (quietMs) => {
        await Bun.sleep(quietMs);
        return true;
      },
      findTemper: (id) => (id === "page:1/choose" ? "calm" : undefined),
      findCrossing: () => undefined,
      close: () => {
        this.watchers.delete(watcher);
        this.closedWatches += 1;
      },
    });
  }

  /** The page changes by itself. */
  order(): void {
    this.orders += 1;
    for (const watcher of this.watchers) {
      watcher.signs.push({ source: "event", handle: "page:1/choose" });
      watcher.wake();
    }
  }

  private async perform(command: ElementCommand): Promise<Result<void>> {
    this.commands.push(command);
    if (command.kind === "invoke") this.order();
    return succeed(undefined);
  }

  private last: readonly Element[] = [];

  private build(window: Window): Element {
    const place = this.placeOf(window);
    const row = (at: number) => ({ x: place.x + 4, y: place.y + 4 + 30 * at, width: 120, height: 24 });
    const middle = (at: number) => ({ x: row(at).x + 60, y: row(at).y + 12 });
    const own = (part: string) => ({ source: "dom", life: "page:1", handle: `page:1/${part}` }) as const;
    const press = { actions: ["press"], platformActions: ["click"], invocations: { press: "click" } } as const;
    const button = (name: string, part: string, at: number) =>
      makeElement({ role: "button", name, bounds: row(at), clickPoint: middle(at), ...press, ...own(part) });
    this.last = [
      button("Choose", "choose", 0),
      button("Delete account", "delete", 1),
      makeElement({
        role: "input",
        name: "Card",
        value: "4242 4242 4242 4242",
        states: new Set(["editable", "secret"]),
        bounds: row(2),
        clickPoint: middle(2),
        ...own("card"),
      }),
      makeElement({
        role: "text",
        name: `${this.orders} chosen`,
        bounds: row(3),
        clickPoint: middle(3),
        ...own("told"),
      }),
    ];
    const children = this.last;
    return makeElement({
      role: "web",
      name: "Shop",
      url: "https://shop.example/",
      bounds: place,
      ...own(""),
      children,
    });
  }
}
