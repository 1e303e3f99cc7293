import type { Role } from "../../../model/role.ts";
import { hasState, type StateBits, type StateName } from "./vocabulary.ts";

/** Quirks that are more than yes or no. */
interface Choices {
  readonly toolkit: string;
  /**
   * What Cache.GetItems returns: the whole tree cheaply; only what was requested before; the whole tree at a cost that
   * only a full read justifies; or nothing.
   */
  readonly cache: "whole" | "filled by asking" | "costly" | "none";
  /** States that must all be set for a visible element. */
  readonly shownStates: readonly StateName[];
  /** States of which one must be set for an enabled element. */
  readonly enabledStates: readonly StateName[];
  /** The origin of positions. */
  readonly extentsFrom: "screen" | "window";
  /** The only action of a role, where that is certain: saves a call each. */
  readonly actionOfRole: Readonly<Record<string, string>>;
  /** Names derived from class names: of any element, and of containers only. */
  readonly placeholderName: RegExp | undefined;
  readonly placeholderContainerName: RegExp | undefined;
  /** Roles by the class name that replaces an element's name, where the AT-SPI role is too general. */
  readonly roleOfClass: ReadonlyMap<string, Role>;
  /** The role of a focusable box by the class of something inside. */
  readonly roleAround: ReadonlyMap<string, Role>;
  /** A part of names that changes constantly. */
  readonly changingPart: RegExp | undefined;
  /** The action that selects or deselects an entry, where containers offer no selection. */
  readonly selectingAction: string | undefined;
  /** The action of combo box choices, where they refuse to be selected; it works in a closed list too. */
  readonly choosingAction: string | undefined;
  /** How much of a text set through EditableText arrives: all, none, or only 16-bit characters. */
  readonly takesText: "all" | "short characters" | "none";
  /** Roles whose number can be set without the program noticing, though it may be displayed. */
  readonly deafNumbers: readonly string[];
  /** Where the hit test returns what a click would reach; elsewhere it only compares boxes. */
  readonly hitTest: "everywhere" | "in pages" | "nowhere";
  /** Whether the first answer, or every answer, is that of an earlier request. */
  readonly hitsLate: "never" | "at first" | "always";
}

const choices: Choices = {
  toolkit: "unknown",
  cache: "whole",
  shownStates: ["showing"],
  enabledStates: ["enabled", "sensitive"],
  extentsFrom: "screen",
  actionOfRole: {},
  placeholderName: undefined,
  placeholderContainerName: undefined,
  roleOfClass: new Map(),
  roleAround: new Map(),
  changingPart: undefined,
  selectingAction: undefined,
  choosingAction: undefined,
  takesText: "all",
  deafNumbers: [],
  hitTest: "nowhere",
  hitsLate: "never",
};

/** All others, as in a toolkit that follows the specification. */
const flags = {
  /** Whether a cache larger than D-Bus allows gets the application disconnected from the bus. */
  cacheMayOverflow: false,
  /** Whether its units are always a whole number of pixels. */
  hasWholeScales: false,
  /** Whether each monitor keeps its origin and is scaled from there. */
  scalesEachMonitor: false,
  /** Whether positions inside a page are in pixels, though all others are in toolkit units. */
  pagesInPixels: false,
  /** Whether attributes contain ids and placeholders. */
  hasAttributes: true,
  /** Whether attributes contain field placeholders only. */
  hasPlaceholders: false,
  /** Whether text that stands beside controls is no object, only part of its container's text. */
  hasBareTexts: false,
  /** Whether ids are exposed as a property, for programs that set them. */
  hasAccessibleIds: false,
  /** Whether a control's name is its label's text twice. */
  repeatsLabels: false,
  /** Whether a tab's text is inside it and its name is a placeholder. */
  namesTabsByContent: false,
  /** Whether a combo box's name is its displayed text. */
  namesCombosByChoice: false,
  /** Whether a combo box's name is always its value. */
  callsCombosByChoice: false,
  /** Whether a combo box is an empty hidden one beside the toggle button that opens its list. */
  hidesCombos: false,
  /** Whether a switch is a toggle button, recognisable only because buttons can show an image. */
  hidesSwitches: false,
  /** Whether a link that looks like a button has a button's role. Elsewhere all inside a text has the interface. */
  hidesLinks: false,
  /** Whether entries of lists, tables and trees have a label's role. */
  partsAreLabels: false,
  /** Whether a tab list has the name of its selected tab, and every tab the focus of its list. */
  tabsBorrow: false,
  /** Whether a tab's object stands for its place: when tabs move or close, it is another tab. */
  tabsArePlaces: false,
  /** Whether the entries of an open menu are measured from its opener. */
  measuresMenusFromOpener: false,
  /** Whether a root pane is measured as if it filled its window, although a menu bar is above it. */
  forgetsMenuBar: false,
  /** Whether GetActions returns stable names: saves a call per action. */
  hasPlainActionNames: false,
  /** Whether every label has the same meaningless clipboard actions. */
  labelsActIdly: false,
  /** Whether a box without a size lacks SHOWING, though what is in it may show. */
  hidesEmptyBoxes: false,
  /** Whether the icons of an icon view lack SHOWING. */
  hidesIcons: false,
  /** Whether table cells offer to expand even if there is nothing to expand. */
  expandsEveryCell: false,
  /** Whether descendants of a disabled container look enabled, and those of one without size look visible. */
  statesStopAtParent: false,
  /** Whether the name of a field's container includes the field's text. */
  namesHoldValues: false,
  /** Whether stack pages that are not in front look as if they were. */
  stacksLookAlike: false,
  /** Whether a closed combo box list is still reported as showing. */
  listsOutlivePopups: false,
  /** Whether pages are in another process and fetched only after a first request. */
  hasLazyPages: false,
  /** Whether windows are empty until their relations are requested. */
  sleepsUntilAsked: false,
  /** Whether a frame inside a frame is just a box. */
  hasInnerFrames: false,
  /** Whether deselection uses the index among all entries instead of among the selected ones. */
  deselectsByPlace: false,
  /** Whether changing a selection sends the page no event; the entries' own action does. */
  selectsSilently: false,
  /** Whether the action of a toggle changes its state alone, and the program hears of no press. */
  togglesUnheard: false,
  /** Whether a button's action is carried out a quarter of a second later, and only one that is on reports "pressed". */
  pressesLate: false,
  /** Whether a label contains its text once more, as an object. */
  labelsHoldTexts: false,
  /** Whether a read-only field looks disabled. */
  readOnlyLooksDisabled: false,
  /** Whether a connection that triggered an action is not served until the dialog it opened is closed. */
  goesDeaf: false,
  /** Whether listening to events is cheap: others build their cache when a listener is announced. */
  reportsCheaply: true,
  /** Whether VISIBLE is missing only of what is switched off; what is in another tab or out of view has it. */
  tellsSwitchedOff: false,
  /** Whether cells of a managing table are named by their addresses, such as B7. */
  cellsAreNamedByAddress: false,
};

/**
 * Toolkit quirks: every known departure from the AT-SPI specification, with its toolkit and reason. The code that reads
 * trees consults only this table.
 */
export type Quirks = Choices & Readonly<typeof flags>;

const standard: Quirks = { ...choices, ...flags };

const clickedRoles =
  "push button, toggle button, check box, radio button, menu, menu item, check menu item, radio menu item".split(", ");

const byToolkit: Readonly<Record<string, Partial<Quirks>>> = {
  // GTK 3.24 follows the specification. Cache.GetItems exists only once a client has registered for an event. Its frame
  // includes the window manager's frame, in units of GDK_SCALE. An icon in an entry, and a combo box with images, is
  // named after the icon's file. DeselectChild returns true for a list row and changes nothing: ATK's remove_selection
  // takes an index among the selected, GTK's one among all. Tree rows cannot be deselected by either. Of two widgets at
  // the same position its hit test returns the first, which is below. An action runs while its message is handled: a
  // dialog that waits in its own loop (gtk_dialog_run) blocks that connection, though the program works; other
  // connections are served (ActionConnections). Its attributes contain placeholders only; it creates no AccessibleId, not even from
  // GtkBuilder ids.
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
    tellsSwitchedOff: true,
    actionOfRole: Object.fromEntries(clickedRoles.map((role) => [role, "click"])),
  },
  // GTK 4.8: the cache contains only what was requested before (10 of 96 nodes in a fresh gnome-calculator), so the
  // children of all are requested first and the rest comes in one call. Invisible widgets are omitted; only the frame
  // has SHOWING; SENSITIVE is set where ENABLED is meant. Positions are relative to the window; requesting screen
  // positions logs a warning each time. Widgets without a name report their class. A button whose label is both child
  // and relation is named "4 4", or "_Open Open" with a mnemonic. All notebook tabs are named "Tab". Radio and toggle
  // buttons have the roles of check boxes and push buttons. Stack pages have no position. The cells of GtkTreeView and
  // GtkIconView and the choice of a GtkComboBox are missing. Its hit test is the one its events use, but has no answer
  // inside an entry. A button's action shows it pressed for 250 ms and only then calls the program
  // (ACTIVATE_TIMEOUT in gtkbutton.c); that look is no state: only toggle buttons, which have the role of push buttons,
  // report PRESSED.
  GTK: {
    pressesLate: true,
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
  // Qt 5.15, 6: the cache replies with an older signature and an empty list; a QFrame has the role of a frame. Qt 5.15
  // crashes on Properties.GetAll of any object. Of two widgets at the same position its hit test returns the first,
  // which is below; cells get a new path for each request. No container has the Selection interface, and only entries
  // of lists, trees and tables have selection states. The action of a checkable button is QAbstractButton::toggle, after
  // which neither "clicked" nor an action's "triggered" is sent: PCManFM-Qt's view buttons then change no view. The
  // controls of a QQuickWidget (the pages of Plasma's settings) are in a window of their own that is never shown.
  Qt: {
    togglesUnheard: true,
    cache: "none",
    hasInnerFrames: true,
    scalesEachMonitor: true,
    selectingAction: "Toggle",
    listsOutlivePopups: true,
    callsCombosByChoice: true,
    tabsArePlaces: true,
  },
  // Cinnamon 5.6: icons that one presses are panels too, but SENSITIVE. A label's text is a child, without ENABLED.
  clutter: { labelsHoldTexts: true },
  // Java 17's Swing through libatk-wrapper-java 0.40: its windows have no position (−1); content is measured from the
  // accessible parent even if that is not the Swing parent, as in menus. A text field has sixty actions. Labels know
  // their field, but fields not their label. Nothing that Deskmap requests was seen to crash it. A text that is set
  // loses characters outside the basic multilingual plane; setting a number changes nothing.
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
  // Firefox 128 and later: the cache is complete, but for a page of 50,000 nodes it takes 2 s to build and 2 s to send,
  // while the browser is frozen; it is empty for a page nobody has asked about. Names follow the web's rules, which
  // include a field's text in the name of its label, cell or heading. Version 153: all of EditableText returns true and
  // changes nothing in a page. Setting the number of a number field, or a selection through Selection, is displayed,
  // but the page gets no event; sliders and the action of an entry do send one. Its hit test was right for 60 of 60
  // controls and knows what covers a page. SHOWING is what a hit test of the view finds, so a box of size 0, at −1, lacks it.
  Gecko: {
    hidesEmptyBoxes: true,
    hitTest: "everywhere",
    hitsLate: "at first",
    cache: "costly",
    hasLazyPages: true,
    hasBareTexts: true,
    namesHoldValues: true,
    takesText: "none",
    deafNumbers: ["spin button"],
    selectsSilently: true,
    reportsCheaply: false,
  },
  // Chromium 156: its own controls are in units of the device scale factor, pages in pixels. (A bug: both should be
  // pixels.) The cache contains a page only if it existed before the first client; building it lists children in
  // quadratic time: 0.9 s for 6,600, while the browser is frozen. Without --force-renderer-accessibility its windows
  // are empty until their relations are requested, then filled within a second. A tab's name ends with its page's
  // memory use. Fields have no EditableText. Selecting in a page's lists sends all events; tabs and combo box choices
  // refuse and have an action instead. A read-only field lacks both ENABLED and SENSITIVE. Its hit test compares boxes
  // and examines the page for the next request; for its own controls it knows only boxes.
  Chromium: {
    hitTest: "in pages",
    hitsLate: "always",
    readOnlyLooksDisabled: true,
    pagesInPixels: true,
    choosingAction: "select",
    cache: "costly",
    reportsCheaply: false,
    sleepsUntilAsked: true,
    changingPart: / [-–—] [^-–—]+ [-–—] [\d.,\s]+[KMGT]?B$/u,
  },
};

const byApplication: Readonly<Record<string, Partial<Quirks>>> = {
  // LibreOffice 7.4 with GTK 3 reports GTK as its toolkit. Its cache keeps objects of closed dialogs, and requesting
  // their states crashes it. A sheet reports 2³¹ − 1 children and creates each requested one. Its own widgets, in a
  // root pane, are measured without GTK's menu bar above them; GTK widgets among them are right. Its own menu bar,
  // without height, repeats GTK's. No listener is announced to it: that would fill the cache. A drop-down list is a
  // toggle button beside the hidden combo box it replaces; the choice is only drawn on it.
  soffice: {
    cache: "none",
    reportsCheaply: false,
    hasPlaceholders: false,
    hasAccessibleIds: false,
    actionOfRole: {},
    cellsAreNamedByAddress: true,
    forgetsMenuBar: true,
    hidesCombos: true,
  },
};

/** The names come from the application: "constructor" must match nothing. */
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

/** GTK 4 reports the activation key of any focused widget as its shortcut, or an invalid key. */
export const activationKey = /^<?(space|return|voidsymbol)>?$/i;

/** GTK 3 gives unmapped widgets the smallest integer as extents. */
export function isRealExtents(extents: readonly number[]): boolean {
  const [x = 0, y = 0, width = 0, height = 0] = extents;
  return (
    Math.abs(x) < 100_000 && Math.abs(y) < 100_000 && width >= 0 && height >= 0 && width < 100_000 && height < 100_000
  );
}
