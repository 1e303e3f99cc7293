import type { Bounds } from "../../../model/bounds.ts";
import type { WindowRead } from "../../../model/snapshot.ts";
import type { Bus } from "../dbus/bus.ts";
import type { XWindow } from "../x11/windows.ts";
import { LiveApplication, type ReadOptions, type WindowEvent } from "./application.ts";
import type { DisplayView } from "./display-view.ts";
import type { Tally } from "./tally.ts";
import type { KnownApplication, WindowChanges } from "./tree.ts";

/** A followed process and its applications on the accessibility bus. */
export class LiveProcess {
  private readonly applications: readonly LiveApplication[];
  lastReadAtMs = performance.now();
  private beginning: Promise<unknown> | undefined;

  constructor(
    readonly pid: number,
    readonly bus: Bus,
    readonly busNames: readonly string[],
    view: DisplayView,
    tally: Tally,
    onChange: (changes: WindowChanges) => void,
  ) {
    this.applications = busNames.map((name) => new LiveApplication(bus, name, view, tally, onChange));
  }

  async read(wanted: readonly XWindow[], how: ReadOptions): Promise<WindowRead[]> {
    this.lastReadAtMs = performance.now();
    await this.begin(how.timeoutMs);
    const reads = await Promise.all(this.applications.map((one) => one.read(wanted, how)));
    // If two know a window, the first that read something is used.
    return reads.flat().sort((a, b) => Number(a.root !== undefined) - Number(b.root !== undefined));
  }

  private async begin(timeoutMs: number): Promise<void> {
    this.beginning ??= Promise.all(this.applications.map((one) => one.begin(timeoutMs)));
    try {
      await this.beginning;
    } finally {
      this.beginning = undefined;
    }
  }

  peek(): readonly KnownApplication[] {
    return this.applications.map((one) => one.peek());
  }

  noteDrawn(area: Bounds): void {
    for (const one of this.applications) one.noteDrawn(area);
  }

  onWindowsChanged(how: WindowEvent): void {
    for (const one of this.applications) one.onWindowsChanged(how);
  }

  close(): void {
    for (const one of this.applications) one.close();
  }
}
