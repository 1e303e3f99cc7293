import type { Bounds } from "../../../model/bounds.ts";
import { beginDamage, endDrawing, selectEvents, watchDrawing } from "../x11/changes.ts";
import { readBounds, type XConnection } from "../x11/connection.ts";
import { ignoreLoss, type XExtension } from "../x11/transport.ts";
import type { XWindow } from "../x11/windows.ts";
import { eventCode, eventMask } from "../x11/wire.ts";
import { OpenPopups } from "./popups.ts";

export interface DrawingEvents {
  /** Something was drawn in a window or pop-up of a followed process. */
  onDrawn(pid: number, area: Bounds): void;
  /** A pop-up of such a process opened, closed or moved. */
  onPopup(pid: number): void;
}

/** Watches what some processes draw, and their pop-ups. */
export class Drawing {
  /** Process ids by X client. */
  private readonly clients = new Map<number, number>();
  private readonly followed = new Set<number>();
  /** Each watched window and its damage id. */
  private readonly watched = new Map<number, { readonly pid: number; readonly damage: number | undefined }>();
  private readonly popups = new Set<number>();
  readonly openPopups = new OpenPopups();

  constructor(
    private readonly extension: XExtension | undefined,
    private readonly events: DrawingEvents,
  ) {}

  async begin(x: XConnection): Promise<void> {
    if (this.extension !== undefined) await beginDamage(x, this.extension);
  }

  async follow(x: XConnection, pid: number, windows: readonly XWindow[]): Promise<void> {
    if (this.followed.has(pid)) return;
    this.followed.add(pid);
    const own = windows.filter((window) => window.pid === pid);
    for (const { id } of own) this.clients.set(x.clientOf(id), pid);
    const topLevels = (await x.queryChildren(x.root)).filter((id) => this.clients.get(x.clientOf(id)) === pid);
    await Promise.all([
      ...[...own.map(({ id }) => id), ...topLevels].map((id) => this.watch(x, id, pid)),
      ...topLevels.map((id) => this.examine(x, id, pid)),
    ]);
  }

  unfollow(x: XConnection, pid: number): void {
    this.followed.delete(pid);
    this.openPopups.forget(pid);
    for (const [client, owner] of this.clients) if (owner === pid) this.clients.delete(client);
    for (const [id, { pid: owner, damage }] of this.watched) {
      if (owner !== pid) continue;
      this.watched.delete(id);
      this.popups.delete(id);
      if (this.extension !== undefined && damage !== undefined) endDrawing(x, this.extension, damage).catch(ignoreLoss);
    }
  }

  /** New windows of followed processes. */
  async addWindows(x: XConnection, windows: readonly XWindow[]): Promise<void> {
    const own = windows.filter(({ pid }) => this.followed.has(pid));
    for (const { id, pid } of own) this.clients.set(x.clientOf(id), pid);
    await Promise.all(own.map(({ id, pid }) => this.watch(x, id, pid)));
  }

  hearDrawn(message: Buffer, windows: readonly XWindow[]): void {
    const id = message.readUInt32LE(4);
    const pid = this.watched.get(id)?.pid;
    if (pid === undefined) return;
    const content = windows.find((window) => window.id === id)?.content;
    // A pop-up is a child of the root window: its position is its screen position.
    const left = content?.x ?? message.readInt16LE(24);
    const top = content?.y ?? message.readInt16LE(26);
    const [width, height] = [message.readUInt16LE(20), message.readUInt16LE(22)];
    this.events.onDrawn(pid, { x: left + message.readInt16LE(16), y: top + message.readInt16LE(18), width, height });
  }

  /** Processes a window event; returns "popup" for a window that is in no list. */
  processWindowEvent(x: XConnection, kind: number, message: Buffer): "popup" | "window" {
    const id = message.readUInt32LE(8);
    const pid = this.clients.get(x.clientOf(id));
    const isUnmanaged =
      (kind === eventCode.map && message[12] === 1) || (kind === eventCode.configure && message[26] === 1);
    if (pid === undefined) return isUnmanaged ? "popup" : "window";
    if (isUnmanaged) this.popups.add(id);
    const isPopup = this.popups.has(id);
    if (isPopup) this.events.onPopup(pid);
    if (isPopup) this.trackPopup(x, kind, message, pid);
    if (kind === eventCode.map) this.watch(x, id, pid).catch(ignoreLoss);
    if (kind === eventCode.destroy) {
      this.watched.delete(id);
      this.popups.delete(id);
    }
    return isPopup ? "popup" : "window";
  }

  private trackPopup(x: XConnection, kind: number, message: Buffer, pid: number): void {
    const id = message.readUInt32LE(8);
    if (kind === eventCode.map) {
      this.openPopups.noteOpened(id, pid);
      this.place(x, id).catch(ignoreLoss);
    }
    if (kind === eventCode.configure) this.openPopups.notePlace(id, readBounds(message, 16));
    if (kind === eventCode.unmap || kind === eventCode.destroy) this.openPopups.noteClosed(id);
  }

  /** One that was open before its process was followed. */
  private async examine(x: XConnection, id: number, pid: number): Promise<void> {
    const attributes = await x.getAttributes(id);
    if (attributes?.isViewable !== true || !attributes.isUnmanaged || !this.followed.has(pid)) return;
    this.popups.add(id);
    this.openPopups.noteOpened(id, pid);
    await this.place(x, id);
  }

  private async place(x: XConnection, id: number): Promise<void> {
    const [attributes, bounds] = await Promise.all([x.getAttributes(id), x.getOuterGeometry(id)]);
    if (attributes?.isInvisible === true) this.openPopups.drop(id);
    else if (bounds !== undefined) this.openPopups.notePlace(id, bounds);
  }

  private async watch(x: XConnection, id: number, pid: number): Promise<void> {
    if (this.watched.has(id)) return;
    this.watched.set(id, { pid, damage: undefined });
    const [damage] = await Promise.all([
      this.extension && watchDrawing(x, this.extension, id),
      // Events that a window list needs are selected too.
      selectEvents(x, id, eventMask.structure | eventMask.property | eventMask.focus),
    ]);
    if (this.watched.has(id)) this.watched.set(id, { pid, damage });
    else if (this.extension !== undefined && damage !== undefined) await endDrawing(x, this.extension, damage);
  }
}

/** The copy is reported together with the move; later damage was drawn. */
const copyMs = 10;
const maxPlaces = 1000;

interface Place {
  readonly position: number;
  readonly size: number;
}

/**
 * A moved window is reported as mostly redrawn: the server copies it and reports damage right after the new position.
 * Its content is unchanged.
 */
export class Moves {
  private readonly places = new Map<number, Place>();
  private movedAtMs = Number.NEGATIVE_INFINITY;
  private readonly copied = new Set<number>();

  processConfigure(message: Buffer, nowMs: number): void {
    const id = message.readUInt32LE(8);
    const now = { position: message.readUInt32LE(16), size: message.readUInt32LE(20) };
    const before = this.places.get(id);
    if (this.places.size >= maxPlaces) this.places.clear();
    this.places.set(id, now);
    const isMove = before !== undefined && before.size === now.size && before.position !== now.position;
    this.movedAtMs = isMove ? nowMs : Number.NEGATIVE_INFINITY;
    this.copied.clear();
  }

  /** Whether reported damage is the copy made by a move; once per window. */
  takeCopy(message: Buffer, nowMs: number): boolean {
    const id = message.readUInt32LE(4);
    if (nowMs - this.movedAtMs > copyMs || this.copied.has(id) || !isOfMost(message)) return false;
    this.copied.add(id);
    return true;
  }
}

/** Only the on-screen part of a window is copied. */
function isOfMost(message: Buffer): boolean {
  const [drawn = 0, whole = 0] = [20, 28].map((at) => message.readUInt16LE(at) * message.readUInt16LE(at + 2));
  return drawn * 2 > whole;
}
