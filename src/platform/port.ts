import type { Bounds, Point } from "../model/bounds.ts";
import type { Actor, Button } from "../model/deed.ts";
import type { Drawing } from "../model/drawing.ts";
import type { Element } from "../model/element.ts";
import type { Env } from "../model/env.ts";
import type { Failure, Result } from "../model/failure.ts";
import type { Picture } from "../model/frame.ts";
import type { Combo } from "../model/keys.ts";
import type { Opener } from "../model/opener.ts";
import type { TextRead, WindowRead } from "../model/snapshot.ts";
import type { State } from "../model/state.ts";
import type { Application, Monitor, Popup, Window, Withheld } from "../model/window.ts";

/** The windows on the screen now, front to back. */
export interface WindowList {
  readonly windows: readonly Window[];
  readonly monitors: readonly Monitor[];
  readonly screen: Bounds;
  /** What the guard has left out. */
  readonly withheld?: readonly Withheld[];
}

/** Something that is seen on the screen: a window, or what no window list has, such as a menu or a lock screen. */
export interface ScreenSurface {
  readonly id: number;
  readonly bounds: Bounds;
  /** The window of the list that it is. */
  readonly windowId: number | undefined;
  readonly pid: number;
  /** Every name by which its application may be known; none where nobody knows. */
  readonly names: readonly string[];
  /** Where nothing behind it can be seen through it. */
  readonly opaque: readonly Bounds[];
}

/** What is on the screen. */
export interface WindowPort {
  listWindows(): Promise<Result<WindowList>>;
  /** All that is on the screen, front to back. */
  listSurfaces(): Promise<Result<readonly ScreenSurface[]>>;
  /** The window that a click at a point would reach; undefined where there is none but the desktop itself. */
  findWindowAt(point: Point): Promise<Result<Window | undefined>>;
  /** What is on the screen and in no list of windows, front to back: menus, tips, lock screens. */
  listPopups(): Promise<Result<readonly Popup[]>>;
  findPointer(): Promise<Result<Point>>;
}

/** What those who use pointer and keys must know; what they do with them is in hands.ts. */
export interface InputPort {
  /** How many milliseconds until a press at a point would not make a double press with the last one there. */
  findPressPause(point: Point, button: Button): Promise<Result<number>>;
}

export interface ReadRequest {
  readonly windows: readonly Window[];
  /** Also what is not on the screen: closed menus, other tabs, what is scrolled away. */
  readonly includeHidden: boolean;
  /** Time allowed for each application; what was read by then is returned, and a note says so. */
  readonly timeoutMs: number;
  /** A mirror reads it from the application as if nothing were known; what did not change stays the same objects. */
  readonly isAnew?: boolean | undefined;
  /** To find what a picture must not show: long texts are searched beyond what a read would show of them. */
  readonly isForPicture?: boolean | undefined;
}

export interface TextRequest {
  readonly element: Element;
  /** Characters from `start` up to `end`; to the end where it is undefined, as far as one answer goes. */
  readonly start: number;
  readonly end: number | undefined;
  readonly timeoutMs: number;
}

/** One object as it is at this moment, asked for by its handle: cheap, and without anything inside it. */
export interface Glimpse {
  readonly platformRole: string;
  /** Its own name, as Element.ownName. */
  readonly ownName: string;
  readonly states: ReadonlySet<State>;
  /** Where it is, in the platform's own measure: comparable with another glimpse of it, good for nothing else. */
  readonly place: string;
  /** How many characters it holds, secret ones too; undefined where it holds no text. */
  readonly length: number | undefined;
}

/** A sign that something may have changed, a menu that came up among them: where to look again, not what is true. */
export interface Sign {
  /** "view": a mirror has taken in a change; what is read from then on has it. */
  readonly source: "event" | "pixels" | "windows" | "menu" | "view";
  /** The object that an event came from. */
  readonly handle: string | undefined;
}

/** How an element behaves while nothing is done to its application. */
export type Temper = "calm" | "restless";

/** Attention to some applications: what their accessibility, their pixels and the window list show of change. */
export interface Watch {
  /** The signs since the last call, oldest first. */
  take(): readonly Sign[];
  /** The next sign, or one not yet taken; undefined when none came in time. */
  waitForSign(timeoutMs: number): Promise<Sign | undefined>;
  /**
   * Whether nothing showed any more for `quietMs`; false when it never fell silent in time. "told" counts everything but
   * pixels, which an animation moves for ever.
   */
  waitForStillness(quietMs: number, timeoutMs: number, counted?: "all" | "told"): Promise<boolean>;
  /**
   * Whether an element changes by itself, by its handle; `title:WINDOW` names the title of a window, `texts` the texts that
   * come and go. Undefined where nobody has followed it for long enough.
   */
  findTemper(id: string): Temper | undefined;
  close(): void;
}

/** What is in the windows, as their applications tell it. */
export interface ElementPort {
  listApplications(windows: readonly Window[]): Promise<Result<readonly Application[]>>;
  readWindows(request: ReadRequest): Promise<Result<readonly WindowRead[]>>;
  /** Secret text is refused. */
  readText(request: TextRequest): Promise<Result<TextRead>>;
  /** Undefined when the object is gone. */
  glimpse(element: Actor, timeoutMs: number): Promise<Result<Glimpse | undefined>>;
  /**
   * The handle of what the application itself says is at a point of one of its windows; undefined where it cannot be
   * asked or its word is not to be trusted.
   */
  askWhatIsAt(element: Actor, point: Point, timeoutMs: number): Promise<Result<string | undefined>>;
  /** Begins to pay attention to the applications of these windows: for an action, or for a condition. */
  watch(windows: readonly Window[], timeoutMs: number): Promise<Result<Watch>>;
}

export interface CapturePort {
  /** What is seen in a part of the screen; the part lies within the screen. */
  captureScreen(part: Bounds): Promise<Result<Picture>>;
  /**
   * A window as it is, whatever covers it, in its bounds; or only that part of it. A part that lies in a pop-up of the
   * window's application is taken from there. What the platform cannot see of it is left out of the picture's bounds.
   */
  captureWindow(window: Window, part?: Bounds): Promise<Result<Picture>>;
}

export interface ProgramPort {
  /**
   * How a thing would be opened; a path that does not begin at the root begins at `folder`. Where nothing is called so, the
   * failure's `nearest` are all names that there are.
   */
  findOpener(what: string, args: readonly string[], folder?: string): Promise<Result<Opener>>;
  /** Whether a process still runs. */
  isRunning(pid: number): Promise<Result<boolean>>;
}

/** The parts that a platform may lack. The clipboard is in hands.ts: reading it is an action as well. */
export type Capability = "windows" | "elements" | "capture" | "input" | "clipboard" | "programs" | "person";

export interface Platform extends WindowPort, ElementPort, CapturePort, InputPort, ProgramPort {
  readonly name: string;
  /** The ports that it does not have, and how everything that needs them fails. */
  readonly lacks: ReadonlyMap<Capability, Failure>;
  /** Starts what the first read will need, and does not wait for it. */
  prepareRead(): void;
  close(): void;
}

/** What a mirror has taken in: the list of windows changed, or what is in some windows did. */
export interface MirrorChange {
  readonly windows: readonly number[];
  readonly isListChanged: boolean;
}

/** Attention that lasts until it is released. */
export interface Following {
  release(): void;
}

/** How a mirror keeps up. */
export interface MirrorFigures {
  readonly followedApplications: number;
  /** What applications have told. */
  readonly events: number;
  /** How often a part of an application was read again, and how often all of it was. */
  readonly partReads: number;
  readonly wholeReads: number;
  /** How often all that is known was asked whether it has other states or other children, and looked at only where it had. */
  readonly surveys: number;
  /** How many messages applications were sent for all this. */
  readonly questions: number;
  /** Why all of it was read again, and how often for each reason. */
  readonly wholeReadReasons: Readonly<Record<string, number>>;
}

/** What is known of the windows that somebody looks at, kept by what their applications tell. */
export interface Mirror {
  /** Calls back when a change is taken in: what is read from then on has it. Returns what ends it. */
  onChange(listener: (change: MirrorChange) => void): () => void;
  /** Keeps the applications of these windows followed, also while nobody reads them. */
  follow(windows: readonly Window[], timeoutMs: number): Promise<Result<Following>>;
  figures(): MirrorFigures;
}

/** Escape or the other button; nobody has moved for long; or the screen is another, and took the pointer away. */
export type LeaveReason = "person" | "rest" | "screen";

/** What a person does on a sheet while they pick. */
export interface Picker {
  /** The pointer is here now, and no button is down. */
  onMove(point: Point): void;
  /** A press and release at one point. */
  onPress(point: Point): void;
  /** A rectangle is being drawn with the button down; `isDone` when it is let go. */
  onDrag(part: Bounds, isDone: boolean): void;
  onLeave(why: LeaveReason): void;
}

/**
 * A sheet over everything on every monitor, for people alone: pointer and keyboard go through it to what is under it, it
 * stays on top, and no picture that Deskmap takes has it.
 */
export interface DrawingSurface {
  /** From now on this is drawn and nothing else; returns when the display has it. */
  draw(drawings: readonly Drawing[]): Promise<void>;
  /** How large a text is as a tag. */
  measure(text: string): { readonly width: number; readonly height: number };
  /** Until what it returns is called, pointer and keyboard go to the picker and nowhere else. */
  pick(picker: Picker): Promise<Result<() => void>>;
  /** Calls back when it had to be made anew: other monitors, another compositor, a display that came back. */
  onRenewed(listener: () => void): () => void;
  close(): void;
}

/** What a person sees and does beside the applications. */
export interface PersonPort {
  openDrawingSurface(): Promise<Result<DrawingSurface>>;
  /** Calls back when a person presses these keys, whoever has the keyboard; nobody else gets them. Returns what ends it. */
  listenForKeys(combo: Combo, onPressed: () => void): Promise<Result<() => void>>;
}

/**
 * A platform that remembers what it has read and follows it: a window that did not change since costs nothing to read
 * again, and is the same object. Who has not looked for a while is not followed any more.
 */
export interface LivePlatform extends Platform, PersonPort {
  readonly mirror: Mirror;
  /** The same desktop over the same connections, read anew each time: for one call, which closes it when it ends. */
  forCall(options: OpenOptions): Platform;
}

export interface OpenOptions {
  readonly env: Env;
  /** Time allowed for the first answer of the display and of the accessibility bus. */
  readonly timeoutMs: number;
  /** Aborted when a person has stopped everything: input that is under way ends at once. */
  readonly signal?: AbortSignal | undefined;
  /** The process that asks, where it is another than this one. */
  readonly callerPid?: number | undefined;
}

export interface DiagnoseOptions extends OpenOptions {
  /** Switch on what can be switched on while the applications run. */
  readonly fix: boolean;
  /** Which windows may be looked at. */
  isShown(window: Window): boolean;
}
