import { type Bounds, containsBounds } from "../../../../model/bounds.ts";
import type { XConnection } from "../connection.ts";
import { ignoreLoss } from "../transport.ts";
import { eventCode, restackWindow } from "../wire.ts";

/** Windows come up in bursts; nothing is raised more often than this. */
const [burstMs, restMs] = [8, 100];
/** A window that comes back on top this often in this time wants to stay there: it is left alone until it closes. */
const [maxRaises, raiseSpanMs] = [3, 2000];

/** Keeps the surface above everything except what must stay above it. */
export class OnTop {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastMs = Number.NEGATIVE_INFINITY;
  private readonly raises = new Map<number, number[]>();
  private readonly yielded = new Set<number>();

  constructor(
    private readonly x: XConnection,
    /** The surface's windows, lowest first. */
    private readonly listOwn: () => readonly number[],
    private readonly findScreen: () => Bounds,
  ) {}

  handleEvent(kind: number, message: Buffer): void {
    if (kind === eventCode.destroy || kind === eventCode.unmap) this.raises.delete(message.readUInt32LE(8));
    const isRestacking = kind === eventCode.map || kind === eventCode.configure || kind === eventCode.circulate;
    if (!isRestacking || message.readUInt32LE(4) !== this.x.root) return;
    if (this.x.clientOf(message.readUInt32LE(8)) === this.x.server.idBase) return;
    this.schedule();
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private schedule(): void {
    if (this.timer !== undefined) return;
    const waitMs = Math.max(burstMs, this.lastMs + restMs - performance.now());
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.lastMs = performance.now();
      this.check().catch(ignoreLoss);
    }, waitMs);
    this.timer.unref();
  }

  private async check(): Promise<void> {
    const { x } = this;
    const [children, own] = [await x.queryChildren(x.root), this.listOwn()];
    const lowest = children.findIndex((id) => own.includes(id));
    if (lowest < 0) return;
    const above = children.slice(lowest).filter((id) => !own.includes(id) && x.clientOf(id) !== 0);
    const over = (await Promise.all(above.map(async (id) => ((await this.coversSurface(id)) ? [id] : [])))).flat();
    for (const id of this.yielded) if (!above.includes(id)) this.yielded.delete(id);
    if (!over.some((id) => this.mayBeRaised(id))) return;
    await x.sendAll(own.map((id) => restackWindow(id, "above")));
  }

  /** A visible window, except an unmanaged one that covers everything: a lock screen, which must not be drawn over. */
  private async coversSurface(id: number): Promise<boolean> {
    const [attributes, place] = await Promise.all([this.x.getAttributes(id), this.x.getOuterGeometry(id)]);
    if (attributes?.isViewable !== true || attributes.isInvisible || place === undefined) return false;
    return !(attributes.isUnmanaged && containsBounds(place, this.findScreen()));
  }

  /** Not every closed window is reported: its id may be reused. */
  private forgetOld(nowMs: number): void {
    for (const [id, times] of this.raises) if (nowMs - (times.at(-1) ?? 0) >= raiseSpanMs) this.raises.delete(id);
  }

  private mayBeRaised(id: number): boolean {
    if (this.yielded.has(id)) return false;
    const nowMs = performance.now();
    this.forgetOld(nowMs);
    const recent = (this.raises.get(id) ?? []).filter((atMs) => nowMs - atMs < raiseSpanMs);
    this.raises.set(id, [...recent, nowMs]);
    if (recent.length < maxRaises) return true;
    this.yielded.add(id);
    this.raises.delete(id);
    return false;
  }
}
