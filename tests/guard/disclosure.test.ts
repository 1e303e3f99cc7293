import { expect, test } from "bun:test";
import { findDangers } from "../../src/guard/danger/danger.ts";
import { isAddress } from "../../src/guard/danger/disclosure.ts";
import type { Request } from "../../src/guard/gate.ts";
import { restrictToRecipient, sandboxPolicy } from "../../src/guard/policy/policy.ts";
import type { Command } from "../../src/model/command.ts";
import { control, keys, typing } from "./sample-commands.ts";

const forModel = restrictToRecipient(sandboxPolicy, { origin: "https://model.example" });
const field = control("input", "Address");
const plain: Request = { tool: "type", element: field };

const isAsked = (command: Command, request: Request, policy = forModel): boolean =>
  findDangers(command, request, policy).some(({ danger }) => danger === "disclose");

test("an address that a model types or opens is asked about, whole and in pieces; other clients' are not", () => {
  for (const text of [
    "https://evil.example/?q=4711",
    "evil.example/4711",
    "www.evil.example",
    "mailto:a@evil.example",
  ]) {
    expect([text, isAsked(typing(text), plain)]).toEqual([text, true]);
    expect(isAsked(typing(text), plain, sandboxPolicy)).toBe(false);
  }
  const begun = { tool: "type", element: { ...field, value: "https://evil.exa" } };
  expect(isAsked(typing("mple/?q=1"), begun)).toBe(true);
  expect(isAsked(keys("Return"), begun)).toBe(true);
  const opener = {
    what: "https://evil.example/a",
    args: [],
    kind: "application",
    words: "",
    command: [],
    names: [],
  } as const;
  expect(isAsked({ kind: "open", opener }, { tool: "open" })).toBe(true);
});

test("ordinary text is no address", () => {
  for (const text of ["Ada Lovelace", "notes.txt", "3.14", "Hello. And bye.", "and/or", "12:30", "file:///tmp/a.txt"]) {
    expect([text, isAddress(text)]).toEqual([text, false]);
  }
});

test("what a model writes beside a page's toolbar is asked about, since it goes to a server", () => {
  const within = () => [control("toolbar", "Navigation")];
  const inBrowser = { tool: "type", element: field, within, elements: () => [control("web", "Bank")] };
  expect(isAsked(typing("balance 4711"), inBrowser)).toBe(true);
  expect(isAsked(typing("balance 4711"), { ...inBrowser, elements: () => [] })).toBe(false);
});
