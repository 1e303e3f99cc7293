import { hasState, type StateBits, type StateName } from "./vocabulary.ts";

/**
 * What each toolkit does differently. Every departure from the AT-SPI specification that Deskmap knows of is here, with
 * its toolkit and the reason; the code that reads trees asks this table and nothing else.
 */
export interface Quirks {
  readonly toolkit: string;
  /**
   * What Cache.GetItems gives: the whole tree, cheaply; only what somebody has asked for before; the whole tree at a price
   * that is paid only for a read of everything; or nothing.
   */
  readonly cache: "whole" | "filled by asking" | "costly" | "none";
  /** States that must all be set for an element to be on the screen. */
  readonly shownStates: readonly StateName[];
  /** States of which one must be set for an element to be usable. */
  readonly enabledStates: readonly StateName[];
  /** What places are measured from. */
  readonly extentsFrom: "screen" | "window";
  /** Whether attributes tell anything: ids, placeholders. */
  readonly hasAttributes: boolean;
  /** The name of the one action that elements of a role have, where that is certain: it saves a call each. */
  readonly actionOfRole: Readonly<Record<string, string>>;
  /** Names that a toolkit makes up from class names: of any element, and of containers only. */
  readonly placeholderName: RegExp | undefined;
  readonly placeholderContainerName: RegExp | undefined;
  /** Whether a control's name is its label's text twice over. */
  readonly repeatsLabels: boolean;
  /** Whether the name of what holds a field is made with the field's text. */
  readonly namesHoldValues: boolean;
  /** Whether the pages of a stack that are not in front look as if they were. */
  readonly stacksLookAlike: boolean;
  /** Whether pages are held in another process and fetched only after a first question. */
  readonly hasLazyPages: boolean;
  /** Whether windows are empty until somebody has asked for their relations. */
  readonly sleepsUntilAsked: boolean;
  /** What a toolkit adds to names and changes all the time. */
  readonly changingPart: RegExp | undefined;
  /** Whether a frame inside a frame is just a box. */
  readonly hasInnerFrames: boolean;
  /** Whether the cells of a table that manages them are named by their addresses, such as B7. */
  readonly cellsAreNamedByAddress: boolean;
}

const standard: Quirks = {
  toolkit: "unknown",
  cache: "whole",
  shownStates: ["showing"],
  enabledStates: ["enabled", "sensitive"],
  extentsFrom: "screen",
  hasAttributes: true,
  actionOfRole: {},
  placeholderName: undefined,
  placeholderContainerName: undefined,
  repeatsLabels: false,
  namesHoldValues: false,
  stacksLookAlike: false,
  hasLazyPages: false,
  sleepsUntilAsked: false,
  changingPart: undefined,
  hasInnerFrames: false,
  cellsAreNamedByAddress: false,
};

const byToolkit: Readonly<Record<string, Partial<Quirks>>> = {
  // GTK 3.24: follows the specification. Cache.GetItems exists only once some client has registered for an event.
  gtk: {
    actionOfRole: Object.fromEntries(
      [
        "push button",
        "toggle button",
        "check box",
        "radio button",
        "menu",
        "menu item",
        "check menu item",
        "radio menu item",
      ].map((role) => [role, "click"]),
    ),
  },
  // GTK 4.8: the cache holds only what was asked for before (10 of 96 nodes in a fresh gnome-calculator), so all are asked
  // for their children first, and the rest comes in one call; widgets that are not visible are left out; only the frame
  // has SHOWING; SENSITIVE is set where ENABLED is meant; places are known within the window only, and
  // asking for the screen's makes it write a warning into its log each time;
  // widgets without a name report their class; a button whose label is both its child and its relation is named "4 4".
  GTK: {
    shownStates: ["visible"],
    enabledStates: ["sensitive", "enabled"],
    extentsFrom: "window",
    cache: "filled by asking",
    hasAttributes: false,
    actionOfRole: { "push button": "click", "toggle button": "click", "menu item": "click" },
    placeholderName: /^(Gtk|Adw|Gnome|Hdy)[A-Z][A-Za-z]+$/,
    placeholderContainerName: /^[A-Z][a-z]+([A-Z][a-z]+)+$/,
    repeatsLabels: true,
    stacksLookAlike: true,
  },
  // Qt 5.15, 6: the cache answers with an older signature and an empty list; a QFrame has the role of a window's frame.
  // Qt 5.15 crashes when Properties.GetAll is asked of any of its objects.
  Qt: { cache: "none", hasInnerFrames: true },
  // Firefox 128 and later: the cache is complete, but a page of 50,000 nodes takes it 2 s to build and 2 s to hand out, in
  // which the browser stands still; it is empty for a page that nobody has asked about yet.
  // Names are made after the rules of the web, which put a field's text into the name of its label, cell or heading.
  Gecko: { cache: "costly", hasLazyPages: true, namesHoldValues: true },
  // Chromium 156: the cache holds a page only if it was there before the first client, and to build it lists children,
  // which takes a time that grows with the square of their number: 0.9 s for 6,600, in which the browser stands still.
  // Without --force-renderer-accessibility its windows are empty until somebody asks for their
  // relations, and filled within a second.
  // A tab's name ends with the memory that its page uses now.
  Chromium: {
    cache: "costly",
    sleepsUntilAsked: true,
    changingPart: / [-–—] [^-–—]+ [-–—] [\d.,\s]+[KMGT]?B$/u,
  },
};

const byApplication: Readonly<Record<string, Partial<Quirks>>> = {
  // LibreOffice 7.4 with GTK 3: it names GTK as its toolkit. Its cache keeps the objects of dialogs that were closed, and
  // asking for their states crashes it. A sheet says that it has 2³¹ − 1 children, and each one asked for is made anew.
  soffice: { cache: "none", hasAttributes: false, actionOfRole: {}, cellsAreNamedByAddress: true },
};

export function quirksOf(toolkit: string, application = ""): Quirks {
  return { ...standard, toolkit: toolkit || "unknown", ...byToolkit[toolkit], ...byApplication[application] };
}

export function isShown(quirks: Quirks, states: StateBits): boolean {
  return quirks.shownStates.every((name) => hasState(states, name));
}

export function isEnabled(quirks: Quirks, states: StateBits): boolean {
  return quirks.enabledStates.some((name) => hasState(states, name));
}

/** GTK 4 gives the key that activates any focused widget as if it were that widget's shortcut. */
export const activationKey = /^<?space>?$/i;

/** GTK 3 gives unmapped widgets extents of the smallest integer. */
export function isRealExtents(extents: readonly number[]): boolean {
  const [x = 0, y = 0, width = 0, height = 0] = extents;
  return (
    Math.abs(x) < 100_000 && Math.abs(y) < 100_000 && width >= 0 && height >= 0 && width < 100_000 && height < 100_000
  );
}
