import type { Size } from "../../../../model/bounds.ts";
import type { Drawing } from "../../../../model/drawing.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../../../model/failure.ts";
import type { DrawingSurface, OpenOptions, Picker } from "../../../port.ts";
import { escapeKeysym } from "../keysyms.ts";
import { ignoreLoss, XUnavailable } from "../transport.ts";
import { Picking } from "./pick.ts";
import { Renderer } from "./render.ts";
import { SurfaceConnection, SurfaceRefused } from "./surface-connection.ts";

/** Retry interval after the display was lost. */
const [firstRetryMs, longestRetryMs] = [250, 1000];
/** A compositor shows erased content a while longer: for this time the surface must stay recognisable. */
const fadeMs = 1500;

/** A surface of this process that is still fading; the next one waits for it. */
let fading: Promise<unknown> = Promise.resolve();

export async function openLinuxDrawingSurface(
  options: Pick<OpenOptions, "env" | "timeoutMs">,
): Promise<Result<DrawingSurface>> {
  await fading;
  let renderer: Renderer;
  try {
    renderer = await Renderer.load();
  } catch (error) {
    return fail(describeUnavailable(`the drawing library cannot be loaded (${String(error)})`));
  }
  const surface = new LinuxDrawingSurface(options, renderer);
  try {
    await surface.begin();
    return succeed(surface);
  } catch (error) {
    if (!(error instanceof SurfaceRefused) && !(error instanceof XUnavailable)) throw error;
    return fail(describeUnavailable(error.message));
  }
}

class LinuxDrawingSurface implements DrawingSurface {
  private connection: SurfaceConnection | undefined;
  private drawings: readonly Drawing[] = [];
  private picking: Picking | undefined;
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;

  constructor(
    private readonly options: Pick<OpenOptions, "env" | "timeoutMs">,
    private readonly renderer: Renderer,
  ) {}

  async begin(): Promise<void> {
    const { env, timeoutMs } = this.options;
    const connection = await SurfaceConnection.open(env, timeoutMs, this.renderer, {
      onRenewed: () => this.reportRenewed(),
      onLost: () => this.lose(),
    });
    if (this.isClosed) return connection.end();
    this.connection = connection;
  }

  async draw(drawings: readonly Drawing[]): Promise<void> {
    if (this.isClosed) return;
    this.drawings = drawings;
    try {
      await this.connection?.draw(drawings);
    } catch (error) {
      // The display or window is gone: drawn when there is a new one.
      ignoreLoss(error);
    }
  }

  measure(text: string): Size {
    return this.renderer.measure(text);
  }

  async pick(picker: Picker): Promise<Result<() => void>> {
    const { connection } = this;
    if (connection === undefined || this.isClosed) return fail(describeUnavailable("the display is gone"));
    if (this.picking !== undefined) return fail(describeUnavailable("a pick is already running"));
    try {
      const { x, screen } = connection;
      const escapes = new Set(await x.findKeycodes(escapeKeysym, "any level"));
      const picking = new Picking({ x, screen, escapes, picker, onEnd: () => this.endPicking(connection) });
      this.picking = picking;
      connection.pickWindow = picking.window;
      if (await picking.begin()) return succeed(() => picking.stop());
    } catch (error) {
      ignoreLoss(error);
      this.picking?.end();
    }
    return fail({
      ...describeUnavailable("another program holds the pointer or the keyboard"),
      suggestion: "close the open menu or list, then try again.",
    });
  }

  onRenewed(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    clearTimeout(this.timer);
    this.picking?.leave("screen");
    this.picking?.end();
    const { connection } = this;
    if (connection !== undefined) fading = Promise.all([fading, fade(connection)]);
  }

  private endPicking(connection: SurfaceConnection): void {
    connection.pickWindow = undefined;
    this.picking = undefined;
  }

  private reportRenewed(): void {
    // A pick must fit the screen: it is restarted.
    this.picking?.leave("screen");
    for (const listener of this.listeners) listener();
  }

  private lose(): void {
    const { picking } = this;
    this.connection = undefined;
    picking?.leave("screen");
    picking?.end();
    if (!this.isClosed) this.reopenLater(firstRetryMs);
  }

  private reopenLater(waitMs: number): void {
    this.timer = setTimeout(async () => {
      try {
        await this.begin();
        await this.draw(this.drawings);
        this.reportRenewed();
      } catch (error) {
        if (!(error instanceof XUnavailable) && !(error instanceof SurfaceRefused)) throw error;
        if (!this.isClosed) this.reopenLater(Math.min(waitMs * 1.5, longestRetryMs));
      }
    }, waitMs);
    this.timer.unref();
  }
}

async function fade(connection: SurfaceConnection): Promise<void> {
  try {
    await connection.draw([]);
    if (connection.isComposited) {
      await new Promise<void>((resolve) => {
        setTimeout(resolve, fadeMs).unref();
        connection.x.onEnd(resolve);
      });
    }
    await connection.leave();
  } catch (error) {
    ignoreLoss(error);
  } finally {
    connection.end();
  }
}

function describeUnavailable(why: string): Failure {
  return makeFailure("UNAVAILABLE", `nothing can be drawn over the screen: ${why}`);
}
