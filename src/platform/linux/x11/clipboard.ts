import type { Selection } from "../../../model/clipboard.ts";
import { type Failure, fail, makeFailure, type Result, succeed } from "../../../model/failure.ts";
import { maskSecrets } from "../../../model/secrets-in-text.ts";
import { convertSelection, createHiddenWindow, EventQueue, readServerTime } from "./client-requests.ts";
import { readUint32s, type XConnection } from "./connection.ts";
import { selectionAtoms } from "./selection-owner.ts";
import { codeOf, deleteProperty, destroyWindow, eventCode, eventMask } from "./wire.ts";

/** Text targets in order of preference, with their encoding. */
const textTargets = [
  { name: "UTF8_STRING", encoding: "utf8" },
  { name: "text/plain;charset=utf-8", encoding: "utf8" },
  { name: "STRING", encoding: "latin1" },
  { name: "TEXT", encoding: "utf8" },
  { name: "text/plain", encoding: "utf8" },
] as const;

/** KeePassXC and others mark secret content with it (introduced by KDE's clipboard). */
const hintTarget = "x-kde-passwordManagerHint";

export const selectionWords: Readonly<Record<Selection, string>> = {
  clipboard: "the clipboard",
  primary: "the primary selection",
};

/** Limit for a hostile owner. */
const maxBytes = 256 << 20;
/** The owner's share of the display's time limit. */
const shareOfTime = 0.8;
const newValue = 0;

/** The text of a selection with secrets masked; "" if it is empty. */
export async function readClipboard(x: XConnection, timeoutMs: number, selection: Selection): Promise<Result<string>> {
  const deadline = performance.now() + timeoutMs * shareOfTime;
  const names = [selectionAtoms[selection], "TARGETS", "INCR", "DESKMAP_SELECTION", hintTarget] as const;
  const atoms = await x.internAtoms([...names, ...textTargets.map(({ name }) => name)]);
  const source = atoms[selectionAtoms[selection]];
  if ((await x.getSelectionOwner(source)) === 0) return succeed("");
  const requestor = await createHiddenWindow(x, eventMask.property);
  const timeMs = await readServerTime(x, timeoutMs);
  const exchange = new Exchange(
    x,
    { requestor, selection: source, property: atoms.DESKMAP_SELECTION, timeMs },
    atoms.INCR,
  );
  try {
    const offered = await exchange.take(atoms.TARGETS, deadline);
    if (offered === "late") return fail(describeSilence(selection));
    const targets = offered === "refused" ? undefined : readUint32s(offered);
    if (targets === undefined || targets.includes(atoms[hintTarget])) {
      const hint = await exchange.take(atoms[hintTarget], deadline);
      const isSecret = hint === "late" || (hint !== "refused" && hint.toString("latin1").startsWith("secret"));
      if (isSecret) return fail(describeSecretSelection(selection));
    }
    // An owner that does not list its targets is asked for text anyway.
    const wanted = textTargets.find(({ name }) => targets === undefined || targets.includes(atoms[name]));
    if (wanted === undefined) {
      const offers = await Promise.all((targets ?? []).slice(0, 20).map((atom) => x.getAtomName(atom)));
      return fail(describeNoText(selection, offers));
    }
    const bytes = await exchange.take(atoms[wanted.name], deadline);
    if (bytes === "late") return fail(describeSilence(selection));
    // Its owner is gone or has nothing: an empty clipboard.
    return succeed(bytes === "refused" ? "" : maskSecrets(bytes.toString(wanted.encoding)));
  } finally {
    exchange.close();
    await x.send(destroyWindow(requestor));
  }
}

/** Sequential conversions of one selection (ICCCM 2.4 and 2.7.2). */
class Exchange {
  private readonly queue: EventQueue;

  constructor(
    private readonly x: XConnection,
    private readonly place: Omit<Parameters<typeof convertSelection>[1], "target">,
    private readonly incr: number,
  ) {
    const { requestor } = place;
    this.queue = new EventQueue(
      x,
      (event) =>
        (codeOf(event) === eventCode.selectionNotify && event.readUInt32LE(8) === requestor) ||
        (codeOf(event) === eventCode.property && event.readUInt32LE(4) === requestor && event[16] === newValue),
    );
  }

  async take(target: number, deadline: number): Promise<Buffer | "refused" | "late"> {
    const { requestor, property } = this.place;
    await this.x.send(deleteProperty(requestor, property));
    await convertSelection(this.x, { ...this.place, target });
    for (;;) {
      const event = await this.queue.next(deadline);
      if (event === undefined) return "late";
      if (codeOf(event) !== eventCode.selectionNotify || event.readUInt32LE(16) !== target) continue;
      if (event.readUInt32LE(20) === 0) return "refused";
      break;
    }
    const first = await this.x.takeProperty(requestor, property);
    if (first === undefined) return "refused";
    return first.type === this.incr ? this.takePieces(deadline) : first.bytes;
  }

  close(): void {
    this.queue.close();
  }

  /** Large content comes in pieces: each is announced after the previous one was taken, and an empty one ends it. */
  private async takePieces(deadline: number): Promise<Buffer | "late"> {
    const { requestor, property } = this.place;
    const pieces: Buffer[] = [];
    let byteCount = 0;
    while (byteCount < maxBytes) {
      const event = await this.queue.next(deadline);
      if (event === undefined) return "late";
      if (codeOf(event) !== eventCode.property || event.readUInt32LE(8) !== property) continue;
      const piece = await this.x.takeProperty(requestor, property);
      // Announced before the first request, and taken with it.
      if (piece === undefined) continue;
      if (piece.bytes.length === 0) break;
      pieces.push(piece.bytes);
      byteCount += piece.bytes.length;
    }
    return Buffer.concat(pieces);
  }
}

export function describeSecretSelection(selection: Selection, known: "declared" | "shown" = "declared"): Failure {
  const words = selectionWords[selection];
  const why =
    known === "declared"
      ? `the owner of ${words} marks it as secret`
      : `${words} contains the text of a secret field of its application`;
  return makeFailure(
    "REFUSED",
    `${why}: it is not read`,
    "a person can paste it where it belongs; deskmap fill-secret fills in what is kept in a secret store.",
    { reason: "secret" },
  );
}

function describeSilence(selection: Selection): Failure {
  return makeFailure(
    "TIMEOUT",
    `the application that holds ${selectionWords[selection]} does not answer`,
    "try again with a longer --timeout-ms.",
  );
}

function describeNoText(selection: Selection, offers: readonly string[]): Failure {
  const kinds = offers.filter((name) => name !== "" && !/^(TARGETS|MULTIPLE|TIMESTAMP|SAVE_TARGETS)$/.test(name));
  return makeFailure(
    "PATTERN_UNSUPPORTED",
    `${selectionWords[selection]} holds no text, but ${kinds.join(", ") || "an unknown format"}`,
    "copy text, or paste it where it belongs.",
  );
}
