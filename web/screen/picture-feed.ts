import type { ScreenPicture } from "../../src/inspector/screen.ts";
import type { Result } from "../../src/model/failure.ts";

/** A picture with what the page knew of the desk when it asked for it. */
export interface TakenPicture extends ScreenPicture {
  /** The model's version then: what has changed its place since may be elsewhere in the picture. */
  readonly version: number;
  readonly file: Blob;
}

interface FeedMeans {
  take(scale: number): Promise<Result<ScreenPicture>>;
  fetch(picture: number): Blob | undefined;
  version(): number;
  show(picture: TakenPicture): void;
  complain(message: string): void;
  /** Calls back later; tests give their own clock. */
  wait(forMs: number): Promise<void>;
}

/**
 * Covering secrets costs a fifth of a second of processor time for each picture. So there is a picture when something has
 * changed, and while it goes on changing a third of the time at most is spent on them.
 */
const leastPauseMs = 250;
const restPerWork = 2;
const troubleMs = 2000;

/** Takes pictures when they are due, one at a time; none while nobody looks or nothing changes. */
export class PictureFeed {
  private isDue = false;
  private isWorking = false;
  private isShown = false;
  private scale = 0.5;

  constructor(private readonly means: FeedMeans) {}

  /** Something has changed, or somebody asks. */
  request(): void {
    this.isDue = true;
    void this.work();
  }

  /** Whether anybody can see it. */
  setShown(isShown: boolean): void {
    this.isShown = isShown;
    void this.work();
  }

  setScale(scale: number): void {
    if (scale === this.scale) return;
    this.scale = scale;
    this.request();
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
    const version = this.means.version();
    const taken = await this.means.take(this.scale);
    const file = taken.ok ? this.means.fetch(taken.value.picture) : undefined;
    if (taken.ok && file !== undefined) {
      this.means.show({ ...taken.value, version, file });
      return this.means.wait(Math.max(leastPauseMs, taken.value.tookMs * restPerWork));
    }
    this.isDue = true;
    this.means.complain(taken.ok ? "its file did not come" : taken.failure.message);
    await this.means.wait(troubleMs);
  }
}
