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
 * Not a cookie: those are sent to every port of this machine, and so to whatever another user has there. What is in the session
 * storage belongs to this address with its port, and ends with the tab.
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

/** Out of the address, where whoever looks at the screen could read it. */
export function takeLink(): void {
  const link = location.hash.slice(1);
  if (link === "") return;
  keep(linkKey, link);
  history.replaceState(null, "", location.pathname);
}

export type Selected =
  | { readonly kind: "control"; readonly mark: number }
  | { readonly kind: "window"; readonly window: number };

/** What all panels show as chosen. */
export const selection = new Store<Selected | undefined>(undefined);

export function selectMark(mark: number): void {
  const { value } = selection;
  if (value?.kind !== "control" || value.mark !== mark) selection.set({ kind: "control", mark });
}

export function selectWindow(window: number): void {
  const { value } = selection;
  if (value?.kind !== "window" || value.window !== window) selection.set({ kind: "window", window });
}

/** The panel that somebody asks for, told anew each time. */
export const wishedPanel = new Store<{ readonly id: string } | undefined>(undefined);

/** A control was pointed at: what is known of it is to be seen. */
export function showElement(): void {
  wishedPanel.set({ id: "element" });
}

/** What is on the screen, as the lines of the live tree tell it. */
export const desk = new DeskModel();
/** Its version: whoever shows something of it looks again when this is another. */
export const deskVersion = new Store(0);
/** Why it may not be up to date. */
export const deskTrouble = new Store<string | undefined>(undefined);
/** Also what is hidden, and what only holds others together. */
export const isWholeTree = new Store(false);

/** What has just changed. */
export const flashes = new Flashes();
/** The lines of the tree that a person has closed. */
export const closedRows = new Store<ReadonlySet<string>>(new Set());

/** What a reader of the screen says; also where it is the same once more. */
export const announcement = new Store({ text: "", turn: 0 });

export function announce(text: string): void {
  announcement.set({ text, turn: announcement.value.turn + 1 });
}

/** Begins to follow; called once, by the shell. */
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
