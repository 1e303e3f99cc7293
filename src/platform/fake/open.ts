import { type Bounds, containsPoint, type Point } from "../../model/bounds.ts";
import { flatten } from "../../model/element.ts";
import { type Result, succeed } from "../../model/failure.ts";
import type { PersonInput } from "../../model/person-input.ts";
import type { Monitor, Popup } from "../../model/window.ts";
import type { Watch } from "../../sources/port.ts";
import type { Hands } from "../hands.ts";
import { assembleHands, assemblePlatform, Lack } from "../lack.ts";
import type { Capability, PersonPort, Platform } from "../port.ts";
import type { FakeControl } from "./control.ts";
import { FakeDrawingSurface } from "./drawing-surface.ts";
import { FakeHands } from "./hands.ts";
import { FakePlatform } from "./platform.ts";
import type { ApplicationSketch, DesktopSketch } from "./sketch.ts";
import { buildElement } from "./tree.ts";
import { FakeApplication, type FakeWindow, Numbers } from "./windows.ts";

/** A desktop in memory: tests change it as a user and applications would, and read it through the platform port. */
export class FakeDesktop {
  readonly applications: FakeApplication[] = [];
  readonly screen: Bounds;
  readonly monitors: readonly Monitor[];
  /** Surfaces that are in no window list. */
  popups: readonly Popup[] = [];
  pointer: Point = { x: 0, y: 0 };
  readonly pressed: FakeControl[] = [];
  readonly secrets = new Map<string, string>();
  readonly surfaces: FakeDrawingSurface[] = [];
  private readonly listeners = new Set<(input: PersonInput) => void>();
  private readonly numbers = new Numbers();
  /** Distinguishes this desktop's objects from those of others, as a real session's bus id does. */
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

  /** Ends the application; reads of its windows fail from then on. */
  end(application: FakeApplication): void {
    this.applications.splice(this.applications.indexOf(application), 1);
  }

  /** A platform; without the given ports, if any. */
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

  /** A person's own input; passed to `attend`. */
  get person(): PersonPort {
    return {
      openDrawingSurface: () => this.openDrawingSurface(),
      listenForKeys: async () => succeed(() => undefined),
      listenToPerson: async (onInput) => {
        this.listeners.add(onInput);
        return succeed(() => void this.listeners.delete(onInput));
      },
    };
  }

  /** A person presses something. What that does to the desktop is up to the test. */
  tellInput(input: PersonInput): void {
    for (const listener of this.listeners) listener(input);
  }

  async openDrawingSurface(): Promise<Result<FakeDrawingSurface>> {
    const surface = new FakeDrawingSurface();
    this.surfaces.push(surface);
    return succeed(surface);
  }

  bringToFront(application: FakeApplication, window: FakeWindow): void {
    this.applications.sort((a, b) => Number(b === application) - Number(a === application));
    application.windows.sort((a, b) => Number(b === window) - Number(a === window));
  }

  /** The innermost front control at a point. */
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
      return innermost && this.findControl(innermost.handle);
    }
    return undefined;
  }

  findApplication(pid: number): FakeApplication | undefined {
    return this.applications.find((application) => application.pid === pid);
  }

  findControl(handle: string): FakeControl | undefined {
    return this.applications
      .flatMap((application) => application.windows.flatMap((window) => window.listControls()))
      .find((control) => control.handle === handle);
  }

  /** Everything happens at once here: changes are visible immediately. */
  watch(): Watch {
    return {
      take: () => [],
      // There are never any signs, but waiting yields to others.
      waitForSign: () => new Promise((resolve) => setImmediate(() => resolve(undefined))),
      waitForStillness: async () => true,
      findTemper: () => undefined,
      findCrossing: () => undefined,
      close: () => undefined,
    };
  }

  /** Starts with the run of its application, as a real one starts with its bus name. */
  nameRuntime(control: FakeControl): string {
    if (control.handle === "") {
      const holder = this.applications.find(({ windows }) => windows.some(({ root }) => root === rootOf(control)));
      control.handle = `${this.session}:${holder?.pid ?? 0}/${this.nextRuntime}`;
      this.nextRuntime += 1;
    }
    return control.handle;
  }
}

function giveUnless<Port>(without: readonly Capability[], capability: Capability, port: Port): Port | Lack {
  return without.includes(capability) ? new Lack(capability, "fake") : port;
}

function rootOf(control: FakeControl): FakeControl {
  return control.parent === undefined ? control : rootOf(control.parent);
}
