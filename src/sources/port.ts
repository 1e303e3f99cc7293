import type { Point } from "../model/bounds.ts";
import type { ElementCommand } from "../model/command.ts";
import type { Element, SingleElement } from "../model/element.ts";
import type { Result } from "../model/failure.ts";
import type { Caret, TextRead, WindowRead } from "../model/snapshot.ts";
import type { Source, VisionMode } from "../model/source.ts";
import type { State } from "../model/state.ts";
import type { Window } from "../model/window.ts";

export interface ReadRequest {
  readonly windows: readonly Window[];
  /** Include what is not on the screen: closed menus, other tabs, scrolled-away content. */
  readonly includeHidden: boolean;
  /** Time allowed per application; a partial result has a note. */
  readonly timeoutMs: number;
  /** A mirror reads everything from the application; unchanged parts stay the same objects. */
  readonly isAnew?: boolean | undefined;
  /** To find what a picture must not show: long texts are searched beyond the part a read returns. */
  readonly isForPicture?: boolean | undefined;
  /** Compare with the screen: note where a window draws what its tree does not tell. */
  readonly withUntold?: boolean | undefined;
  /** Auto where it is undefined. A source that reads no pictures ignores it. */
  readonly vision?: VisionMode | undefined;
}

export interface TextRequest {
  readonly element: Element;
  /** Characters from `start` to `end` (exclusive); without `end`, as many as one answer holds. */
  readonly start: number;
  readonly end: number | undefined;
  readonly timeoutMs: number;
}

/** One object, read by its handle: cheap, without its children. */
export interface Glimpse {
  readonly platformRole: string;
  /** As Element.ownName. */
  readonly ownName: string;
  readonly states: ReadonlySet<State>;
  /** Its position in the platform's own units; only comparable with another glimpse of the same object. */
  readonly place: string;
  /** How many characters it contains, even if secret; undefined without text. */
  readonly length: number | undefined;
  /** Where its caret is, and what is selected; undefined without text and in secret fields. */
  readonly caret?: Caret | undefined;
  /** The number of a spin button. */
  readonly number?: NumberGlimpse | undefined;
}

export interface NumberGlimpse {
  readonly value: number;
  /** How it is shown, such as AM; empty if that is not told. */
  readonly words: string;
  /** Undefined if it tells no limits. */
  readonly range: NumberRange | undefined;
}

export interface NumberRange {
  readonly least: number;
  readonly most: number;
}

/** A hint that something may have changed, including an opened menu: where to read again, not what is true. */
export interface Sign {
  /** "view": a mirror has processed a change; later reads include it. */
  readonly source: "event" | "pixels" | "windows" | "menu" | "view";
  readonly handle: string | undefined;
}

/** Whether an element changes while nothing is done to its application. */
export type Temper = "calm" | "restless";

/** Input that followed other input: the late effect of that may come at the same time. */
export interface Crossing {
  /** How long after this input its own effect may begin, beyond the time that a read takes. */
  readonly reactionMs: number;
  /** Whether a title may be late, too: that of a browser follows when a page has been loaded. */
  readonly hasLateTitles: boolean;
  /** Whether what `model/pair.ts` has an id for was last seen to change before this input. */
  wasBefore(id: string): boolean;
}

/** Watches some applications for changes: accessibility events, pixels and the window list. */
export interface Watch {
  /** The signs since the last call, oldest first. */
  take(): readonly Sign[];
  /** The next sign, or one not yet taken; undefined if none comes in time. */
  waitForSign(timeoutMs: number): Promise<Sign | undefined>;
  /**
   * Whether there was no sign for `quietMs`; false if that did not happen in time. "told" ignores pixels, which an
   * animation changes endlessly.
   */
  waitForStillness(quietMs: number, timeoutMs: number, counted?: "all" | "told"): Promise<boolean>;
  /** Whether what `model/pair.ts` has an id for changes by itself; undefined if it was not followed long enough. */
  findTemper(id: string): Temper | undefined;
  /** For input that follows other input and is about to be delivered. Undefined if no effect comes late here. */
  findCrossing(by: "input" | "action"): Crossing | undefined;
  close(): void;
}

/** Perceives the content of windows: by an accessibility tree, a page, or a picture. */
export interface ElementSource {
  /** The ids of those windows whose content it can perceive. */
  covers(windows: readonly Window[]): Promise<Result<ReadonlySet<number>>>;
  /** One read per window, in the order of the request; without a root if it perceives nothing there. */
  readWindows(request: ReadRequest): Promise<Result<readonly WindowRead[]>>;
  /** Secret text is refused. */
  readText(request: TextRequest): Promise<Result<TextRead>>;
  glimpse(element: SingleElement, timeoutMs: number): Promise<Result<Glimpse | undefined>>;
  /**
   * The handle of the application's own object at a point of one of its windows; undefined if it cannot be asked or
   * its answer is unreliable.
   */
  askWhatIsAt(element: SingleElement, point: Point, timeoutMs: number): Promise<Result<string | undefined>>;
  /** Starts watching the applications of these windows, for an action or a condition. */
  watch(windows: readonly Window[], timeoutMs: number): Promise<Result<Watch>>;
}

/** Performs on the elements of one source. Only the guard holds one. */
export interface ElementActor {
  doToElement(command: ElementCommand): Promise<Result<void>>;
}

/** A source beside the platform's own tree, such as the pages of a browser. `addSource` keeps its actor for the guard. */
export interface AddedSource {
  /** What `Element.source` says of its elements. */
  readonly name: Source;
  readonly elements: ElementSource;
  close(): void;
}
