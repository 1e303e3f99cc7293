import type { Command } from "../../model/command.ts";
import { quote } from "../approval/approver.ts";
import type { Request } from "../gate.ts";
import type { Policy } from "../policy/policy.ts";
import { isEntering } from "./keys.ts";
import type { Warning } from "./match.ts";

/**
 * An address takes what it contains to its host, and a page that a model has read may have told it what to write there.
 * How a text can be hidden in an address has no end: so every address that a model opens or types is asked about.
 */
export function findModelDangers(command: Command, request: Request, { recipient }: Policy): readonly Warning[] {
  if (recipient === undefined) return [];
  if (isClosing(command)) return [{ danger: "end-program", because: "a model wants to close it" }];
  const address = findAddress(command, request);
  if (address !== undefined) {
    return [
      { danger: "disclose", because: `a model wrote the address ${quote(address)}, which may carry what it read` },
    ];
  }
  if (!isWriting(command) || !isAddressField(request)) return [];
  return [{ danger: "disclose", because: "what a model writes into an address field goes to a server" }];
}

function isClosing(command: Command): boolean {
  return command.kind === "quit" || (command.kind === "window" && command.operation.name === "close");
}

function isWriting(command: Command): boolean {
  return command.kind === "type" || command.kind === "set-text" || command.kind === "keys";
}

function findAddress(command: Command, { element }: Request): string | undefined {
  if (command.kind === "open") return [command.opener.what, ...command.opener.args].find(isAddress);
  const held = element?.value ?? "";
  if (command.kind === "keys") return isEntering(command.combo) && isAddress(held) ? held : undefined;
  if (!("text" in command)) return undefined;
  // An address may come in pieces.
  return [command.text, `${held}${command.text}`].find(isAddress);
}

const scheme = /\b(?!file:)[a-z][a-z0-9+.-]+:\/\/|\b(mailto|data|javascript|tel|sms|xmpp|magnet):/i;
const bareHost = /(^|[\s"'(<])(www\.[^\s]+|[\p{L}\d-]+(\.[\p{L}\d-]+)+(:\d+)?[/?#][^\s]*)/iu;

export function isAddress(text: string): boolean {
  return scheme.test(text) || bareHost.test(text);
}

/** A field in a toolbar beside a page: what is written there and is no address is searched for. */
function isAddressField({ element, within = () => [], elements = () => [] }: Request): boolean {
  if (element?.role !== "input" && element?.role !== "select") return false;
  const isInToolbar = within().some(({ role }) => role === "toolbar");
  return isInToolbar && elements().some(({ role }) => role === "web");
}
