import type { State } from "../../../model/state.ts";

/** AT-SPI role names by number, in the order of AtspiRole. */
export const roleNames: readonly string[] = (
  "invalid,accelerator label,alert,animation,arrow,calendar,canvas,check box,check menu item,color chooser,column header," +
  "combo box,date editor,desktop icon,desktop frame,dial,dialog,directory pane,drawing area,file chooser,filler," +
  "focus traversable,font chooser,frame,glass pane,html container,icon,image,internal frame,label,layered pane,list," +
  "list item,menu,menu bar,menu item,option pane,page tab,page tab list,panel,password text,popup menu,progress bar," +
  "push button,radio button,radio menu item,root pane,row header,scroll bar,scroll pane,separator,slider,spin button," +
  "split pane,status bar,table,table cell,table column header,table row header,tearoff menu item,terminal,text," +
  "toggle button,tool bar,tool tip,tree,tree table,unknown,viewport,window,extended,header,footer,paragraph,ruler," +
  "application,autocomplete,editbar,embedded,entry,chart,caption,document frame,heading,page,section,redundant object," +
  "form,link,input method window,table row,tree item,document spreadsheet,document presentation,document text," +
  "document web,document email,comment,list box,grouping,image map,notification,info bar,level bar,title bar," +
  "block quote,audio,video,definition,article,landmark,log,marquee,math,rating,timer,static,math fraction,math root," +
  "subscript,superscript,description list,description term,description value,footnote,content deletion," +
  "content insertion,mark,suggestion,push button menu,switch"
).split(",");

/** AT-SPI state numbers, in the order of AtspiStateType. */
const stateBit = {
  active: 1,
  busy: 3,
  checked: 4,
  collapsed: 5,
  defunct: 6,
  editable: 7,
  enabled: 8,
  expandable: 9,
  expanded: 10,
  focusable: 11,
  focused: 12,
  horizontal: 14,
  modal: 16,
  multiLine: 17,
  multiselectable: 18,
  pressed: 20,
  selectable: 22,
  selected: 23,
  sensitive: 24,
  showing: 25,
  vertical: 29,
  visible: 30,
  managesDescendants: 31,
  indeterminate: 32,
  required: 33,
  invalidEntry: 36,
  isDefault: 39,
  visited: 40,
  checkable: 41,
  hasPopup: 42,
  readOnly: 43,
} as const;

export type StateName = keyof typeof stateBit;
export type StateBits = readonly [low: number, high: number];

export function hasState(bits: StateBits, name: StateName): boolean {
  const bit = stateBit[name];
  return bit < 32 ? ((bits[0] >>> bit) & 1) === 1 : ((bits[1] >>> (bit - 32)) & 1) === 1;
}

export function addState(bits: StateBits, name: StateName): StateBits {
  const bit = stateBit[name];
  return bit < 32 ? [(bits[0] | (1 << bit)) >>> 0, bits[1]] : [bits[0], (bits[1] | (1 << (bit - 32))) >>> 0];
}

/** States with the same meaning in AT-SPI and in Deskmap. Enabled, expanded and shown are derived. */
const sameNames = [
  ...(["focused", "selected", "checked", "pressed", "editable", "required", "busy", "modal", "active"] as const),
  ...(["visited", "focusable", "selectable", "checkable", "horizontal", "vertical"] as const),
];
export const sameStates: readonly (readonly [StateName, State])[] = [
  ...sameNames.map((name) => [name, name] as const),
  ["indeterminate", "mixed"],
  ["readOnly", "readonly"],
  ["invalidEntry", "invalid"],
  ["isDefault", "default"],
  ["multiLine", "multiline"],
  ["multiselectable", "multiselect"],
  ["hasPopup", "haspopup"],
];
