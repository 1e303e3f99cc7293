import { type Failure, makeFailure } from "../../../model/failure.ts";

/** Where a secret would be filled in, by what the application cannot choose itself. */
export interface FilledPlace {
  /** The origin of the page around the field; undefined if it is in none. */
  readonly origin: string | undefined;
  /** The names of the program that made the window. */
  readonly programs: readonly string[];
}

/** A secret may be bound to a host or a program: BANK_PIN@bank.example, MAIL@thunderbird, DOC@app:soffice.bin. */
export function splitName(key: string): { readonly name: string; readonly bound: string | undefined } {
  const [name = "", bound] = key.split("@");
  return { name, bound };
}

export function fitsPlace(bound: string | undefined, { origin, programs }: FilledPlace): boolean {
  if (bound === undefined) return true;
  const place = bound.toLowerCase();
  const app = place.startsWith("app:") ? place.slice("app:".length) : place;
  if (app !== place || !isHost(place)) return programs.some((program) => program.toLowerCase() === app);
  return fitsHost(place, origin);
}

function isHost(place: string): boolean {
  return place.includes(".") || /^localhost(:\d+)?$/.test(place);
}

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Exactly this host, and a port only if it has one. Anybody on the way can answer for a page without encryption. */
function fitsHost(place: string, origin: string | undefined): boolean {
  const page = origin === undefined ? null : URL.parse(origin);
  // Programs and files name hosts, too: tauri://localhost, file://127.0.0.1.
  const isOfHost = page?.protocol === "https:" || (page?.protocol === "http:" && loopback.test(page.hostname));
  if (page === null || !isOfHost) return false;
  return place === page.host || place === page.hostname;
}

export function describeMisplaced(name: string, { origin, programs }: FilledPlace): Failure {
  const where = origin ?? programs.at(-1) ?? "this window";
  return makeFailure(
    "REFUSED",
    `the secret ${JSON.stringify(name)} is not for ${JSON.stringify(where)}`,
    "a person decides where it may be filled in, where it is kept.",
    { reason: "secret" },
  );
}
