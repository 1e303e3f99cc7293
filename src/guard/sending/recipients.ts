import { describeUsage, fail, type Result, succeed } from "../../model/failure.ts";
import type { SentKind } from "../../model/sending.ts";
import type { Recipient } from "../audit/ledger.ts";
import type { Records } from "../records.ts";

const surface = "a person at a terminal";

/** Reads "openrouter.ai", "https://openrouter.ai/api/v1" or "localhost:11434" as scheme, host and port. */
export function parseOrigin(given: string): Result<string> {
  const words = given.trim();
  const hasScheme = words.includes("://");
  const guess = hasScheme ? words : `${isLoopbackName(words) ? "http" : "https"}://${words}`;
  const url = /[\s\\]/.test(words) || words === "" ? undefined : URL.parse(guess);
  const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
  if (
    url === undefined ||
    url === null ||
    !isWeb ||
    url.hostname === "" ||
    url.username !== "" ||
    url.password !== ""
  ) {
    return fail(describeUsage(`${JSON.stringify(given)} is no host`, "openrouter.ai, or http://127.0.0.1:11434"));
  }
  return succeed(url.origin);
}

function isLoopbackName(words: string): boolean {
  const url = URL.parse(`http://${words}`);
  return url !== null && isLoopback(url.origin);
}

/** Whether what is sent there stays on this machine. */
export function isLoopback(origin: string): boolean {
  const host = URL.parse(origin)?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

const kindWords: Readonly<Record<SentKind, string>> = {
  text: "the text of windows",
  picture: "pictures of windows",
  sound: "sound from the microphone",
};

/** What a person allows, in words. */
export function describeRecipient({ origin, kinds, apps }: Omit<Recipient, "atMs">): string {
  const what = kinds.map((kind) => kindWords[kind]).join(" and ");
  const whose = apps === undefined ? "of every application that is not local only" : `of ${apps.map(quote).join(", ")}`;
  if (isLoopback(origin)) return `${what}, ${whose}, to ${origin}: a program on this machine; it does not leave it`;
  const isPlain = origin.startsWith("http:");
  const danger = isPlain ? "; it is not encrypted, so everybody on the way can read it" : "";
  return `${what}, ${whose}, to ${origin}: it leaves this machine${danger}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}

/** Logged first: what cannot be logged is not allowed. */
export function allowRecipient(records: Records, recipient: Recipient): Result<Recipient> {
  const written = records.write({ what: "allow", client: surface, words: describeRecipient(recipient) });
  if (!written.ok) return written;
  return records.update((ledger) => {
    const others = ledger.recipients.filter(({ origin }) => origin !== recipient.origin);
    return { ledger: { ...ledger, recipients: [...others, recipient] }, result: recipient };
  });
}

export function listRecipients(records: Records): Result<readonly Recipient[]> {
  return records.update((ledger) => ({ ledger, result: ledger.recipients }));
}

/** Withdraws one, or all if no origin is given, and returns those that were allowed. */
export function withdrawRecipients(records: Records, origin: string | undefined): Result<readonly Recipient[]> {
  const isMeant = (one: Recipient): boolean => origin === undefined || one.origin === origin;
  const withdrawn = records.update((ledger) => ({
    ledger: { ...ledger, recipients: ledger.recipients.filter((one) => !isMeant(one)) },
    result: ledger.recipients.filter(isMeant),
  }));
  if (!withdrawn.ok) return withdrawn;
  const words = `withdrawn: ${withdrawn.value.map((one) => one.origin).join(", ") || "nothing"}`;
  const written = records.write({ what: "allow", client: surface, words });
  return written.ok ? withdrawn : written;
}
