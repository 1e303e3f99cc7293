import { type Bounds, containsPoint, intersect, type Point } from "../../model/bounds.ts";
import { fromLocal, toLocal } from "../../model/coordinates.ts";
import type { Actor } from "../../model/deed.ts";
import { flatten } from "../../model/element.ts";
import { fail, nothingDone, type Result, succeed } from "../../model/failure.ts";
import type { Picture } from "../../model/frame.ts";
import type { Opener } from "../../model/opener.ts";
import { cleanLines } from "../../model/plain-text.ts";
import { describeSecret } from "../../model/secrets.ts";
import { maskPart } from "../../model/secrets-in-text.ts";
import type { Note, TextRead, WindowRead } from "../../model/snapshot.ts";
import { type Application, applicationKeyOf, type Monitor, type Overlay, type Window } from "../../model/window.ts";
import type { Hands } from "../hands.ts";
import { assembleHands, assemblePlatform, Lack } from "../lack.ts";
import type {
  Capability,
  Glimpse,
  Layer,
  PersonPort,
  Platform,
  ReadRequest,
  TextRequest,
  Watch,
  WindowList,
} from "../port.ts";
import type { FakeControl } from "./control.ts";
import { FakeHands } from "./hands.ts";
import { paint } from "./picture.ts";
import { FakeSheet } from "./sheet.ts";
import type { ApplicationSketch, DesktopSketch } from "./sketch.ts";
import { type BuildContext, buildElement, ownNameOf } from "./tree.ts";
import { describeWindows, FakeApplication, type FakeWindow, Numbers } from "./windows.ts";

/** A desktop in memory: tests change it as a user and its applications would, and read it through the platform's port. */
export class FakeDesktop {
  readonly applications: FakeApplication[] = [];
  readonly screen: Bounds;
  readonly monitors: readonly Monitor[];
  /** What lies over the windows and is in no list of them. */
  overlays: readonly Overlay[] = [];
  pointer: Point = { x: 0, y: 0 };
  /** What was pressed, the first first. */
  readonly pressed: FakeControl[] = [];
  /** What a person has in the secret store. */
  readonly secrets = new Map<string, string>();
  /** What was opened to be drawn on, the first first. */
  readonly sheets: FakeSheet[] = [];
  private readonly numbers = new Numbers();
  /** Tells this desktop's objects from those of every other, as the id of a real session's bus does. */
  private readonly session = crypto.randomUUID();
  private nextRuntime = 1;

  constructor(sketch: DesktopSketch) {
    this.screen = sketch.screen ?? { x: 0, y: 0, width: 1280, height: 800 };
    this.monitors = sketch.monitors ?? [{ name: "fake-1", bounds: this.screen, isPrimary: true }];
    for (const application of sketch.applications) this.start(application);
  }

  start(sketch: ApplicationSketch): FakeApplication {
    const application = new FakeApplication(sketch, this.numbers);
    this.applications.push(application);
    return application;
  }

  /** The application ends; whoever holds one of its windows asks in vain. */
  end(application: FakeApplication): void {
    this.applications.splice(this.applications.indexOf(application), 1);
  }

  /** A platform; with those ports missing, if any. */
  open(without: readonly Capability[] = []): Platform {
    const platform = new FakePlatform(this);
    const give = <Port>(capability: Capability, port: Port) => giveUnless(without, capability, port);
    return assemblePlatform({
      name: platform.name,
      windows: give("windows", platform),
      elements: give("elements", platform),
      capture: give("capture", platform),
      input: give("input", platform),
      programs: give("programs", platform),
      prepareRead: () => platform.prepareRead(),
      close: () => platform.close(),
    });
  }

  openHands(): FakeHands {
    return new FakeHands(this);
  }

  openHandsWithout(without: readonly Capability[]): Hands {
    const hands = this.openHands();
    const give = <Port>(capability: Capability, port: Port) => giveUnless(without, capability, port);
    return assembleHands({
      windows: give("windows", hands),
      elements: give("elements", hands),
      input: give("input", hands),
      clipboard: give("clipboard", hands),
      programs: give("programs", hands),
      close: () => hands.close(),
    });
  }

  /** What a person sees and does; given to `attend`. Nobody presses keys here. */
  get person(): PersonPort {
    return { openSheet: () => this.openSheet(), listenForKeys: async () => succeed(() => undefined) };
  }

  async openSheet(): Promise<Result<FakeSheet>> {
    const sheet = new FakeSheet();
    this.sheets.push(sheet);
    return succeed(sheet);
  }

  bringToFront(application: FakeApplication, window: FakeWindow): void {
    this.applications.sort((a, b) => Number(b === application) - Number(a === application));
    application.windows.sort((a, b) => Number(b === window) - Number(a === window));
  }

  /** The innermost control in front at a point. */
  findControlAt(point: Point): FakeControl | undefined {
    for (const window of this.applications.flatMap(({ windows }) => windows)) {
      if (window.sketch.state?.includes("minimised") === true || !containsPoint(window.bounds, point)) continue;
      const context = {
        visible: this.screen,
        includeHidden: false,
        nameRuntime: (one: FakeControl) => this.nameRuntime(one),
      };
      const under = flatten([buildElement(window.root, context, window.bounds)]).filter(
        ({ bounds }) => bounds !== undefined && containsPoint(bounds, point),
      );
      const [innermost] = under.toReversed();
      return innermost && this.findControl(innermost.runtimeId);
    }
    return undefined;
  }

  findApplication(pid: number): FakeApplication | undefined {
    return this.applications.find((application) => application.pid === pid);
  }

  /** The control that a runtime id means now. */
  findControl(runtimeId: string): FakeControl | undefined {
    return this.applications
      .flatMap((application) => application.windows.flatMap((window) => window.listControls()))
      .find((control) => control.runtimeId === runtimeId);
  }

  /** Everything happens at once here: what there is to see is there when it is looked for. */
  watch(): Watch {
    return {
      take: () => [],
      // Nothing ever shows here; but whoever waits lets others have their turn.
      waitForSign: () => new Promise((resolve) => setImmediate(() => resolve(undefined))),
      waitForStillness: async () => true,
      findTemper: () => undefined,
      close: () => undefined,
    };
  }

  /** Begins with the run of its application, as a real one does with the name of its connection to the bus. */
  nameRuntime(control: FakeControl): string {
    if (control.runtimeId === "") {
      const holder = this.applications.find(({ windows }) => windows.some(({ root }) => root === rootOf(control)));
      control.runtimeId = `${this.session}:${holder?.pid ?? 0}/${this.nextRuntime}`;
      this.nextRuntime += 1;
    }
    return control.runtimeId;
  }
}

class FakePlatform implements Platform {
  readonly name = "fake";
  private isOpen = true;

  constructor(private readonly desktop: FakeDesktop) {}

  async listWindows(): Promise<Result<WindowList>> {
    if (!this.isOpen) return failClosed();
    const { applications, monitors, screen } = this.desktop;
    return succeed({ windows: describeWindows(applications, monitors), monitors, screen });
  }

  async listLayers(): Promise<Result<readonly Layer[]>> {
    const list = await this.listWindows();
    if (!list.ok) return list;
    const shown = list.value.windows.filter(({ state }) => !state.includes("minimised"));
    return succeed(
      shown.map(({ id, bounds, pid, app, aliases, class: className }) => {
        return { id, bounds, windowId: id, pid, names: [app, ...aliases, className], opaque: [bounds] };
      }),
    );
  }

  async listApplications(windows: readonly Window[]): Promise<Result<readonly Application[]>> {
    if (!this.isOpen) return failClosed();
    return succeed(
      [...Map.groupBy(windows, (window) => window.pid)].map(([pid, own]) => ({
        app: own[0]?.app ?? "unknown",
        pid,
        windowCount: own.length,
        isFocused: own.some((window) => window.isFocused),
        hasTree: (this.desktop.findApplication(pid)?.manner ?? "treeless") !== "treeless",
      })),
    );
  }

  async readWindows(request: ReadRequest): Promise<Result<readonly WindowRead[]>> {
    if (!this.isOpen) return failClosed();
    return succeed(await Promise.all(request.windows.map((window) => this.readWindow(window, request))));
  }

  async findWindowAt(point: Point): Promise<Result<Window | undefined>> {
    const list = await this.listWindows();
    if (!list.ok) return list;
    const isThere = (window: Window): boolean =>
      !window.state.includes("minimised") && containsPoint(window.bounds, point);
    return succeed(list.value.windows.find(isThere));
  }

  async listOverlays(): Promise<Result<readonly Overlay[]>> {
    return this.isOpen ? succeed(this.desktop.overlays) : failClosed();
  }

  async findPointer(): Promise<Result<Point>> {
    return this.isOpen ? succeed(this.desktop.pointer) : failClosed();
  }

  /** It counts every press for itself. */
  async findPressPause(): Promise<Result<number>> {
    return this.isOpen ? succeed(0) : failClosed();
  }

  async readText({ element, start, end }: TextRequest): Promise<Result<TextRead>> {
    if (!this.isOpen) return failClosed();
    const control = this.desktop.findControl(element.runtimeId);
    if (element.states.has("secret") || control?.sketch.secret) return fail(describeSecret());
    const whole = [...cleanLines(control?.value || control?.name || "")];
    const part = whole.slice(start, end ?? whole.length);
    const [before, after] = [whole.slice(0, start), whole.slice(start + part.length)];
    const text = maskPart(before.join(""), part.join(""), after.join(""));
    return succeed({ text, start, end: start + part.length, length: whole.length, notes: [] });
  }

  async captureScreen(part: Bounds): Promise<Result<Picture>> {
    if (!this.isOpen) return failClosed();
    const shown = this.desktop.applications
      .flatMap(({ windows }) => windows)
      .filter(({ sketch }) => sketch.state?.includes("minimised") !== true);
    return succeed(paint(part, shown));
  }

  async captureWindow(window: Window, part: Bounds = window.bounds): Promise<Result<Picture>> {
    if (!this.isOpen) return failClosed();
    const own = this.desktop.findApplication(window.pid)?.windows.find(({ id }) => id === window.id);
    if (own === undefined) return failMissing("NOT_FOUND", `the window "${window.title}" is gone`);
    if (own.sketch.state?.includes("minimised") === true) {
      return failMissing("UNAVAILABLE", `the window "${window.title}" is minimised: there is no picture of it`);
    }
    const place = fromLocal(toLocal(part, window.bounds), own.bounds);
    const seen = intersect(place, own.bounds);
    if (seen === undefined) return failMissing("NOT_FOUND", `that part lies outside the window "${window.title}"`);
    return succeed(paint(seen, [own]));
  }

  async glimpse(element: Actor): Promise<Result<Glimpse | undefined>> {
    if (!this.isOpen) return failClosed();
    const control = this.desktop.findControl(element.runtimeId);
    if (control === undefined) return succeed(undefined);
    const { role, value, states } = control;
    const { bounds } = element;
    return succeed({
      platformRole: role,
      ownName: ownNameOf(control),
      states,
      place: JSON.stringify(bounds),
      length: value.length,
    });
  }

  async askWhatIsAt(): Promise<Result<string | undefined>> {
    return this.isOpen ? succeed(undefined) : failClosed();
  }

  async watch(): Promise<Result<Watch>> {
    return this.isOpen ? succeed(this.desktop.watch()) : failClosed();
  }

  async findOpener(what: string): Promise<Result<Opener>> {
    const nearest = this.desktop.applications.map(({ name }) => name);
    return fail({ code: "NOT_FOUND", message: `nothing is called "${what}"`, nearest, done: nothingDone });
  }

  async isRunning(pid: number): Promise<Result<boolean>> {
    return succeed(this.desktop.findApplication(pid) !== undefined);
  }

  prepareRead(): void {
    // Everything is in memory.
  }

  close(): void {
    this.isOpen = false;
  }

  private async readWindow(window: Window, request: ReadRequest): Promise<WindowRead> {
    const application = this.desktop.findApplication(window.pid);
    const own = application?.windows.find(({ id }) => id === window.id);
    const manner = own === undefined ? "vanishes" : (application?.manner ?? "vanishes");
    const read = { window, appKey: applicationKeyOf(window) };
    if (manner === "hangs") await new Promise((resolve) => setTimeout(resolve, request.timeoutMs));
    if (own === undefined || manner !== "answers") {
      return { ...read, root: undefined, notes: [describeManner(manner, request.timeoutMs)] };
    }
    return { ...read, root: buildElement(own.root, this.contextOf(own, request), own.bounds), notes: [] };
  }

  private contextOf(window: FakeWindow, request: ReadRequest): BuildContext {
    return {
      visible: intersect(window.bounds, this.desktop.screen) ?? this.desktop.screen,
      includeHidden: request.includeHidden,
      nameRuntime: (control) => this.desktop.nameRuntime(control),
    };
  }
}

function giveUnless<Port>(without: readonly Capability[], capability: Capability, port: Port): Port | Lack {
  return without.includes(capability) ? new Lack(capability, "fake") : port;
}

function rootOf(control: FakeControl): FakeControl {
  return control.parent === undefined ? control : rootOf(control.parent);
}

function describeManner(manner: FakeApplication["manner"], timeoutMs: number): Note {
  switch (manner) {
    case "hangs":
      return { code: "TIMEOUT", text: `the application does not answer (waited ${timeoutMs} ms)` };
    case "treeless":
      return { code: "NO_TREE", text: "this application offers no accessibility tree" };
    default:
      return { code: "GONE", text: "the application ended while it was being read" };
  }
}

function failMissing<T>(code: "NOT_FOUND" | "UNAVAILABLE", message: string): Result<T> {
  return fail({ code, message, suggestion: "deskmap list shows every window.", done: nothingDone });
}

function failClosed<T>(): Result<T> {
  return fail({
    code: "UNAVAILABLE",
    message: "the display went away: the connection was closed",
    suggestion: "open the desktop again.",
    done: nothingDone,
  });
}
