import { closeSync, fchmodSync, ftruncateSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeStateFolder, openBook, type Places } from "../../guard/places.ts";
import { describeUnwritten } from "../../guard/unwritten.ts";
import { fail, type Result, succeed } from "../../model/failure.ts";

const tokenBytes = 32;

export interface Token {
  readonly token: string;
  readonly file: string;
}

/** What a client must know to be let in: kept for the user alone, so that what is set up once goes on working. */
export function findToken(places: Places, isFresh: boolean): Result<Token> {
  const file = join(places.state, "mcp.token");
  try {
    makeStateFolder(places);
    const descriptor = openBook(file);
    try {
      fchmodSync(descriptor, 0o600);
      const kept = readFileSync(descriptor, "utf8").trim();
      if (!isFresh && /^[\w-]{40,}$/.test(kept)) return succeed({ token: kept, file });
      const token = Buffer.from(crypto.getRandomValues(new Uint8Array(tokenBytes))).toString("base64url");
      ftruncateSync(descriptor, 0);
      writeSync(descriptor, `${token}\n`);
      return succeed({ token, file });
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return fail(describeUnwritten(places.state, error));
  }
}
