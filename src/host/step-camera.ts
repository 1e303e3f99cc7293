import type { Moment } from "../listen/moment.ts";
import type { ActionObserver, Spot } from "../model/activity.ts";
import { type Bounds, centreOf } from "../model/bounds.ts";
import type { Shot, TakenPicture } from "../model/demo.ts";
import type { Result } from "../model/failure.ts";
import type { PersonInput } from "../model/person-input.ts";
import type { Window } from "../model/window.ts";
import type { Platform } from "../platform/port.ts";
import type { Recorder } from "./recorder.ts";
import { encodeShot, takeShot } from "./step-picture.ts";

/**
 * How long an action waits for its picture, which takes 30 ms, 100 with secrets, more under load. A late one is dropped:
 * it might show the effect already.
 */
const longestWaitMs = 3000;
const readMs = 2000;

/** Takes a picture before each recorded action of a client; costs nothing while nothing is recorded. */
export class ActionCamera implements ActionObserver {
  private shot: Shot | undefined;

  constructor(
    private readonly recorder: Recorder,
    private readonly openPlatform: () => Promise<Result<Platform>>,
    private readonly others: ActionObserver | undefined,
  ) {}

  async captureBefore(where: Spot | undefined) {
    this.shot = undefined;
    const isWanted = where !== undefined && this.wantsPictures();
    const [show, shot] = await Promise.all([
      this.others?.captureBefore(where),
      isWanted ? within(this.take(where), longestWaitMs) : undefined,
    ]);
    this.shot = shot;
    return show ?? (isWanted ? () => undefined : undefined);
  }

  begin(...given: Parameters<ActionObserver["begin"]>): void {
    this.others?.begin(...given);
  }

  end(...given: Parameters<ActionObserver["end"]>): void {
    this.others?.end(...given);
  }

  /** The picture of the last action, once. */
  develop(): TakenPicture | undefined {
    const { shot } = this;
    this.shot = undefined;
    return shot && encodeShot(shot);
  }

  /** A damaged recording is told of when the action is written down. */
  private wantsPictures(): boolean {
    try {
      return this.recorder.wantsPictures;
    } catch {
      return false;
    }
  }

  private async take(where: Spot): Promise<Shot | undefined> {
    const platform = await this.openPlatform();
    if (!platform.ok) return undefined;
    const window = await findWindow(platform.value, where);
    if (window === undefined) return undefined;
    return takeShot(platform.value, window, where, async () => {
      const reads = await platform.value.readWindows({ windows: [window], includeHidden: false, timeoutMs: readMs });
      return reads.ok ? reads.value[0] : undefined;
    });
  }
}

async function findWindow(platform: Platform, where: Spot): Promise<Window | undefined> {
  if (where.windowId === undefined) {
    const found = await platform.findWindowAt(centreOf(where));
    return found.ok ? found.value : undefined;
  }
  const list = await platform.listWindows();
  return list.ok ? list.value.windows.find(({ id }) => id === where.windowId) : undefined;
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([work.catch(() => undefined), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Keys and turns of the wheel that follow each other this fast are one step. */
const sameStepMs = 700;
/** Beside secrets and under load a picture takes seconds. After this its step goes on without it. */
const longestPersonMs = 5000;

/** Takes pictures of what a person does, at the press. One at a time: nothing waits for them. */
export class PersonCamera {
  private isBusy = false;
  private lastMs = 0;

  constructor(private readonly platform: Platform) {}

  take(
    input: PersonInput,
    moment: Promise<Result<Moment>>,
    window: Promise<Result<Window | undefined>> | undefined,
  ): Promise<Shot | undefined> | undefined {
    if (input.kind === "release" || input.kind === "key-release") return undefined;
    const isSame = input.kind !== "press" && input.atMs - this.lastMs < sameStepMs;
    this.lastMs = input.atMs;
    if (isSame || this.isBusy) return undefined;
    this.isBusy = true;
    const place = "point" in input ? { ...input.point, width: 1, height: 1 } : undefined;
    return within(this.takeNow(place, moment, window), longestPersonMs).finally(() => {
      this.isBusy = false;
    });
  }

  private async takeNow(
    place: Bounds | undefined,
    keeping: Promise<Result<Moment>>,
    finding: Promise<Result<Window | undefined>> | undefined,
  ): Promise<Shot | undefined> {
    const [moment, found] = await Promise.all([keeping, finding]);
    if (!moment.ok || found?.ok === false) return undefined;
    const { windows, focusedId, reads } = moment.value;
    const id = found === undefined ? focusedId : found.value?.id;
    const window = windows.find((one) => one.id === id);
    if (window === undefined) return undefined;
    return takeShot(this.platform, window, place ?? window.bounds, async () => reads.get(window.id));
  }
}
