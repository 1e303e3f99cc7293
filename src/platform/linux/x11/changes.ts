import type { Env } from "../../../model/env.ts";
import { numbersOf, unlessGone, XConnection } from "./connection.ts";
import { ignoreLoss, type XExtension } from "./transport.ts";
import { codeOf, encodeRequest, eventCode, eventMask, selectInput } from "./wire.ts";

const damage = { queryVersion: 0, create: 1, destroy: 2 };
const rawRectangles = 0;

/**
 * Carets blink constantly: 1 px wide in GTK 4 and Chromium, 3 in GTK 3 texts, 8–10 in Qt. Anything wider than a caret
 * may be a letter; it is a caret if it is drawn at the same place again.
 */
const thinCaret = 3;
const caret = { width: 12, height: 40 };
const maxCarets = 1000;

const rootProperties = ["_NET_CLIENT_LIST", "_NET_CLIENT_LIST_STACKING", "_NET_ACTIVE_WINDOW"] as const;
const windowProperties = ["_NET_WM_NAME", "WM_NAME", "_NET_WM_STATE", "WM_STATE"] as const;

export type XSource = "pixels" | "windows" | "menu";

/** Window types of menus; tooltips are not included. */
const menuTypes = [
  "_NET_WM_WINDOW_TYPE_POPUP_MENU",
  "_NET_WM_WINDOW_TYPE_DROPDOWN_MENU",
  "_NET_WM_WINDOW_TYPE_COMBO",
  "_NET_WM_WINDOW_TYPE_MENU",
] as const;

export interface XChanges {
  close(): void;
}

/**
 * Watches the display around some windows: what their programs draw (DAMAGE), their windows and pop-ups, the window
 * list and titles. It uses a separate connection, so that its event masks disturb no one and closing it ends
 * everything.
 */
export async function watchChanges(
  env: Env,
  windows: readonly number[],
  timeoutMs: number,
  onChange: (source: XSource, window?: number) => void,
): Promise<XChanges> {
  const x = await XConnection.connect(env, timeoutMs);
  try {
    await new ChangeWatcher(x, onChange).begin(windows);
  } catch (error) {
    x.close();
    throw error;
  }
  return { close: () => x.close() };
}

class ChangeWatcher {
  private readonly watched = new Set<number>();
  /** The programs' X clients. */
  private readonly programs = new Set<number>();
  private readonly carets = new Carets();
  private extension: XExtension | undefined;
  private listedProperties: ReadonlySet<number> = new Set();
  private menus = { type: 0, types: new Set<number>() };

  constructor(
    private readonly x: XConnection,
    private readonly onChange: (source: XSource, window?: number) => void,
  ) {}

  async begin(windows: readonly number[]): Promise<void> {
    const { x } = this;
    for (const id of windows) this.programs.add(x.clientOf(id));
    const [extension, atoms, types, topLevels] = await Promise.all([
      x.findExtension("DAMAGE"),
      x.internAtoms([...rootProperties, ...windowProperties]),
      x.internAtoms(["_NET_WM_WINDOW_TYPE", ...menuTypes]),
      x.queryChildren(x.root),
      selectEvents(x, x.root, eventMask.substructure | eventMask.property),
    ]);
    this.extension = extension;
    this.listedProperties = new Set(Object.values(atoms));
    this.menus = { type: types._NET_WM_WINDOW_TYPE, types: new Set(menuTypes.map((name) => types[name])) };
    x.listen((message) => this.handleEvent(message));
    if (extension !== undefined) await beginDamage(x, extension);
    const popups = topLevels.filter((id) => this.isOurs(id));
    await Promise.all([...windows, ...popups].map((id) => this.watch(id)));
  }

  private handleEvent(message: Buffer): void {
    const kind = codeOf(message);
    if (this.extension !== undefined && kind === this.extension.firstEvent) {
      if (!this.carets.has(message)) this.onChange("pixels", message.readUInt32LE(4));
      return;
    }
    if (kind === eventCode.property) {
      if (this.listedProperties.has(message.readUInt32LE(8))) this.onChange("windows");
      return;
    }
    const isWindowEvent = kind >= eventCode.destroy && kind <= eventCode.configure;
    if (!isWindowEvent) return;
    const id = message.readUInt32LE(8);
    if (!this.isOurs(id)) return;
    this.onChange("windows");
    if (kind === eventCode.map || kind === eventCode.reparent) this.watch(id).catch(ignoreLoss);
    if (kind === eventCode.map && message[12] === 1) this.reportMenu(id).catch(ignoreLoss);
    if (kind === eventCode.destroy) this.watched.delete(id);
  }

  private async reportMenu(id: number): Promise<void> {
    const types = numbersOf(await this.x.getProperty(id, this.menus.type));
    if (types.some((atom) => this.menus.types.has(atom))) this.onChange("menu");
  }

  private isOurs(id: number): boolean {
    return this.programs.has(this.x.clientOf(id));
  }

  private async watch(id: number): Promise<void> {
    if (this.watched.has(id)) return;
    this.watched.add(id);
    const { x, extension } = this;
    await Promise.all([
      selectEvents(x, id, eventMask.structure | eventMask.property),
      extension !== undefined && watchDrawing(x, extension, id),
    ]);
  }
}

/** Places where something as small as a caret was drawn. */
export class Carets {
  private readonly places = new Set<string>();

  /** Whether the drawing is a caret. */
  has(message: Buffer): boolean {
    const [width, height] = [message.readUInt16LE(20), message.readUInt16LE(22)];
    if (width > caret.width || height > caret.height) return false;
    const place = message.toString("latin1", 4, 8) + message.toString("latin1", 16, 24);
    const isAgain = this.places.has(place);
    if (this.places.size < maxCarets) this.places.add(place);
    return isAgain || width <= thinCaret;
  }
}

export async function beginDamage(x: XConnection, extension: XExtension): Promise<void> {
  await x.request(encodeRequest(extension.opcode, damage.queryVersion, [1, 1]));
}

/** Reports everything drawn in a window, unless that is gone. Returns the damage id. */
export async function watchDrawing(
  x: XConnection,
  { opcode }: XExtension,
  window: number,
  id = x.allotId(),
): Promise<number> {
  await unlessGone(x.send(encodeRequest(opcode, damage.create, [id, window, rawRectangles])));
  return id;
}

export async function endDrawing(x: XConnection, { opcode }: XExtension, id: number): Promise<void> {
  await unlessGone(x.send(encodeRequest(opcode, damage.destroy, [id])));
}

/** The window may be gone, or be input-only. */
export async function selectEvents(x: XConnection, window: number, events: number): Promise<void> {
  await unlessGone(x.send(selectInput(window, events)));
}
