import type { Role } from "../../../model/role.ts";
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
  /** Whether a cache larger than D-Bus allows costs the application its place on the bus. */
  readonly cacheMayOverflow: boolean;
  /** States that must all be set for an element to be on the screen. */
  readonly shownStates: readonly StateName[];
  /** States of which one must be set for an element to be usable. */
  readonly enabledStates: readonly StateName[];
  /** What places are measured from. */
  readonly extentsFrom: "screen" | "window";
  /** Whether its units are always a whole number of pixels. */
  readonly hasWholeScales: boolean;
  /** Whether each monitor keeps its origin, and what lies on it is scaled from there. */
  readonly scalesEachMonitor: boolean;
  /** Whether places inside a page are in pixels, though all others are in the toolkit's units. */
  readonly pagesInPixels: boolean;
  /** Whether attributes tell anything: ids, placeholders. */
  readonly hasAttributes: boolean;
  /** Whether they tell the placeholders of fields, and nothing else. */
  readonly hasPlaceholders: boolean;
  /** Whether ids are told as a property, by programs that give their controls any. */
  readonly hasAccessibleIds: boolean;
  /** The name of the one action that elements of a role have, where that is certain: it saves a call each. */
  readonly actionOfRole: Readonly<Record<string, string>>;
  /** Names that a toolkit makes up from class names: of any element, and of containers only. */
  readonly placeholderName: RegExp | undefined;
  readonly placeholderContainerName: RegExp | undefined;
  /** What an element is, by the class name that stands in for its name: roles of AT-SPI that its own role hides. */
  readonly roleOfClass: ReadonlyMap<string, Role>;
  /** What a box that takes the focus is, by the class of something in it. */
  readonly roleAround: ReadonlyMap<string, Role>;
  /** Whether a control's name is its label's text twice over. */
  readonly repeatsLabels: boolean;
  /** Whether a tab's words are inside it, and its name is a stand-in. */
  readonly namesTabsByContent: boolean;
  /** Whether a combo box's name is the text that it shows. */
  readonly namesCombosByChoice: boolean;
  /** The name of a combo box is always what it holds. */
  readonly callsCombosByChoice: boolean;
  /** Whether a switch is a toggle button, told only by what it lacks: buttons can show an image. */
  readonly hidesSwitches: boolean;
  /** Whether a link that looks like a button has a button's role. Elsewhere whatever stands in a text has the interface. */
  readonly hidesLinks: boolean;
  /** Whether the entries of lists, tables and trees have a label's role. */
  readonly partsAreLabels: boolean;
  /** Whether a tab list has the name of its chosen tab, and every tab the focus of its list. */
  readonly tabsBorrow: boolean;
  /** Whether the entries of an open menu are measured as if it began where its opener does. */
  readonly measuresMenusFromOpener: boolean;
  /** Whether a root pane and what is in it is measured as if it filled its window, though a menu bar is above it. */
  readonly forgetsMenuBar: boolean;
  /** Whether GetActions gives the names that programs agree on: it saves a call for each action. */
  readonly hasPlainActionNames: boolean;
  /** Whether every label has the same actions of the clipboard, which nobody means. */
  readonly labelsActIdly: boolean;
  /** Whether the icons of an icon view lack SHOWING. */
  readonly hidesIcons: boolean;
  /** Whether the cells of a table offer to expand also where there is nothing to expand. */
  readonly expandsEveryCell: boolean;
  /** Whether what is inside a disabled container looks usable, and what is inside one of no size looks shown. */
  readonly statesStopAtParent: boolean;
  /** Whether the name of what holds a field is made with the field's text. */
  readonly namesHoldValues: boolean;
  /** Whether the pages of a stack that are not in front look as if they were. */
  readonly stacksLookAlike: boolean;
  /** A combo box's list that was closed still says that it shows. */
  readonly listsOutlivePopups: boolean;
  /** Whether pages are held in another process and fetched only after a first question. */
  readonly hasLazyPages: boolean;
  /** Whether windows are empty until somebody has asked for their relations. */
  readonly sleepsUntilAsked: boolean;
  /** What a toolkit adds to names and changes all the time. */
  readonly changingPart: RegExp | undefined;
  /** Whether a frame inside a frame is just a box. */
  readonly hasInnerFrames: boolean;
  /** Whether an entry is taken out of a selection by its place among all entries, not among the selected ones. */
  readonly deselectsByPlace: boolean;
  /** The action that selects an entry, or takes it out of the selection, where containers offer no selection. */
  readonly selectingAction: string | undefined;
  /** What of a text that is set through EditableText arrives: all of it, none, or only characters of 16 bits. */
  readonly takesText: "all" | "short characters" | "none";
  /** Roles whose number, if it is set, does not reach the program, though it may be shown. */
  readonly deafNumbers: readonly string[];
  /** Whether a selection is changed without the page being told of it; the entries' own action tells it. */
  readonly selectsSilently: boolean;
  /** Whether a field that can be read and not written looks disabled. */
  readonly readOnlyLooksDisabled: boolean;
  /** Where what it says is at a point is what a press there would reach; elsewhere it only compares boxes. */
  readonly hitTest: "everywhere" | "in pages" | "nowhere";
  /** Whether it looks only after the first question of all, or answers each with what it found for an earlier one. */
  readonly hitsLate: "never" | "at first" | "always";
  /** Whether a connection over which it was told to do something is not heard again until what it opened is closed. */
  readonly goesDeaf: boolean;
  /** Whether it reports its changes without a price: being told that somebody listens makes others build their cache. */
  readonly reportsCheaply: boolean;
  /** Whether the cells of a table that manages them are named by their addresses, such as B7. */
  readonly cellsAreNamedByAddress: boolean;
}

const standard: Quirks = {
  toolkit: "unknown",
  cache: "whole",
  cacheMayOverflow: false,
  shownStates: ["showing"],
  enabledStates: ["enabled", "sensitive"],
  extentsFrom: "screen",
  hasWholeScales: false,
  scalesEachMonitor: false,
  pagesInPixels: false,
  hasAttributes: true,
  hasPlaceholders: false,
  hasAccessibleIds: false,
  actionOfRole: {},
  placeholderName: undefined,
  placeholderContainerName: undefined,
  roleOfClass: new Map(),
  roleAround: new Map(),
  repeatsLabels: false,
  namesTabsByContent: false,
  namesCombosByChoice: false,
  callsCombosByChoice: false,
  hidesSwitches: false,
  hidesLinks: false,
  hidesIcons: false,
  partsAreLabels: false,
  tabsBorrow: false,
  measuresMenusFromOpener: false,
  forgetsMenuBar: false,
  hasPlainActionNames: false,
  labelsActIdly: false,
  expandsEveryCell: false,
  statesStopAtParent: false,
  namesHoldValues: false,
  stacksLookAlike: false,
  listsOutlivePopups: false,
  hasLazyPages: false,
  sleepsUntilAsked: false,
  changingPart: undefined,
  hasInnerFrames: false,
  deselectsByPlace: false,
  selectingAction: undefined,
  takesText: "all",
  deafNumbers: [],
  selectsSilently: false,
  readOnlyLooksDisabled: false,
  hitTest: "nowhere",
  hitsLate: "never",
  goesDeaf: false,
  reportsCheaply: true,
  cellsAreNamedByAddress: false,
};

const byToolkit: Readonly<Record<string, Partial<Quirks>>> = {
  // GTK 3.24: follows the specification. Cache.GetItems exists only once some client has registered for an event.
  // Its frame has the window manager's frame with it, in units of GDK_SCALE.
  // An icon in an entry, and a combo box with pictures, is named after the file of its icon.
  // DeselectChild answers true for a row of a list and changes nothing: ATK's remove_selection takes a place among the
  // selected, GTK's a place among all. Rows of a tree cannot be taken out of a selection by either.
  // Of two widgets at the same place, one above the other, its hit test gives the first, which is below.
  // An action runs while its message is being handled: a dialog that waits for its end in a loop of its own (gtk_dialog_run)
  // leaves that connection unheard as long, though the program works. Told over a connection of its own, the rest is heard.
  // Its attributes tell placeholders only; it makes no AccessibleId itself, not even of a GtkBuilder's ids.
  gtk: {
    hasAttributes: false,
    hasPlaceholders: true,
    hasAccessibleIds: true,
    goesDeaf: true,
    deselectsByPlace: true,
    cacheMayOverflow: true,
    placeholderName: /^[a-z0-9]+(-[a-z0-9]+)*-symbolic$/,
    namesCombosByChoice: true,
    hidesSwitches: true,
    hidesLinks: true,
    hidesIcons: true,
    expandsEveryCell: true,
    hasWholeScales: true,
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
  // widgets without a name report their class; a button whose label is both its child and its relation is named "4 4", or
  // "_Open Open" with a mnemonic; a notebook's tabs are all named "Tab"; radio buttons and toggle buttons have the roles
  // of check boxes and push buttons; the pages of a stack have no place; the cells of a GtkTreeView or a GtkIconView and
  // the choice of a GtkComboBox are not there at all.
  // Its hit test is the one that its events go by; for the inside of an entry there is no answer.
  GTK: {
    hitTest: "everywhere",
    shownStates: ["visible"],
    enabledStates: ["sensitive", "enabled"],
    extentsFrom: "window",
    hasWholeScales: true,
    cache: "filled by asking",
    hasAttributes: false,
    hasPlaceholders: true,
    actionOfRole: { "push button": "click", "toggle button": "click", "menu item": "click" },
    placeholderName: /^(Gtk|Adw|Gnome|Hdy)[A-Z][A-Za-z]+$/,
    placeholderContainerName: /^([A-Z][a-z]+([A-Z][a-z]+)+|Tab list)$/,
    roleOfClass: new Map<string, Role>([
      ["GtkPopover", "dialog"],
      ["GtkTreePopover", "dialog"],
      ["GtkSwitch", "switch"],
      ["GtkToggleButton", "toggle"],
      ["GtkCalendar", "calendar"],
      ["GtkTreeView", "table"],
      ["GtkIconView", "list"],
      ["GtkStatusbar", "statusbar"],
      ["GtkActionBar", "toolbar"],
      ["GtkVolumeButton", "slider"],
      ["GtkScaleButton", "slider"],
    ]),
    roleAround: new Map<string, Role>([["GtkCellView", "option"]]),
    repeatsLabels: true,
    namesTabsByContent: true,
    statesStopAtParent: true,
    labelsActIdly: true,
    stacksLookAlike: true,
  },
  // Qt 5.15, 6: the cache answers with an older signature and an empty list; a QFrame has the role of a window's frame.
  // Qt 5.15 crashes when Properties.GetAll is asked of any of its objects.
  // Of two widgets at the same place its hit test gives the first, which is below; cells get a new name for each question.
  // No container has the interface Selection, and nothing but entries of lists, trees and tables has states of selection.
  Qt: {
    cache: "none",
    hasInnerFrames: true,
    scalesEachMonitor: true,
    selectingAction: "Toggle",
    listsOutlivePopups: true,
    callsCombosByChoice: true,
  },
  // Java 17's Swing through libatk-wrapper-java 0.40: its windows have no place (−1); what is inside is measured from the
  // accessible parent also where that is not the parent in Swing, as in menus. A text field has sixty actions. Labels know
  // their field, but a field does not know its label. Nothing that Deskmap asks for was seen to crash it.
  // A text that is set loses what is not in Unicode's first 65,536 characters; a number that is set changes nothing.
  "J2SE-access-bridge": {
    takesText: "short characters",
    deafNumbers: ["spin button", "slider", "scroll bar"],
    cacheMayOverflow: true,
    namesCombosByChoice: true,
    partsAreLabels: true,
    tabsBorrow: true,
    measuresMenusFromOpener: true,
    hasPlainActionNames: true,
  },
  // Firefox 128 and later: the cache is complete, but a page of 50,000 nodes takes it 2 s to build and 2 s to hand out, in
  // which the browser stands still; it is empty for a page that nobody has asked about yet.
  // Names are made after the rules of the web, which put a field's text into the name of its label, cell or heading.
  // Version 153: all of EditableText answers true and changes nothing in a page. A number set in a number field, and a choice
  // made through Selection, are shown, but the page gets no event of it; those of sliders, and the action of an entry, do.
  // Its hit test was right for 60 of 60 controls, and knows what lies above a page.
  Gecko: {
    hitTest: "everywhere",
    hitsLate: "at first",
    cache: "costly",
    hasLazyPages: true,
    namesHoldValues: true,
    takesText: "none",
    deafNumbers: ["spin button"],
    selectsSilently: true,
    reportsCheaply: false,
  },
  // Chromium 156: its own controls are in units of the device scale factor, pages in pixels. (Its bug: both ought to be
  // pixels.) The cache holds a page only if it was there before the first client, and to build it lists children,
  // which takes a time that grows with the square of their number: 0.9 s for 6,600, in which the browser stands still.
  // Without --force-renderer-accessibility its windows are empty until somebody asks for their
  // relations, and filled within a second.
  // A tab's name ends with the memory that its page uses now.
  // Fields have no EditableText. Lists of a page are selected in with all their events; tabs and the choices of a combo box
  // refuse, and have an action instead. A field that is read-only lacks both ENABLED and SENSITIVE.
  // Asked what is at a point it compares boxes, and has the page looked at for the next question; of its own controls it
  // knows the boxes only.
  Chromium: {
    hitTest: "in pages",
    hitsLate: "always",
    readOnlyLooksDisabled: true,
    pagesInPixels: true,
    cache: "costly",
    reportsCheaply: false,
    sleepsUntilAsked: true,
    changingPart: / [-–—] [^-–—]+ [-–—] [\d.,\s]+[KMGT]?B$/u,
  },
};

const byApplication: Readonly<Record<string, Partial<Quirks>>> = {
  // LibreOffice 7.4 with GTK 3: it names GTK as its toolkit. Its cache keeps the objects of dialogs that were closed, and
  // asking for their states crashes it. A sheet says that it has 2³¹ − 1 children, and each one asked for is made anew.
  // Its own widgets, in a root pane, are measured without the menu bar of GTK above them; GTK's widgets among them are
  // measured right. Its own menu bar, of no height, repeats that of GTK. It is not told that somebody listens: that would
  // fill the cache.
  soffice: {
    cache: "none",
    reportsCheaply: false,
    hasPlaceholders: false,
    hasAccessibleIds: false,
    actionOfRole: {},
    cellsAreNamedByAddress: true,
    forgetsMenuBar: true,
  },
};

/** The words are the application's own: one that calls itself "constructor" must find nothing. */
export function quirksOf(toolkit: string, application = ""): Quirks {
  const ofToolkit = Object.hasOwn(byToolkit, toolkit) ? byToolkit[toolkit] : {};
  const ofApplication = Object.hasOwn(byApplication, application) ? byApplication[application] : {};
  return { ...standard, toolkit: toolkit || "unknown", ...ofToolkit, ...ofApplication };
}

export function isShown(quirks: Quirks, states: StateBits): boolean {
  return quirks.shownStates.every((name) => hasState(states, name));
}

export function isEnabled(quirks: Quirks, states: StateBits): boolean {
  if (quirks.enabledStates.some((name) => hasState(states, name))) return true;
  return quirks.readOnlyLooksDisabled && hasState(states, "readOnly") && hasState(states, "focusable");
}

/** GTK 4 gives the key that activates any focused widget as if it were that widget's shortcut, or a key that is none. */
export const activationKey = /^<?(space|return|voidsymbol)>?$/i;

/** GTK 3 gives unmapped widgets extents of the smallest integer. */
export function isRealExtents(extents: readonly number[]): boolean {
  const [x = 0, y = 0, width = 0, height = 0] = extents;
  return (
    Math.abs(x) < 100_000 && Math.abs(y) < 100_000 && width >= 0 && height >= 0 && width < 100_000 && height < 100_000
  );
}
