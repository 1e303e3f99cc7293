import { DeskModel } from "./desk-model.ts";
import { Flashes } from "./flash.ts";
import { Rpc, type Wire, type WireEvents } from "./rpc.ts";
import { Store } from "./store.ts";

const [linkKey, sessionKey] = ["deskmap-link", "deskmap-session"];

function openSocket({ onOpen, onMessage, onClose }: WireEvents): Wire {
  const socket = new WebSocket(`ws://${location.host}/socket`);
  socket.binaryType = "arraybuffer";
  socket.onopen = onOpen;
  socket.onmessage = ({ data }) => onMessage(data);
  socket.onclose = onClose;
  return socket;
}

/**
 * Keeps the keys in session storage, not in a cookie: cookies are sent to every port of this machine, where another user's
 * program may listen. Session storage belongs to this address and port, and ends with the tab.
 */
export const rpc = new Rpc(openSocket, {
  get link() {
    return sessionStorage.getItem(linkKey) ?? undefined;
  },
  set link(value) {
    keep(linkKey, value);
  },
  get session() {
    return sessionStorage.getItem(sessionKey) ?? undefined;
  },
  set session(value) {
    keep(sessionKey, value);
  },
});

function keep(key: string, value: string | undefined): void {
  if (value === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, value);
}

/** Moves the key out of the address bar, where it could be read on the screen. */
export function takeLink(): void {
  const link = location.hash.slice(1);
  if (link === "") return;
  keep(linkKey, link);
  history.replaceState(null, "", location.pathname);
}

export type Selected =
  | { readonly kind: "control"; readonly mark: number }
  | { readonly kind: "window"; readonly window: number };

/** The selection, shared by all panels. */
export const selection = new Store<Selected | undefined>(undefined);

export function selectMark(mark: number): void {
  const { value } = selection;
  if (value?.kind !== "control" || value.mark !== mark) selection.set({ kind: "control", mark });
}

export function selectWindow(window: number): void {
  const { value } = selection;
  if (value?.kind !== "window" || value.window !== window) selection.set({ kind: "window", window });
}

/** The panel to show; a new object for each request, so that a repeated one notifies too. */
export const requestedPanel = new Store<{ readonly id: string } | undefined>(undefined);

export function showElement(): void {
  requestedPanel.set({ id: "element" });
}

/** The screen, updated by the lines of the live tree. */
export const desk = new DeskModel();
/** The version of `desk`, which is mutable: components that show it subscribe to this. */
export const deskVersion = new Store(0);
/** Why `desk` may be out of date. */
export const deskTrouble = new Store<string | undefined>(undefined);
/** Whether the tree includes hidden controls and plain containers. */
export const isWholeTree = new Store(false);

/** Recent changes, which are highlighted. */
export const flashes = new Flashes();
/** The keys of closed rows of the tree. */
export const closedRows = new Store<ReadonlySet<string>>(new Set());

/** Text for screen readers; `turn` changes even if the text repeats. */
export const announcement = new Store({ text: "", turn: 0 });

export function announce(text: string): void {
  announcement.set({ text, turn: announcement.value.turn + 1 });
}

/** Subscribes to the live tree. Called once at startup. */
export function followDesk(): void {
  rpc.on("tree.lines", (lines) => {
    desk.apply(lines);
    flashes.note(desk.version, lines[0]?.kind === "start");
    deskTrouble.set(undefined);
    deskVersion.set(desk.version);
  });
  rpc.on("tree.trouble", ({ message }) => deskTrouble.set(message));
  const follow = (): void => void rpc.call("tree.follow", { isWhole: isWholeTree.value });
  rpc.onOpen(follow);
  isWholeTree.subscribe(follow);
}
