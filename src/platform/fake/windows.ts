import { type Bounds, intersect } from "../../model/bounds.ts";
import { cleanText } from "../../model/plain-text.ts";
import { maskSecrets } from "../../model/secrets-in-text.ts";
import type { Monitor, Window } from "../../model/window.ts";
import { FakeControl } from "./control.ts";
import type { ApplicationSketch, Manner, WindowSketch } from "./sketch.ts";

const maxTitleLength = 300;

/** Ids, each used once. */
export class Numbers {
  private next = 1000;

  take(): number {
    this.next += 1;
    return this.next;
  }
}

export class FakeWindow {
  id: number;
  title: string;
  bounds: Bounds;
  readonly root: FakeControl;

  constructor(
    readonly sketch: WindowSketch,
    numbers: Numbers,
    place: Bounds,
  ) {
    this.id = numbers.take();
    this.title = sketch.title;
    this.bounds = sketch.bounds ?? place;
    const { role = "window", children = [] } = sketch;
    this.root = new FakeControl({ role, name: sketch.title, children });
  }

  retitle(title: string): void {
    this.title = title;
    this.root.rename(title);
  }

  moveTo(x: number, y: number): void {
    this.bounds = { ...this.bounds, x, y };
  }

  listControls(): FakeControl[] {
    return this.root.listAll();
  }
}

export class FakeApplication {
  pid: number;
  manner: Manner;
  readonly name: string;
  readonly windows: FakeWindow[] = [];

  constructor(
    sketch: ApplicationSketch,
    private readonly numbers: Numbers,
  ) {
    this.pid = numbers.take();
    this.name = sketch.name;
    this.manner = sketch.manner ?? "answers";
    for (const window of sketch.windows) this.openWindow(window);
  }

  /** Opens a window in front of the application's others. */
  openWindow(sketch: WindowSketch): FakeWindow {
    const step = 20 * this.windows.length;
    const window = new FakeWindow(sketch, this.numbers, { x: 40 + step, y: 40 + step, width: 640, height: 480 });
    this.windows.unshift(window);
    return window;
  }

  closeWindow(window: FakeWindow): void {
    this.windows.splice(this.windows.indexOf(window), 1);
  }

  /** The same content in a new process: process, window and handles are all new. */
  restart(): void {
    this.pid = this.numbers.take();
    for (const window of this.windows) {
      window.id = this.numbers.take();
      for (const control of window.listControls()) control.handle = "";
    }
  }
}

/** All windows, front to back: applications in order, each with its newest window in front. */
export function describeWindows(applications: readonly FakeApplication[], monitors: readonly Monitor[]): Window[] {
  return applications
    .flatMap((application) => application.windows.map((window) => ({ application, window })))
    .map(({ application, window }, zOrder) => ({
      id: window.id,
      app: application.name,
      aliases: [application.name.toLowerCase()],
      pid: application.pid,
      title: cleanText(maskSecrets(window.title), maxTitleLength),
      class: application.name,
      bounds: window.bounds,
      isFocused: zOrder === 0,
      state: window.sketch.state ?? [],
      monitor: monitors.find((monitor) => intersect(monitor.bounds, window.bounds) !== undefined)?.name ?? "",
      zOrder,
    }));
}
