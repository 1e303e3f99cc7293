import type { Bounds, Point } from "../model/bounds.ts";
import type { Drawing } from "../model/drawing.ts";
import { type Failure, fail, makeFailure, type Result } from "../model/failure.ts";
import type { DrawingSurface, LivePlatform } from "../platform/port.ts";
import {
  defaultPickMs,
  ElementPicking,
  type Picked,
  type Picking,
  type PickSurface,
  RegionPicking,
} from "./picking.ts";
import type { OverlaySession } from "./session.ts";

export interface PickRequest {
  readonly signal?: AbortSignal | undefined;
  readonly forMs?: number | undefined;
  /** Whether a person started it with the hotkey. */
  readonly isPersons?: boolean | undefined;
}

/** The last pick, without any text of its application: callers read that again. */
export interface KeptPick {
  readonly mark: number;
  readonly windowId: number;
  readonly point: Point;
  readonly atMs: number;
  readonly client: string;
  readonly isPersons: boolean;
}

export interface PickHost {
  open(): Promise<Result<{ readonly platform: LivePlatform; readonly surface: DrawingSurface }>>;
  listMonitors(platform: LivePlatform): Promise<Result<readonly Bounds[]>>;
  redraw(): void;
  onEnd(): void;
}

/** How long the last pick is remembered. */
const keptMs = 5 * 60_000;
/** A client whose pick a person cancelled may not grab the pointer again for this long. */
const respectMs = 30_000;
const checkMs = 250;

export class PickController {
  drawings: readonly Drawing[] = [];
  /** Whether a pick was requested and has not ended. */
  isBusy = false;
  /** Whether pointer and keyboard are grabbed. */
  isPicking = false;
  private picking: { cancel(): void } | undefined;
  private kept: KeptPick | undefined;
  private keeping: Timer | undefined;
  private readonly leftAtMs = new Map<string, number>();

  constructor(private readonly host: PickHost) {}

  /** The last pick this client may see: its own, or one a person started. */
  findLast(client: string): KeptPick | undefined {
    const { kept } = this;
    return kept !== undefined && (kept.isPersons || kept.client === client) ? kept : undefined;
  }

  async pick(session: OverlaySession, request: PickRequest = {}): Promise<Result<Picked>> {
    const { forMs = defaultPickMs, signal } = request;
    const picked = await this.pickBy(session, "pick", request, (surface) => {
      return new ElementPicking(session, surface, { signal, forMs });
    });
    if (picked.ok) this.keep(session, picked.value, request.isPersons === true);
    return picked;
  }

  pickRegion(session: OverlaySession, request: PickRequest = {}): Promise<Result<Bounds>> {
    const { forMs = defaultPickMs, signal } = request;
    return this.pickBy(session, "region", request, (surface) => new RegionPicking(session, surface, { signal, forMs }));
  }

  cancel(): void {
    this.picking?.cancel();
  }

  close(): void {
    this.cancel();
    this.forget();
  }

  private async pickBy<T>(
    session: OverlaySession,
    way: "pick" | "region",
    { forMs = defaultPickMs, isPersons = false }: PickRequest,
    begin: (surface: PickSurface) => Picking<T>,
  ): Promise<Result<T>> {
    if (this.isBusy) {
      const suggestion = "try again when they have picked something or pressed Esc.";
      return fail(makeFailure("UNAVAILABLE", "a person is picking already", suggestion));
    }
    const waitMs = isPersons ? 0 : (this.leftAtMs.get(session.clientName) ?? 0) + respectMs - Date.now();
    if (waitMs > 0) return fail(describeUnwanted(waitMs));
    this.isBusy = true;
    let effect = "FAILED";
    let end: ((effect: string) => void) | undefined;
    try {
      // Input sent by Deskmap meanwhile would be taken for the person's.
      const turn = await session.overlay?.rights.beginPick({ way, untilMs: Date.now() + forMs, isPersons });
      if (turn?.ok === false) return turn;
      end = turn?.value.end;
      const picked = await this.pickNow(session.clientName, begin);
      effect = picked.ok ? "picked" : (picked.failure.reason ?? picked.failure.code);
      return picked;
    } finally {
      this.isBusy = false;
      end?.(effect);
      this.host.onEnd();
    }
  }

  private async pickNow<T>(client: string, begin: (surface: PickSurface) => Picking<T>): Promise<Result<T>> {
    const opened = await this.host.open();
    if (!opened.ok) return opened;
    const { surface, platform } = opened.value;
    const monitors = await this.host.listMonitors(platform);
    if (!monitors.ok) return monitors;
    const picking = begin({
      monitors: monitors.value,
      measure: (text) => surface.measure(text),
      show: (drawings) => this.show(drawings),
    });
    this.picking = picking;
    let release: (() => void) | undefined;
    try {
      const grabbed = await surface.pick(picking);
      this.isPicking = grabbed.ok;
      if (grabbed.ok) release = grabbed.value;
      else picking.end(grabbed);
      const pointer = grabbed.ok ? await platform.findPointer() : undefined;
      if (pointer?.ok === true) picking.onMove(pointer.value);
      return await picking.picked;
    } finally {
      // Whatever happened, release the pointer and allow the next pick.
      if (picking.isLeft) this.leftAtMs.set(client, Date.now());
      picking.cancel();
      this.picking = undefined;
      this.isPicking = false;
      release?.();
      this.show([]);
    }
  }

  private show(drawings: readonly Drawing[]): void {
    this.drawings = drawings;
    this.host.redraw();
  }

  private keep(session: OverlaySession, { located, point, atMs }: Picked, isPersons: boolean): void {
    this.forget();
    const { element, window } = located;
    const client = session.clientName;
    this.kept = { mark: element.mark, windowId: window.id, point, atMs, client, isPersons };
    const rights = session.overlay?.rights;
    // A stop also forgets the last pick.
    this.keeping = setInterval(() => {
      if (Date.now() - atMs > keptMs || rights?.isStopped() === true) this.forget();
    }, checkMs);
    this.keeping.unref();
  }

  private forget(): void {
    clearInterval(this.keeping);
    this.kept = undefined;
  }
}

function describeUnwanted(waitMs: number): Failure {
  return makeFailure(
    "REFUSED",
    "a person has just cancelled this client's pick with Esc",
    `try again in ${Math.ceil(waitMs / 1000)} s, if they want to.`,
    { reason: "denied", retryAfterMs: waitMs },
  );
}
