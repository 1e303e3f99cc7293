import type { ScreenPicture } from "../../src/inspector/screen.ts";
import type { Result } from "../../src/model/failure.ts";

/** A picture, with the version of the desk model when it was requested. */
export interface TakenPicture extends ScreenPicture {
  /** A control that was placed after this version may be elsewhere in the picture. */
  readonly version: number;
  readonly file: Blob;
}

interface FeedDependencies {
  take(scale: number): Promise<Result<ScreenPicture>>;
  fetch(picture: number): Blob | undefined;
  version(): number;
  show(picture: TakenPicture): void;
  complain(message: string): void;
  /** Tests replace the clock. */
  wait(forMs: number): Promise<void>;
}

/**
 * Covering secrets takes 200 ms of processor time for each picture. So a picture is taken only after a change, and while
 * changes continue, at most a third of the time is spent on pictures.
 */
const leastPauseMs = 250;
const restPerWork = 2;
const troubleMs = 2000;

/** Takes pictures one at a time, only after a change and only while they are shown. */
export class PictureFeed {
  private isDue = false;
  private isWorking = false;
  private isShown = false;
  private scale = 0.5;
  private hasTaken = false;

  constructor(private readonly deps: FeedDependencies) {}

  /** Requests a picture, after a change or by hand. */
  request(): void {
    this.isDue = true;
    void this.work();
  }

  /** Whether the pictures can be seen. */
  setShown(isShown: boolean): void {
    this.isShown = isShown;
    void this.work();
  }

  setScale(scale: number): void {
    if (scale === this.scale) return;
    this.scale = scale;
    if (this.hasTaken) this.request();
  }

  private get isWanted(): boolean {
    return this.isDue && this.isShown;
  }

  private async work(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    while (this.isWanted) await this.takeOne();
    this.isWorking = false;
  }

  private async takeOne(): Promise<void> {
    this.isDue = false;
    this.hasTaken = true;
    const version = this.deps.version();
    const taken = await this.deps.take(this.scale);
    const file = taken.ok ? this.deps.fetch(taken.value.picture) : undefined;
    if (taken.ok && file !== undefined) {
      this.deps.show({ ...taken.value, version, file });
      return this.deps.wait(Math.max(leastPauseMs, taken.value.tookMs * restPerWork));
    }
    this.isDue = true;
    this.deps.complain(taken.ok ? "its file did not come" : taken.failure.message);
    await this.deps.wait(troubleMs);
  }
}
