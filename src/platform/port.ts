import type { Bounds, Point, Size } from "../model/bounds.ts";
import type { Button } from "../model/command.ts";
import type { Drawing } from "../model/drawing.ts";
import type { Env } from "../model/env.ts";
import type { Failure, Result } from "../model/failure.ts";
import type { Picture } from "../model/frame.ts";
import type { Combo } from "../model/keys.ts";
import type { Opener } from "../model/opener.ts";
import type { PersonInput } from "../model/person-input.ts";
import type { ProgramEnd } from "../model/program-end.ts";
import type { WindowRead } from "../model/snapshot.ts";
import type { Monitor, Popup, Window, Withheld } from "../model/window.ts";
import type { ElementSource } from "../sources/port.ts";

/** The present windows, front to back. */
export interface WindowList {
  readonly windows: readonly Window[];
  readonly monitors: readonly Monitor[];
  readonly screen: Bounds;
  /** Windows the guard withholds. */
  readonly withheld?: readonly Withheld[];
}

/** A surface on the screen: a window, or one that is in no window list, such as a menu or a lock screen. */
export interface ScreenSurface {
  readonly id: number;
  readonly bounds: Bounds;
  /** The listed window it belongs to. */
  readonly windowId: number | undefined;
  readonly pid: number;
  /** All known names of its application; empty if unknown. */
  readonly names: readonly string[];
  /** Where its application draws: without the frame of a window manager. */
  readonly drawn: Bounds;
  /** Where nothing behind it shows through. */
  readonly opaque: readonly Bounds[];
}

export interface WindowPort {
  listWindows(): Promise<Result<WindowList>>;
  /** All surfaces on the screen, front to back. */
  listSurfaces(): Promise<Result<readonly ScreenSurface[]>>;
  /** The window a click at a point would reach; undefined if that is only the desktop. */
  findWindowAt(point: Point): Promise<Result<Window | undefined>>;
  /** Surfaces that are in no window list, front to back: menus, tooltips, lock screens. */
  listPopups(): Promise<Result<readonly Popup[]>>;
  findPointer(): Promise<Result<PointerState>>;
}

export interface PointerState extends Point {
  /** Whether a button, or a key that changes what a click means, is down. */
  readonly isHeld: boolean;
}

/** What users of pointer and keyboard must know; input itself is in hands.ts. */
export interface InputPort {
  /** How many milliseconds to wait so that a press at a point forms no double click with the last one there. */
  findPressPause(point: Point, button: Button): Promise<Result<number>>;
}

export interface CapturePort {
  /** The visible content of part of the screen; the part must be inside the screen. */
  captureScreen(part: Bounds): Promise<Result<Picture>>;
  /**
   * A window even where it is covered, in its bounds; or only part of it. A part inside a pop-up of the window's
   * application is taken from there. What the platform cannot capture is left out of the picture's bounds.
   */
  captureWindow(window: Window, part?: Bounds): Promise<Result<Picture>>;
}

export interface ProgramPort {
  /**
   * How something would be opened; relative paths start at `folder`. If nothing matches, the failure's `nearest` lists
   * all known names.
   */
  findOpener(what: string, args: readonly string[], folder?: string): Promise<Result<Opener>>;
  isRunning(pid: number): Promise<Result<boolean>>;
  /** How a program that was opened here a short while ago has ended; undefined if it runs. */
  findEnd(pid: number): Promise<Result<ProgramEnd | undefined>>;
  /** Whether a process belongs to a program that was opened here, as a child of its script does. */
  belongsTo(pid: number, opened: number): Promise<Result<boolean>>;
}

/** The ports a platform may lack. The clipboard is in hands.ts: reading it is an action too. */
export type Capability = "windows" | "elements" | "capture" | "input" | "clipboard" | "programs" | "person";

export interface Platform extends WindowPort, ElementSource, CapturePort, InputPort, ProgramPort {
  readonly name: string;
  /** The missing ports, and the failure of whatever needs them. */
  readonly lacks: ReadonlyMap<Capability, Failure>;
  /** Starts in the background what the first read will need. */
  prepareRead(): void;
  close(): void;
}

/** What a mirror has processed: a change of the window list, or of the content of some windows. */
export interface MirrorChange {
  readonly windows: readonly number[];
  readonly isListChanged: boolean;
}

/** Keeps following until it is released. */
export interface Following {
  release(): void;
}

export interface MirrorFigures {
  readonly followedApplications: number;
  readonly events: number;
  /** How often part of an application, or all of it, was read again. */
  readonly partReads: number;
  readonly wholeReads: number;
  /** How often the states and children of everything known were checked. */
  readonly surveys: number;
  /** How many requests were sent to applications. */
  readonly questions: number;
  /** How often everything was read again, by reason. */
  readonly wholeReadReasons: Readonly<Record<string, number>>;
}

/** What a mirror has kept, at one moment. */
export interface Kept {
  /** Undefined if the windows were never listed. */
  readonly list: WindowList | undefined;
  /** The followed windows, by id. Unredacted. */
  readonly reads: ReadonlyMap<number, WindowRead>;
  /** Of which windows something was reported that is not read yet, and since when. */
  readonly unread: ReadonlyMap<number, number>;
  /** The same, of what may have hidden or covered something, or come and gone: a new state or value does not. */
  readonly shifted: ReadonlyMap<number, Shift>;
  /** The same, of what has told a new place: GTK 3 and others also tell one that is the old one. */
  readonly moved: ReadonlyMap<number, Shift>;
  /** When what is kept of each window last became another, and when the list of windows did. */
  readonly changed: ReadonlyMap<number, number>;
  readonly listChangedMs: number;
  /** Where something was drawn that is not read yet. */
  readonly drawn: readonly DrawnArea[];
  /** Menus and lists that have a window of their own, also those that have just closed; read or not. */
  readonly popups: readonly OpenPopup[];
}

export interface OpenPopup {
  readonly pid: number;
  /** On the screen; undefined if it has just opened. */
  readonly bounds: Bounds | undefined;
  readonly sinceMs: number;
  /** Infinite while it is open. */
  readonly untilMs: number;
}

export interface Shift {
  readonly sinceMs: number;
  /** What it may concern, on the screen; undefined for the whole window. */
  readonly areas: readonly Bounds[] | undefined;
}

export interface DrawnArea {
  readonly bounds: Bounds;
  readonly sinceMs: number;
  /** Whether its application reports everything that moves, appears or goes; of others, only what they draw is known. */
  readonly isReported: boolean;
}

/** The known content of followed windows, updated by events. */
export interface Mirror {
  /** For this long, a person types: what changes is read again less often. Reads by clients are as fresh as ever. */
  expectTyping(forMs: number): void;
  /** What is known now, without asking anybody: what was there when a person pressed something. */
  peek(): Kept;
  /** Calls back when a change was processed: later reads include it. Returns a function that ends it. */
  onChange(listener: (change: MirrorChange) => void): () => void;
  /** Keeps the applications of these windows followed even while nobody reads them. */
  follow(windows: readonly Window[], timeoutMs: number): Promise<Result<Following>>;
  figures(): MirrorFigures;
}

/** Escape or the other button; no movement for long; or the screen changed and ended the grab. */
export type LeaveReason = "person" | "rest" | "screen";

export interface Picker {
  /** The pointer is here, and no button is down. */
  onMove(point: Point): void;
  onPress(point: Point): void;
  /** A rectangle is being drawn with the button down; `isDone` when it is released. */
  onDrag(part: Bounds, isDone: boolean): void;
  onLeave(why: LeaveReason): void;
}

/**
 * A surface on top of everything on every monitor, for people only: pointer and keyboard pass through it, and it is in
 * no picture that Deskmap takes.
 */
export interface DrawingSurface {
  /** Replaces everything drawn; resolves when the display has it. */
  draw(drawings: readonly Drawing[]): Promise<void>;
  measure(text: string): Size;
  /** Sends pointer and keyboard to the picker alone until the returned function is called. */
  pick(picker: Picker): Promise<Result<() => void>>;
  /** Calls back when it had to be recreated: other monitors, another compositor, a display that came back. */
  onRenewed(listener: () => void): () => void;
  close(): void;
}

/** A person's own input and view. */
export interface PersonPort {
  openDrawingSurface(): Promise<Result<DrawingSurface>>;
  /** Calls back when a person presses these keys, whatever has the focus. Returns a function that ends it. */
  listenForKeys(combo: Combo, onPressed: () => void): Promise<Result<() => void>>;
  /**
   * Calls back for every button, wheel and key of a person, before or while applications get it; nothing is taken from
   * them, and Deskmap's own input is left out. Only the guard lets anybody listen. Returns a function that ends it.
   */
  listenToPerson(onInput: (input: PersonInput) => void, onLost: (why: string) => void): Promise<Result<() => void>>;
}

/**
 * A platform that caches what it read and follows it: an unchanged window costs nothing to read again and is the same
 * object. Applications that nobody reads for a while are no longer followed.
 */
export interface LivePlatform extends Platform, PersonPort {
  readonly mirror: Mirror;
  /** The same desktop over the same connections, without the cache: for one call, which closes it when it ends. */
  forCall(options: OpenOptions): Platform;
}

export interface OpenOptions {
  readonly env: Env;
  /** Time allowed for the first answer of the display and of the accessibility bus. */
  readonly timeoutMs: number;
  /** Aborted when a person stops everything: input in progress ends at once. */
  readonly signal?: AbortSignal | undefined;
  /** The requesting process, if it is not this one. */
  readonly callerPid?: number | undefined;
}

export interface DiagnoseOptions extends OpenOptions {
  /** Enable what can be enabled while applications run. */
  readonly fix: boolean;
  /** Which windows may be read. */
  isShown(window: Window): boolean;
}
