import type { Bounds } from "../../../model/bounds.ts";
import type { OpenPopup } from "../../port.ts";

/** For how long a closed one is kept: an input that closed it may be noticed later than its end. */
const keptMs = 2000;

/** When and where the pop-ups of followed processes are open, by the wall clock, as a person's inputs are. */
export class OpenPopups {
  private readonly open = new Map<number, OpenPopup>();
  private closed: readonly OpenPopup[] = [];

  noteOpened(id: number, pid: number): void {
    this.open.set(id, { pid, bounds: undefined, sinceMs: Date.now(), untilMs: Number.POSITIVE_INFINITY });
  }

  notePlace(id: number, bounds: Bounds): void {
    const popup = this.open.get(id);
    if (popup !== undefined) this.open.set(id, { ...popup, bounds });
  }

  noteClosed(id: number): void {
    const popup = this.open.get(id);
    if (popup === undefined) return;
    this.open.delete(id);
    this.closed = [...this.listClosed(), { ...popup, untilMs: Date.now() }];
  }

  /** It was never in sight. */
  drop(id: number): void {
    this.open.delete(id);
  }

  forget(pid: number): void {
    for (const [id, popup] of this.open) if (popup.pid === pid) this.open.delete(id);
    this.closed = this.closed.filter((popup) => popup.pid !== pid);
  }

  list(): readonly OpenPopup[] {
    return [...this.open.values(), ...this.listClosed()];
  }

  private listClosed(): readonly OpenPopup[] {
    const sinceMs = Date.now() - keptMs;
    return this.closed.filter(({ untilMs }) => untilMs > sinceMs);
  }
}
