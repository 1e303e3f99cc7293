import { type Bounds, containsPoint, intersect, type Point } from "../../model/bounds.ts";
import { fromLocal, toLocal } from "../../model/coordinates.ts";
import type { SingleElement } from "../../model/element.ts";
import { fail, makeFailure, type Result, succeed } from "../../model/failure.ts";
import type { Picture } from "../../model/frame.ts";
import type { Opener } from "../../model/opener.ts";
import { cleanLines } from "../../model/plain-text.ts";
import { describeSecret } from "../../model/secrets.ts";
import { maskPart } from "../../model/secrets-in-text.ts";
import type { Note, TextRead, WindowRead } from "../../model/snapshot.ts";
import { applicationKeyOf, type Monitor, type Popup, type Window } from "../../model/window.ts";
import type { Glimpse, ReadRequest, TextRequest, Watch } from "../../sources/port.ts";
import type { Platform, PointerState, ScreenSurface, WindowList } from "../port.ts";
import type { FakeControl } from "./control.ts";
import { type BuildContext, buildElement, ownNameOf } from "./tree.ts";
import { describeWindows, type FakeApplication, type FakeWindow } from "./windows.ts";

/** What the platform reads of the desktop in memory. */
interface Reach {
  readonly applications: readonly FakeApplication[];
  readonly screen: Bounds;
  readonly monitors: readonly Monitor[];
  readonly popups: readonly Popup[];
  readonly pointer: Point;
  findApplication(pid: number): FakeApplication | undefined;
  findControl(handle: string): FakeControl | undefined;
  nameRuntime(control: FakeControl): string;
  watch(): Watch;
}

export class FakePlatform implements Platform {
  readonly name = "fake";
  readonly lacks = new Map<never, never>();
  private isOpen = true;

  constructor(private readonly desktop: Reach) {}

  async listWindows(): Promise<Result<WindowList>> {
    if (!this.isOpen) return failClosed();
    const { applications, monitors, screen } = this.desktop;
    return succeed({ windows: describeWindows(applications, monitors), monitors, screen });
  }

  async listSurfaces(): Promise<Result<readonly ScreenSurface[]>> {
    const list = await this.listWindows();
    if (!list.ok) return list;
    const shown = list.value.windows.filter(({ state }) => !state.includes("minimised"));
    return succeed(
      shown.map(({ id, bounds, pid, app, aliases, class: className }) => {
        return { id, bounds, drawn: bounds, windowId: id, pid, names: [app, ...aliases, className], opaque: [bounds] };
      }),
    );
  }

  async covers(windows: readonly Window[]): Promise<Result<ReadonlySet<number>>> {
    if (!this.isOpen) return failClosed();
    const hasTree = ({ pid }: Window): boolean =>
      (this.desktop.findApplication(pid)?.manner ?? "treeless") !== "treeless";
    return succeed(new Set(windows.filter(hasTree).map(({ id }) => id)));
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

  async listPopups(): Promise<Result<readonly Popup[]>> {
    return this.isOpen ? succeed(this.desktop.popups) : failClosed();
  }

  async findPointer(): Promise<Result<PointerState>> {
    return this.isOpen ? succeed({ ...this.desktop.pointer, isHeld: false }) : failClosed();
  }

  /** There are no double clicks here. */
  async findPressPause(): Promise<Result<number>> {
    return this.isOpen ? succeed(0) : failClosed();
  }

  async readText({ element, start, end }: TextRequest): Promise<Result<TextRead>> {
    if (!this.isOpen) return failClosed();
    const control = this.desktop.findControl(element.handle);
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

  async glimpse(element: SingleElement): Promise<Result<Glimpse | undefined>> {
    if (!this.isOpen) return failClosed();
    const control = this.desktop.findControl(element.handle);
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
    return fail(makeFailure("NOT_FOUND", `nothing is called "${what}"`, undefined, { nearest }));
  }

  async isRunning(pid: number): Promise<Result<boolean>> {
    return succeed(this.desktop.findApplication(pid) !== undefined);
  }

  async findEnd(): Promise<Result<undefined>> {
    return succeed(undefined);
  }

  async belongsTo(pid: number, opened: number): Promise<Result<boolean>> {
    return succeed(pid === opened);
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
  return fail(makeFailure(code, message, "deskmap list shows every window."));
}

function failClosed<T>(): Result<T> {
  return fail(
    makeFailure("UNAVAILABLE", "the display went away: the connection was closed", "open the desktop again."),
  );
}

const background = [0x20, 0x20, 0x20] as const;

/** Each window has its own colour, varied by position, so that a shift is noticed. */
function paint(bounds: Bounds, frontToBack: readonly FakeWindow[]): Picture {
  const pixels = new Uint8Array(bounds.width * bounds.height * 4);
  let at = 0;
  for (let y = bounds.y; y < bounds.y + bounds.height; y += 1) {
    for (let x = bounds.x; x < bounds.x + bounds.width; x += 1, at += 4) {
      const window = frontToBack.find((one) => containsPoint(one.bounds, { x, y }));
      pixels.set(window === undefined ? background : colourOf(window, x, y), at);
    }
  }
  return { pixels, bounds };
}

const letterPx = 3;

/** Blue, green, red. */
function colourOf(window: FakeWindow, x: number, y: number): readonly [number, number, number] {
  const isDrawn = window.sketch.drawn?.some((part) => containsPoint(part, { x, y })) === true;
  if (isDrawn && (Math.floor(x / letterPx) + Math.floor(y / letterPx)) % 2 === 0) return [0xff, 0xff, 0xff];
  return [(x - window.bounds.x) & 0xff, (y - window.bounds.y) & 0xff, (window.id * 53) & 0xff];
}
