import { describe, expect, test } from "bun:test";
import { isMasked, maskPart, maskSecrets } from "../../src/model/secrets-in-text.ts";
import { fc } from "../property.ts";

const digits = (length: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: length, maxLength: length }).map((list) => list.join(""));
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const random = (least: number, most: number, alphabet = letters) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: least, maxLength: most });

/** An independent computation of the check digit: from the left, with a table. */
function withCheckDigit(body: string): string {
  const doubled = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  const sum = [...body]
    .toReversed()
    .map(Number)
    .reduce((total, digit, at) => total + (at % 2 === 0 ? (doubled[digit] ?? 0) : digit), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const brands = [
  ["4", 16],
  ["4", 13],
  ["4", 19],
  ["51", 16],
  ["55", 16],
  ["2221", 16],
  ["2720", 16],
  ["34", 15],
  ["37", 15],
  ["6011", 16],
  ["65", 19],
  ["36", 14],
  ["3530", 16],
  ["62", 18],
  ["6304", 13],
  ["2200", 16],
] as const;
const plainCard = fc
  .constantFrom(...brands)
  .chain(([prefix, length]) => digits(length - prefix.length - 1).map((rest) => withCheckDigit(`${prefix}${rest}`)));
const separator = fc.constantFrom(" ", "-", "\u00a0", "–", " - ".slice(1));
const card = fc.tuple(plainCard, separator, fc.constantFrom(0, 4)).map(([number, gap, size]) => {
  return size === 0 ? number : (number.match(/.{1,4}/g) ?? []).join(gap);
});

const keys = fc.oneof(
  random(24, 60).map((body) => `sk-proj-9${body}`),
  random(36, 36).map((body) => `ghp_${body}`),
  random(40, 80).map((body) => `github_pat_${body}`),
  random(20, 20).map((body) => `glpat-${body}`),
  random(16, 16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567").map((body) => `AKIA${body}`),
  random(24, 40).map((body) => `xoxb-123456789012-${body}`),
  random(35, 35).map((body) => `AIza${body}`),
  fc.tuple(random(20, 60), random(20, 400), random(43, 43)).map((parts) => `eyJ${parts.join(".")}`),
  random(36, 36).map((body) => `npm_${body}`),
  random(58, 58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L").map((body) => `AGE-SECRET-KEY-1${body}`),
  random(16, 32, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567").map(
    (body) => `otpauth://totp/Shop:ada?secret=${body}&issuer=Shop`,
  ),
  fc
    .tuple(
      fc.constantFrom("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "),
      fc.array(random(64, 64), { minLength: 1, maxLength: 40 }),
    )
    .map(
      ([kind, lines]) => `-----BEGIN ${kind}PRIVATE KEY-----\n${lines.join("\n")}\n-----END ${kind}PRIVATE KEY-----`,
    ),
);

/** Text that cannot be part of the number or the key. */
const around = fc
  .string({ unit: "binary", maxLength: 60 })
  .map((text) => text.replace(/[\p{L}\p{N}_+\-.~/=:@\p{Cf}\p{Zs}\p{Pd}\t]/gu, "."));
const spaced = around.map((text) => `${text}.`);

describe("a secret that is recognised by its form is masked, whatever surrounds it:", () => {
  test("a card number, in one piece or in groups", () => {
    fc.assert(
      fc.property(spaced, card, spaced, (before, number, after) => {
        expect(maskSecrets(`${before}${number}${after.split("").toReversed().join("")}`)).toContain("[card number]");
        const masked = maskSecrets(`${before}${number}.${after}`);
        expect(masked).toContain("[card number]");
        expect(masked).not.toContain(number);
        expect(masked).not.toContain(number.slice(0, 8));
        expect(masked).not.toContain(number.slice(-8));
      }),
      { numRuns: 2000 },
    );
  });

  test("a key of any known shape", () => {
    fc.assert(
      fc.property(spaced, keys, spaced, (before, key, after) => {
        const masked = maskSecrets(`${before} ${key} ${after}`);
        expect(masked).toContain("[key]");
        for (let at = 12; at + 8 <= key.length; at += 8) {
          const piece = key.slice(at, at + 8);
          if (!piece.includes("-----") && !/PRIVATE|secret|issuer/.test(piece)) expect(masked).not.toContain(piece);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("the password in an address", () => {
    expect(maskSecrets("see https://ada:hunter2@example.org/a?b for more")).toBe(
      "see https://[password]@example.org/a?b for more",
    );
    expect(maskSecrets("postgres://app:p@ss:w@db.internal:5432/x")).toBe("postgres://[password]@db.internal:5432/x");
  });

  test("a number with invisible characters in it", () => {
    expect(maskSecrets("4111\u200b1111\u20601111\u200d1111")).toBe("[card number]");
  });

  test("a card number between other numbers: a year before it, the date and the code after it", () => {
    expect(maskSecrets("2024 4111 1111 1111 1111 12/26 123")).toBe("2024 [card number] 12/26 123");
    expect(maskSecrets("4111 1111 1111 1111 5500 0000 0000 0004")).toBe("[card number] [card number]");
  });

  test("a private key truncated at its end, or at its beginning", () => {
    const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";
    expect(maskSecrets(`a\n-----BEGIN PRIVATE KEY-----\n${body}`)).toBe("a\n[key]");
    expect(maskSecrets(`${body}\n-----END PRIVATE KEY-----\nb`)).toBe("[key]\nb");
  });
});

describe("text that is not secret stays unchanged:", () => {
  test.each([
    "+49 30 1234567890",
    "+4111 1111 1111 11",
    "0049 176 12345678",
    "ISBN 978-3-16-148410-0",
    "9783161484100",
    "commit 4f6b2c1d8e9a0b3c5d7e8f9a0b1c2d3e4f5a6b7c",
    "order 4111111111111112",
    "1700000000000",
    "2026-11-16 05:43:41.123456",
    "550e8400-e29b-41d4-a716-446655440000",
    "192.168.100.100 10.0.0.1",
    "12 34 56 78 90 12 34 56",
    "a task-list-with-many-words-in-its-name-1",
    "risk-assessment-2024-final-version-3",
    "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJl3 ada@home",
    "ada@example.org: hello",
    "https://example.org:8080/a@b",
    "eyJ is how they begin",
    "",
  ])("%p", (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  test("numbers whose check digit is wrong", () => {
    fc.assert(
      fc.property(plainCard, fc.integer({ min: 1, max: 9 }), (number, off) => {
        const wrong = `${number.slice(0, -1)}${(Number(number.at(-1)) + off) % 10}`;
        expect(maskSecrets(`no. ${wrong}`)).toBe(`no. ${wrong}`);
      }),
    );
  });

  test("numbers that are on no card, and hashes", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          digits(18).map((rest) => `1${rest}`),
          random(40, 64, "0123456789abcdef"),
          digits(12),
        ),
        (text) => {
          fc.pre(/[a-f]/.test(text) || text.length !== 40);
          expect(maskSecrets(text)).toBe(text);
        },
      ),
    );
  });
});

test("masking is idempotent", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(around, card, keys, fc.string({ unit: "binary" }))),
      fc.constantFrom("", " ", "."),
      (parts, glue) => {
        const once = maskSecrets(parts.join(glue));
        expect(maskSecrets(once)).toBe(once);
      },
    ),
    { numRuns: 2000 },
  );
});

test("no part of a text, wherever it is cut, shows a piece of a secret in it", () => {
  fc.assert(
    fc.property(spaced, fc.oneof(card, keys), spaced, fc.nat(), fc.nat(), (before, secret, after, one, other) => {
      const text = `${before}${secret} ${after}`;
      const [start, end] = [one % (text.length + 1), other % (text.length + 1)].toSorted((a, b) => a - b);
      const part = maskPart(text.slice(0, start), text.slice(start, end), text.slice(end));
      const cut = secret.slice(Math.max(0, (start ?? 0) - before.length), Math.max(0, (end ?? 0) - before.length));
      if (cut.length >= 4 && !before.includes(cut) && !after.includes(cut) && !"[card number]".includes(cut))
        expect(part).not.toContain(cut);
      expect(maskPart("", text, "")).toBe(maskSecrets(text));
    }),
    { numRuns: 2000 },
  );
});

test("removed text is marked", () => {
  expect(isMasked(maskSecrets("pay with 4111 1111 1111 1111"))).toBe(true);
  expect(isMasked("an ordinary text")).toBe(false);
});
