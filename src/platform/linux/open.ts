import { type Bounds, isSameBounds, type Point } from "../../model/bounds.ts";
import type { Button } from "../../model/command.ts";
import type { SingleElement } from "../../model/element.ts";
import { fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { Picture } from "../../model/frame.ts";
import type { Opener } from "../../model/opener.ts";
import type { ProgramEnd } from "../../model/program-end.ts";
import type { TextRead, WindowRead } from "../../model/snapshot.ts";
import { applicationKeyOf, type Popup, type Window } from "../../model/window.ts";
import { processes } from "../../os/index.ts";
import type { Glimpse, ReadRequest, TextRequest, Watch } from "../../sources/port.ts";
import type { Hands } from "../hands.ts";
import type { LivePlatform, OpenOptions, Platform, PointerState, ScreenSurface, WindowList } from "../port.ts";
import type { BusApplication } from "./atspi/access.ts";
import type { ActionConnections } from "./atspi/action-connections.ts";
import { Connections, flattenResult, type Parts } from "./connections.ts";
import type { Bus } from "./dbus/bus.ts";
import { describeHaste, describeTreeless } from "./failures.ts";
import { XConnection } from "./x11/connection.ts";
import { XUnavailable } from "./x11/transport.ts";
import { findXWindowAt } from "./x11/window-at.ts";
import { listPopupBounds, listXWindows } from "./x11/windows.ts";

// Loaded lazily: listing windows and taking pictures never need trees.
const loadAccess = () => import("./atspi/access.ts");
const loadTree = () => import("./atspi/tree.ts");

export async function openLinux(options: OpenOptions): Promise<Result<LinuxPlatform>> {
  try {
    const display = await XConnection.connect(options.env, options.timeoutMs);
    const connections = new Connections(options, display);
    return succeed(new LinuxPlatform(options, connections, () => connections.close()));
  } catch (error) {
    if (!(error instanceof XUnavailable)) throw error;
    const absence = makeFailure(
      "UNAVAILABLE",
      `no display to read: ${error.message}`,
      "run inside a desktop session, or open a private one: deskmap sandbox -- mousepad",
    );
    return fail(describeHaste(error) ?? absence);
  }
}

/** The same, kept up to date by events. */
export async function openLinuxLive(options: OpenOptions): Promise<Result<LivePlatform>> {
  const opened = await openLinux(options);
  if (!opened.ok) return opened;
  const { openLive } = await import("./live/open-live.ts");
  return succeed(openLive(opened.value));
}

/** The input side of a platform opened here; it shares the connections. */
export async function openLinuxHands(platform: Platform): Promise<Result<Hands>> {
  if (!(platform instanceof LinuxPlatform)) throw new Error("these are the hands of another platform");
  const { LinuxHands } = await import("./hands.ts");
  return succeed(new LinuxHands(platform));
}

class LinuxPlatform implements Platform, Parts {
  readonly name = "linux";
  readonly lacks = new Map<never, never>();

  constructor(
    readonly options: OpenOptions,
    private readonly shared: Connections,
    private readonly onClose: () => void,
  ) {}

  get x(): XConnection {
    return this.shared.x;
  }

  forCall(options: OpenOptions): LinuxPlatform {
    return new LinuxPlatform(options, this.shared, this.shared.use());
  }

  openActions(): Promise<ActionConnections> {
    return this.shared.openActions();
  }

  prepareRead(): void {
    void loadTree();
    this.shared.prepareBus();
  }

  listWindows(): Promise<Result<WindowList>> {
    return this.withDisplay(async () => {
      const { x } = this;
      // The size in the connection setup is valid only until the screen is resized.
      const [{ monitors, windows }, root] = await Promise.all([listXWindows(x), x.getOuterGeometry(x.root)]);
      this.shared.windows = windows;
      this.shared.monitors = monitors.map(({ bounds }) => bounds);
      if (root !== undefined) this.shared.size = { x: 0, y: 0, width: root.width, height: root.height };
      return { windows, monitors, screen: this.shared.size };
    });
  }

  async listSurfaces(): Promise<Result<readonly ScreenSurface[]>> {
    const list = await this.listWindows();
    if (!list.ok) return list;
    const { listXSurfaces } = await import("./x11/surfaces.ts");
    return this.withDisplay(() => listXSurfaces(this.x, this.shared.windows));
  }

  captureScreen(part: Bounds): Promise<Result<Picture>> {
    return this.shared.withScreen((screen) => screen.captureScreen(part));
  }

  captureWindow(window: Window, part?: Bounds): Promise<Result<Picture>> {
    return this.shared.withScreen((screen) => screen.captureWindow(window, part));
  }

  async covers(windows: readonly Window[]): Promise<Result<ReadonlySet<number>>> {
    return this.withBus(async (bus) => {
      const { listBusApplications } = await loadAccess();
      const applications = await listBusApplications(bus, this.options.timeoutMs);
      const onBus = new Set(applications.map(({ pid }) => pid));
      return new Set(windows.filter(({ pid }) => onBus.has(pid)).map(({ id }) => id));
    });
  }

  async readWindows(request: ReadRequest): Promise<Result<readonly WindowRead[]>> {
    // The positions of a window's content and siblings come from the list. It is read again if the caller has another: a
    // window may have moved, and its id may be that of a program which has ended.
    const isKnown = ({ id, pid, bounds }: Window): boolean =>
      this.shared.windows.some((known) => known.id === id && known.pid === pid && isSameBounds(known.bounds, bounds));
    if (!request.windows.every(isKnown)) {
      const list = await this.listWindows();
      if (!list.ok) return list;
    }
    return this.withBus(async (bus) => {
      const { awaitBusApplications } = await loadAccess();
      const byPid = Map.groupBy(request.windows, (window) => window.pid);
      const applications = await awaitBusApplications(bus, byPid.keys(), this.options.timeoutMs);
      const reads = await Promise.all(
        [...byPid].map(([pid, wanted]) => {
          const own = applications.filter((application) => application.pid === pid && pid !== 0);
          return this.readProcess(bus, own, wanted, request);
        }),
      );
      const byId = new Map(reads.flat().map((read) => [read.window.id, read]));
      return request.windows.map((window) => ({ ...(byId.get(window.id) ?? describeTreeless(window)), window }));
    });
  }

  async findWindowAt(point: Point): Promise<Result<Window | undefined>> {
    const list = await this.listWindows();
    return list.ok ? this.withDisplay(() => findXWindowAt(this.x, this.shared.windows, point)) : list;
  }

  async listPopups(): Promise<Result<readonly Popup[]>> {
    const [{ listPopups }, session] = await Promise.all([import("./x11/surfaces.ts"), this.shared.openLock()]);
    const [lock, popups] = await Promise.all([
      session.find(this.shared.size),
      this.withDisplay(() => listPopups(this.x)),
    ]);
    return popups.ok && lock !== undefined ? succeed([lock, ...popups.value]) : popups;
  }

  findPointer(): Promise<Result<PointerState>> {
    return this.withDisplay(() => this.x.queryPointer());
  }

  async findPressPause(point: Point, button: Button): Promise<Result<number>> {
    const { findPressPauseMs } = await import("./x11/last-press.ts");
    return this.withDisplay(() => findPressPauseMs(this.x, point, button));
  }

  async readText(request: TextRequest): Promise<Result<TextRead>> {
    const { readElementText } = await import("./atspi/read-text.ts");
    return flattenResult(await this.withBus((bus) => readElementText(bus, request)));
  }

  async glimpse(element: SingleElement, timeoutMs: number): Promise<Result<Glimpse | undefined>> {
    const { glimpseElement } = await import("./atspi/object.ts");
    return flattenResult(await this.withBus((bus) => glimpseElement(bus, element, timeoutMs)));
  }

  async askWhatIsAt(element: SingleElement, point: Point, timeoutMs: number): Promise<Result<string | undefined>> {
    const { askWhatIsAt } = await import("./atspi/hit-test.ts");
    return flattenResult(await this.withBus((bus) => askWhatIsAt(bus, element, point, timeoutMs)));
  }

  async watch(windows: readonly Window[], timeoutMs: number): Promise<Result<Watch>> {
    const { watchApplications } = await import("./watch.ts");
    return watchApplications(this, windows, timeoutMs);
  }

  async findOpener(what: string, args: readonly string[], folder?: string): Promise<Result<Opener>> {
    const { findOpener } = await import("./openers/find-opener.ts");
    return findOpener(what, args, this.options.env, folder ?? this.options.env.DESKMAP_CWD ?? process.cwd());
  }

  async isRunning(pid: number): Promise<Result<boolean>> {
    return succeed(processes.isRunning(pid));
  }

  async findEnd(pid: number): Promise<Result<ProgramEnd | undefined>> {
    return succeed((await import("./endings.ts")).findEnd(pid));
  }

  async belongsTo(pid: number, opened: number): Promise<Result<boolean>> {
    return succeed((await import("./endings.ts")).belongsTo(pid, opened));
  }

  close(): void {
    this.onClose();
  }

  withDisplay<T>(work: () => Promise<T>): Promise<Result<T>> {
    return this.shared.withDisplay(work);
  }

  withBus<T>(work: (bus: Bus) => Promise<T>): Promise<Result<T>> {
    return this.shared.withBus(work);
  }

  isCaptured(window: number): boolean {
    return this.shared.isCaptured(window);
  }

  leaveBus(): void {
    this.shared.leaveBus();
  }

  /** One process may register twice (a toolkit inside another): the first that knows a window is used. */
  private async readProcess(
    bus: Bus,
    applications: readonly BusApplication[],
    wanted: readonly Window[],
    request: ReadRequest,
  ): Promise<WindowRead[]> {
    const [first] = wanted;
    if (first === undefined) return [];
    const { pid } = first;
    const wantedIds = new Set(wanted.map((window) => window.id));
    const { readApplication } = await loadTree();
    const reads = await Promise.all(
      applications.map(({ busName }) =>
        readApplication(bus, {
          busName,
          appKey: applicationKeyOf(first),
          allWindows: this.shared.windows.filter((window) => window.pid === pid),
          wantedIds,
          screen: this.shared.size,
          monitors: this.shared.monitors,
          listPopupBounds: () => listPopupBounds(this.x, pid),
          findFocused: async () => (await listXWindows(this.x)).windows.find(({ isFocused }) => isFocused)?.id,
          includeHidden: request.includeHidden,
          timeoutMs: request.timeoutMs,
          isForPicture: request.isForPicture,
        }),
      ),
    );
    return reads.flat().sort((a, b) => Number(a.root !== undefined) - Number(b.root !== undefined));
  }
}
