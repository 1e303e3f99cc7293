import type { Bounds } from "../../../../model/bounds.ts";
import type { Drawing } from "../../../../model/drawing.ts";
import type { Env } from "../../../../model/env.ts";
import { selectEvents } from "../changes.ts";
import { unlessGone, XConnection } from "../connection.ts";
import { XError, type XExtension, XUnavailable } from "../transport.ts";
import { createWindow, destroyWindow, encodeRequest, eventCode, eventMask, setSelectionOwner } from "../wire.ts";
import { OnTop } from "./on-top.ts";
import { findOwnSurface, surfaceSelection } from "./recognise.ts";
import { writeRecord } from "./record.ts";
import type { Renderer } from "./render.ts";
import { Extensions } from "./render-wire.ts";
import { hasAlphaVisual, SurfaceWindow } from "./surface-window.ts";

/** Why nothing can be drawn over a display. */
export class SurfaceRefused extends Error {
  override readonly name = "SurfaceRefused";
}

const sentByClient = 0x80;
const randr = { queryVersion: 0, selectInput: 4, everyChange: 0x07 };
/** Monitors change one after the other, and a compositor ends before the next one starts. */
const settleMs = 60;
/** How long, and how often, to wait for the server to notice that a surface of this process was closed. */
const [longestLeaveMs, leaveStepMs] = [500, 20];

export interface SurfaceEvents {
  /** Monitors, screen size or compositor changed, and everything was redrawn. */
  onRenewed(): void;
  /** The display is gone, or another process has taken over. */
  onLost(): void;
}

interface Setting {
  readonly screen: Bounds;
  readonly isComposited: boolean;
}

/** A drawing surface on one display connection, until that ends. */
export class SurfaceConnection {
  private surface: SurfaceWindow | undefined;
  private setting: Setting | undefined;
  private drawings: readonly Drawing[] = [];
  private last: Promise<unknown> = Promise.resolve();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly onTop: OnTop;
  private hasEnded = false;
  private haveMonitorsChanged = false;
  /** The window that receives the pointer during a pick. */
  pickWindow: number | undefined;

  private constructor(
    readonly x: XConnection,
    private readonly use: Extensions,
    private readonly renderer: Renderer,
    private readonly parts: {
      readonly anchor: number;
      readonly compositor: number;
      readonly randr: XExtension | undefined;
      forget(): void;
    },
    private readonly events: SurfaceEvents,
  ) {
    const listOwn = (): number[] => [this.surface?.id, this.pickWindow].filter((id) => id !== undefined);
    this.onTop = new OnTop(x, listOwn, () => this.screen);
  }

  static async open(
    env: Env,
    timeoutMs: number,
    renderer: Renderer,
    events: SurfaceEvents,
  ): Promise<SurfaceConnection> {
    const x = await XConnection.connect(env, timeoutMs);
    try {
      const use = await Extensions.find(x);
      if (use === undefined)
        throw new SurfaceRefused("this X server lacks COMPOSITE, RENDER, SHAPE, XFIXES or X-Resource");
      const atoms = await x.internAtoms([surfaceSelection, "_NET_WM_CM_S0"]);
      if (!(await waitUntilFree(x, atoms[surfaceSelection]))) {
        throw new SurfaceRefused("another process already draws over this screen");
      }
      // Before anything is visible, others can recognise it, and every window has its own pixmap.
      const forget = writeRecord(env, Date.now());
      if (forget === undefined) throw new SurfaceRefused("there is no private folder (XDG_RUNTIME_DIR)");
      const anchor = x.allotId();
      const nowhere = { x: -1, y: -1, width: 1, height: 1 };
      await x.sendAll([
        createWindow(anchor, x.root, nowhere, 0),
        setSelectionOwner(anchor, atoms[surfaceSelection]),
        use.redirectAll(x.root),
        use.selectSelection(x.root, atoms._NET_WM_CM_S0),
      ]);
      const parts = { anchor, compositor: atoms._NET_WM_CM_S0, randr: await x.findExtension("RANDR"), forget };
      if ((await findOwnSurface(x)) === undefined) {
        forget();
        throw new SurfaceRefused(
          "the X server does not know this process's id, so the drawings could not be left out of pictures",
        );
      }
      const connection = new SurfaceConnection(x, use, renderer, parts, events);
      await connection.begin();
      return connection;
    } catch (error) {
      x.close();
      throw error;
    }
  }

  get screen(): Bounds {
    return this.setting?.screen ?? { x: 0, y: 0, width: this.x.rootWidth, height: this.x.rootHeight };
  }

  get isComposited(): boolean {
    return this.setting?.isComposited === true;
  }

  draw(drawings: readonly Drawing[]): Promise<void> {
    this.drawings = drawings;
    return this.inTurn(async () => {
      // Of several queued drawings only the last is drawn.
      if (this.drawings === drawings) await this.surface?.draw(drawings);
    });
  }

  /** Removes everything and waits for the server, so that the next open finds nothing. The visible part goes first. */
  async leave(): Promise<void> {
    const { surface } = this;
    if (this.hasEnded) return;
    this.surface = undefined;
    if (surface !== undefined) await unlessGone(this.x.sendAll(surface.destroy()));
    await unlessGone(this.x.send(destroyWindow(this.parts.anchor)));
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.onTop.close();
    this.parts.forget();
    this.x.close();
  }

  private async begin(): Promise<void> {
    const { x } = this;
    x.listen((message) => this.handleEvent(message));
    await selectEvents(x, x.root, eventMask.substructure | eventMask.structure);
    if (this.parts.randr !== undefined) await selectMonitors(x, this.parts.randr);
    await this.renew();
    x.onEnd(() => this.lose());
  }

  private handleEvent(message: Buffer): void {
    const kind = message[0] ?? 0;
    // Events sent by other clients are ignored.
    if (kind >= sentByClient) return;
    const { randr: monitors } = this.parts;
    if (kind === eventCode.selectionClear) this.lose();
    const isMonitors = monitors !== undefined && (kind === monitors.firstEvent || kind === monitors.firstEvent + 1);
    this.haveMonitorsChanged ||= isMonitors;
    if (isMonitors || kind === this.use.fixesEvent || this.isOwnLoss(kind, message)) this.renewSoon();
    if (kind === eventCode.configure && message.readUInt32LE(8) === this.x.root) this.renewSoon();
    this.onTop.handleEvent(kind, message);
  }

  /** Another client destroyed or unmapped the window. */
  private isOwnLoss(kind: number, message: Buffer): boolean {
    const isGoing = kind === eventCode.destroy || kind === eventCode.unmap;
    if (!isGoing || message.readUInt32LE(8) !== this.surface?.id) return false;
    this.setting = undefined;
    return true;
  }

  private renewSoon(): void {
    if (this.timer !== undefined || this.hasEnded) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const areMonitorsNew = this.haveMonitorsChanged;
      this.haveMonitorsChanged = false;
      this.renew().then(
        (isOther) => (isOther || areMonitorsNew ? this.events.onRenewed() : undefined),
        (error: unknown) => {
          if (error instanceof XError) this.renewSoon();
          else if (!(error instanceof XUnavailable)) throw error;
        },
      );
    }, settleMs);
    this.timer.unref();
  }

  private lose(): void {
    if (this.hasEnded) return;
    this.end();
    this.events.onLost();
  }

  /** Replaces the window if it no longer fits, showing the new one first. Returns whether there is one. */
  private renew(): Promise<boolean> {
    return this.inTurn(async () => {
      const { x, renderer, use } = this;
      const setting = await this.readSetting();
      if (isSameSetting(setting, this.setting)) return false;
      const old = this.surface;
      const surface = await SurfaceWindow.open({ x, renderer, shapeOpcode: use.shape, ...setting });
      await surface.draw(this.drawings);
      this.surface = surface;
      this.setting = setting;
      // It may be gone already.
      if (old !== undefined) await unlessGone(x.sendAll(old.destroy()));
      return true;
    });
  }

  private async readSetting(): Promise<Setting> {
    const { x } = this;
    const [root, owner] = await Promise.all([x.getOuterGeometry(x.root), x.getSelectionOwner(this.parts.compositor)]);
    const { width, height } = root ?? { width: x.rootWidth, height: x.rootHeight };
    return { screen: { x: 0, y: 0, width, height }, isComposited: owner !== 0 && hasAlphaVisual(x) };
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.last.then(work, work);
    this.last = next.catch(() => undefined);
    return next;
  }
}

/** Whether the selection is free; waits for a surface of this process that is closing. */
async function waitUntilFree(x: XConnection, selection: number): Promise<boolean> {
  const untilMs = performance.now() + longestLeaveMs;
  for (;;) {
    const owner = await x.getSelectionOwner(selection);
    if (owner === 0) return true;
    if ((await x.findClientPid(owner)) !== process.pid || performance.now() > untilMs) return false;
    await new Promise((resolve) => setTimeout(resolve, leaveStepMs));
  }
}

function isSameSetting(a: Setting, b: Setting | undefined): boolean {
  const isSameSize = a.screen.width === b?.screen.width && a.screen.height === b.screen.height;
  return isSameSize && a.isComposited === b.isComposited;
}

async function selectMonitors(x: XConnection, { opcode }: XExtension): Promise<void> {
  await x.request(encodeRequest(opcode, randr.queryVersion, [1, 5]));
  await x.send(encodeRequest(opcode, randr.selectInput, [x.root, randr.everyChange]));
}
